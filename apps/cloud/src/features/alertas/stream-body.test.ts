import { describe, expect, it } from 'vitest'
import { streamBody } from './stream-body.ts'

function source() {
  const seen = { produced: 0, closed: false, aborted: 0 }
  async function* pieces(): AsyncGenerator<string, void, void> {
    try {
      while (seen.produced < 1000) yield `piece ${++seen.produced}\n`
    } finally {
      seen.closed = true
    }
  }
  const abort = () => {
    seen.aborted += 1
  }
  return { seen, generator: pieces(), abort }
}

describe('streamBody', () => {
  it('makes a piece only when the one before it was taken', async () => {
    const { seen, generator, abort } = source()
    const reader = streamBody(generator, { abort }).getReader()
    expect(seen.produced).toBe(0)
    await reader.read()
    await reader.read()
    expect(seen.produced).toBe(2)
    await reader.cancel()
    expect(seen).toMatchObject({ closed: true, aborted: 1 })
  })

  it('cuts off a client that stops taking', async () => {
    const { seen, generator, abort } = source()
    const reader = streamBody(generator, { abort, stallMs: 30 }).getReader()
    await reader.read()
    await expect(reader.closed).rejects.toThrow('stopped reading')
    expect(seen).toMatchObject({ produced: 1, closed: true, aborted: 1 })
  })

  it('ends when the source does, and fails when it fails', async () => {
    const ended = source()
    ended.seen.produced = 1000
    expect(await streamBody(ended.generator, { abort: ended.abort }).getReader().read()).toMatchObject({ done: true })
    expect(ended.seen.aborted).toBe(1)

    async function* broken(): AsyncGenerator<string, void, void> {
      yield 'first'
      throw new Error('database gone')
    }
    const failing = source()
    const reader = streamBody(broken(), { abort: failing.abort }).getReader()
    await reader.read()
    await expect(reader.read()).rejects.toThrow('database gone')
    expect(failing.seen.aborted).toBe(1)
  })
})
