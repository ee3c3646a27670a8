import { problemasImagem } from '@vigia/contracts/ias'
import { expect, it } from 'vitest'
import type { VideoEvent } from './analyse-video.ts'
import type { Footage } from './data-set.ts'
import type { JobResult } from './lanes.ts'
import { transformNames } from './stress/transforms.ts'
import { obstructionJobs, obstructionResults, stressable, transformJobs, transformResults } from './stress-runs.ts'

const footage = (name: string, ...labels: [event: string, startS: number, endS: number][]): Footage => ({
  path: `/data/${name}`,
  name,
  labels: labels.map(([event, startS, endS]) => ({ video: name, event, startS, endS, detail: '' })),
  fire: null,
  underFire: false,
  scene: null,
})
const clips = [
  footage('yard.mp4', ['person_present', 5, 20]),
  footage('long.mp4', ['person_present', 5, 90]),
  footage('other.mp4', ['motion', 5, 9]),
]
const analysed = (events: Partial<VideoEvent>[]): JobResult => ({
  kind: 'video',
  codec: 'h264',
  analysed: {
    events: events.map((event) => ({
      atS: 0,
      ia: 'invasao',
      confianca: 0.9,
      decisao: 'confirmado',
      motivo: '',
      detalhes: {},
      ...event,
    })),
    durationS: 100,
    failure: null,
    cpuS: 1,
    memoryMb: 1,
  },
})

it('applies every transformation to every labelled clip, one row each', () => {
  const telling = stressable(clips)
  expect(telling.map(({ name }) => name)).toEqual(['yard.mp4', 'long.mp4'])
  const jobs = transformJobs(telling, ['invasao'])
  expect(jobs).toHaveLength(transformNames.length * 2)
  // Only the second row misses the person in the yard and has a false event in the long clip.
  const results = jobs.map((_, index) => {
    if (index === 2) return analysed([])
    return analysed(index === 3 ? [{ atS: 6 }, { atS: 95 }] : [{ atS: 6 }])
  })
  const rows = transformResults(telling, ['invasao'], [], results)
  expect(rows).toHaveLength(transformNames.length)
  const invasao = rows.map(({ ias }) => ias.find(({ ia }) => ia === 'invasao'))
  expect(invasao[0]).toMatchObject({ rotulos: 2, encontrados: 2, falsos: 0 })
  expect(invasao[1]).toMatchObject({ rotulos: 2, encontrados: 1, falsos: 1 })
  expect(invasao[2]).toMatchObject({ rotulos: 2, encontrados: 2, falsos: 0 })
})

it('obstructs the longest clip in every way and measures from the obstruction', () => {
  const jobs = obstructionJobs(clips)
  expect(jobs.map(({ path, ias }) => [path, ias])).toEqual(
    problemasImagem.map(() => ['/data/long.mp4', ['camera_obstruida']]),
  )
  const event = (atS: number): Partial<VideoEvent> => ({ atS, ia: 'camera_obstruida', detalhes: { problema: 'preta' } })
  const results = [analysed([event(12), event(43)]), ...jobs.slice(1).map(() => analysed([]))]
  const [first, second] = obstructionResults(jobs, results)
  expect(first).toMatchObject({ problema: 'coberta', depois_s: 13, dito: 'preta', antes: 1 })
  expect(second).toMatchObject({ depois_s: null, dito: null, antes: 0 })
  expect(obstructionJobs(clips.slice(0, 1))).toEqual([])
})
