import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { repositoryRoot, runProgram } from '@vigia/testing/program'
import { describe, expect, it } from 'vitest'

const data = resolve(repositoryRoot, process.env.VIGIA_DADOS_TESTE ?? '../shared/data')
const footage = existsSync(join(data, 'cctv/events.csv'))

interface ScoredVideo {
  readonly video: string
  readonly failure: string | null
  readonly events: readonly unknown[]
  readonly persons: readonly { readonly events: number }[]
  readonly falseEvents: readonly unknown[]
}

describe.skipIf(!footage)(`npm run eval on labelled footage (needs ${data})`, () => {
  it('every person is an event, nothing is invented, and clips without motion give none', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'vigia-eval-'))
    const json = join(dir, 'eval.json')
    const { code, output } = await runProgram({
      entry: 'apps/edge/src/eval/main.ts',
      args: ['--data', data, '--json', json],
      readyMs: 600_000,
    })
    expect(code, output).toBe(0)
    const { videos } = JSON.parse(readFileSync(json, 'utf8')) as { videos: ScoredVideo[] }
    rmSync(dir, { recursive: true })
    const video = (name: string) => videos.find((one) => one.video === name)

    const people = video('one-by-one-person-detection.mp4')
    expect(people?.persons.map(({ events }) => events)).toEqual([1, 1, 1, 1, 1, 1])
    expect(people?.falseEvents).toEqual([])
    for (const still of ['test_motion_video-1.mp4', 'test_motion_video-3.mp4'])
      expect(video(still)).toMatchObject({ events: [], failure: null })
    // The table names every video.
    for (const { video: name } of videos) expect(output).toContain(name)
  }, 600_000)
})
