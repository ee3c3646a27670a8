import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '@vigia/testing/program'
import { describe, expect, it } from 'vitest'
import { parseLabels } from './labels.ts'
import { scoreVideo } from './score.ts'
import { table } from './table.ts'
import type { VideoEvent } from './watch-video.ts'

const CSV = `video,event,start_s,end_s,detail
a.mp4,person_present,6.0,20.0,"person 1 of 2: enters, leaves ""fast"", at last"
a.mp4,person_present,22.7,44.9,
b.mp4,no_motion,0,135.5,nothing
c.mp4,motion,31.7,51.2,x
`
const labels = parseLabels(CSV)
const at = (atS: number, decisao: VideoEvent['decisao'] = 'confirmado'): VideoEvent => ({
  atS,
  ia: 'invasao',
  confianca: 0.8,
  decisao,
  motivo: 'porque sim',
})
const score = (video: string, ...events: VideoEvent[]) =>
  scoreVideo(video, { events, durationS: 60, failure: null }, labels)

describe('parseLabels', () => {
  it('reads quoted fields with commas and quotes', () => {
    expect(labels).toHaveLength(4)
    expect(labels[0]).toEqual({
      video: 'a.mp4',
      event: 'person_present',
      startS: 6,
      endS: 20,
      detail: 'person 1 of 2: enters, leaves "fast", at last',
    })
  })

  it.each(['a.mp4,person_present,x,20,', 'a.mp4,person_present,20,10,', 'a.mp4,,1,2,', 'a.mp4,person_present,,2,'])(
    'names the line that it can not read: %s',
    (line) => expect(() => parseLabels(`video,event,start_s,end_s,detail\n${line}`)).toThrow(/linha 2/),
  )

  it('refuses another header', () => {
    expect(() => parseLabels('foo,bar\n')).toThrow(/primeira linha/)
  })
})

describe('scoreVideo', () => {
  it('is content when each person has a confirmed event', () => {
    const result = score('a.mp4', at(7), at(12), at(30))
    expect(result).toMatchObject({ ok: true, candidates: 3, confirmed: 3, falseEvents: [] })
    expect(result.persons.map(({ firstEventS, events }) => [firstEventS, events])).toEqual([
      [7, 2],
      [30, 1],
    ])
  })

  it('counts a refuted event for nobody, and an event outside as false', () => {
    const result = score('a.mp4', at(7, 'refutado'), at(21), at(30))
    expect(result.ok).toBe(false)
    expect(result.persons[0]?.firstEventS).toBeNull()
    expect(result.falseEvents).toEqual([at(21)])
    expect(table([result])).toMatch(/1\/2 +1 +FALHA: pessoa perdida/)
  })

  it('takes any event where nothing moves for a failure, confirmed or not', () => {
    expect(score('b.mp4').ok).toBe(true)
    expect(score('b.mp4', at(3, 'refutado'))).toMatchObject({ ok: false, eventsWithoutMotion: [{ atS: 3 }] })
  })

  it('judges nothing by other labels, nor where there are none', () => {
    expect(score('c.mp4', at(40))).toMatchObject({ ok: true, labelled: true, others: [{ event: 'motion', events: 1 }] })
    expect(score('d.mp4', at(40))).toMatchObject({ ok: true, labelled: false, falseEvents: [] })
  })

  it('does not pass over a video that it could not read', () => {
    expect(scoreVideo('b.mp4', { events: [], durationS: 0, failure: 'dados_invalidos' }, labels).ok).toBe(false)
  })
})

it('says what to do where there is no footage, with exit code 2', { timeout: 60_000 }, async () => {
  const empty = await mkdtemp(join(tmpdir(), 'vigia-eval-'))
  const run = (...args: string[]) => runProgram({ entry: 'apps/edge/src/eval/main.ts', args })
  const [none, wrong] = await Promise.all([run('--data', empty), run('--dados', empty)])
  await rm(empty, { recursive: true })
  expect(none).toEqual({ code: 2, output: expect.stringContaining('--data PASTA') })
  expect(wrong).toEqual({ code: 2, output: expect.stringContaining('Uso: npm run eval') })
})
