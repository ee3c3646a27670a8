import type { CameraTask } from '@vigia/analysis/model'
import { isArmed } from '@vigia/ias/agenda'
import { expect, it } from 'vitest'
import { armedTask } from './armed-task.ts'

it('arms every analysis at any hour', () => {
  const night = { inicio: 22, fim: 6, dias: [0] }
  const task = {
    id: 1,
    analises: [
      { ia: 'invasao', calibracao: { conf: 0.4 }, agenda: night },
      { ia: 'fogo', calibracao: {}, agenda: null },
    ],
  } as unknown as CameraTask
  const armed = armedTask(task)
  expect(
    armed.analises.map(({ ia, agenda }) => [ia, isArmed(agenda, 'UTC', Date.parse('2026-11-10T12:00:00Z'))]),
  ).toEqual([
    ['invasao', true],
    ['fogo', true],
  ])
  expect(armed.analises[0]?.calibracao).toEqual({ conf: 0.4 })
})
