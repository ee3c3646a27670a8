import { expect, it } from 'vitest'
import { runFuzz } from './run.ts'

it('survives 2,000 malformed dialogues', async () => {
  const { crashes, hangs, broken, units, ends, growthBytes } = await runFuzz({ dialogues: 2000, seed: 7 })
  expect({ crashes, hangs, broken }).toEqual({ crashes: [], hangs: [], broken: [] })
  // After the mutations most dialogues still produce pictures; the others fail in many ways.
  expect(units).toBeGreaterThan(6000)
  expect(ends.size).toBeGreaterThan(8)
  expect(growthBytes).toBeLessThan(8 * 1024 * 1024)
})
