import { expect, it } from 'vitest'
import { createNewestOnly } from './newest-only.ts'

const item = (size: number) => Buffer.alloc(size)

it('runs the first and the newest item of a flood, one at a time, and other keys in parallel', async () => {
  const events: string[] = []
  const gate = Promise.withResolvers<void>()
  const newest = createNewestOnly<Buffer>(1, async (key, payload) => {
    events.push(`${key}:${payload.length}>`)
    if (key === 1) await gate.promise
    events.push(`${key}:${payload.length}<`)
  })
  for (let size = 1; size <= 1_000; size += 1) newest.push(1, item(size))
  newest.push(2, item(9))
  await expect.poll(() => events).toEqual(['1:1>', '2:9>', '2:9<'])
  gate.resolve()
  await expect.poll(() => events.slice(3)).toEqual(['1:1<', '1:1000>', '1:1000<'])
})

it('pauses after each item and runs nothing after stop', async () => {
  const began: number[] = []
  const newest = createNewestOnly<Buffer>(100, async () => void began.push(performance.now()))
  newest.push(1, item(1))
  newest.push(1, item(2))
  await expect.poll(() => began).toHaveLength(2)
  expect((began[1] ?? 0) - (began[0] ?? 0)).toBeGreaterThan(95)

  newest.push(2, item(1))
  newest.push(2, item(2))
  newest.stop()
  newest.push(3, item(1))
  await expect.poll(() => performance.now() - (began[1] ?? 0)).toBeGreaterThan(250)
  expect(began).toHaveLength(4)
})
