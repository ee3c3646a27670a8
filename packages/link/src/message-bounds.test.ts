import { describe, expect, it } from 'vitest'
import { createMessageBounds, messageBounds } from './message-bounds.ts'

const names = Object.keys(messageBounds) as (keyof typeof messageBounds)[]

/** Number of messages that are accepted before one is dropped. */
function accepted(bounds: ReturnType<typeof createMessageBounds>, name: (typeof names)[number], bytes: number): number {
  for (let count = 0; count < 10_000; count++) if (!bounds.accepts(7, name, bytes)) return count
  return 10_000
}

describe.each(names)('messages of an edge on the topic %s', (name) => {
  const bound = messageBounds[name]

  it('are dropped above their size', () => {
    const bounds = createMessageBounds()
    expect([bounds.accepts(7, name, bound.bytes), bounds.accepts(7, name, bound.bytes + 1)]).toEqual([true, false])
  })

  it('are dropped above their rate, and those of another edge are not', () => {
    let now = 1_000
    const bounds = createMessageBounds(() => now)
    expect(accepted(bounds, name, 1)).toBe(bound.burstRecords + 1)
    expect(bounds.accepts(8, name, 1)).toBe(true)
    now += 1_000
    expect(accepted(bounds, name, 1)).toBe(bound.recordsPerS)
  })

  it('are dropped above their bytes', () => {
    const bounds = createMessageBounds(() => 1_000)
    expect(accepted(bounds, name, bound.bytes) * bound.bytes).toBeLessThanOrEqual(bound.burstBytes + bound.bytes)
  })
})
