import { expect, it } from 'vitest'
import { runKills } from './run.ts'

it('leaves no orphan and loses nothing when the sweep is killed', async () => {
  const { steps, killed, problems } = await runKills(3)
  expect(steps).toBeGreaterThan(100)
  expect([killed.length, problems]).toEqual([3, []])
}, 180_000)
