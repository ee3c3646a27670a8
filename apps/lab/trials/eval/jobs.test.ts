import { nomesIas } from '@vigia/contracts/ias'
import { expect, it } from 'vitest'
import type { Footage } from './data-set.ts'
import { videoResult } from './jobs.ts'
import { plainScene } from './scene.ts'

it('counts no footage for an IA that the scene does not enable', () => {
  const footage = (scene: Footage['scene']): Footage => ({
    path: '/data/yard.mp4',
    name: 'yard.mp4',
    labels: [],
    fire: null,
    underFire: false,
    scene,
  })
  const analysed = { events: [], durationS: 100, failure: null, cpuS: 1, memoryMb: 1 }
  const judgedS = (scene: Footage['scene']) => {
    const { scores } = videoResult(footage(scene), nomesIas, { kind: 'video', codec: null, analysed })
    return Object.fromEntries(scores.filter((one) => one.judgedS > 0).map((one) => [one.ia, one.judgedS]))
  }
  expect(judgedS(null)).toEqual({ fogo: 100, fumaca: 100, camera_obstruida: 100 })
  expect(judgedS({ ...plainScene, ias: ['fogo', 'invasao'] })).toEqual({ fogo: 100 })
})
