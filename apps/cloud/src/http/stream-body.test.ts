import { connect } from 'node:net'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listen } from './listen.ts'
import { streamBody } from './stream-body.ts'

function source() {
  const seen = { produced: 0, closed: false, finished: 0, failures: [] as unknown[] }
  async function* pieces(): AsyncGenerator<string, void, void> {
    try {
      while (seen.produced < 1000) yield `piece ${++seen.produced}\n`
    } finally {
      seen.closed = true
    }
  }
  const holder = {
    finished: () => {
      seen.finished += 1
    },
    failed: (error: unknown) => {
      seen.failures.push(error)
    },
    disconnect: () => {},
  }
  return { seen, generator: pieces(), holder }
}

describe('streamBody', () => {
  it('produces a chunk only after the previous one was read', async () => {
    const { seen, generator, holder } = source()
    const reader = streamBody(generator, holder).getReader()
    expect(seen.produced).toBe(0)
    await reader.read()
    await reader.read()
    expect(seen.produced).toBe(2)
    await reader.cancel()
    expect(seen).toMatchObject({ closed: true, finished: 1 })
  })

  it('disconnects a client that stops reading', async () => {
    const { seen, generator, holder } = source()
    const cut = Promise.withResolvers<void>()
    const body = streamBody(generator, { ...holder, disconnect: cut.resolve }, { stallMs: 30 })
    const reader = body.getReader()
    await reader.read()
    await cut.promise
    await reader.cancel()
    expect(seen).toMatchObject({ produced: 1, closed: true, finished: 1 })
  })

  it('ends when the source ends or fails', async () => {
    const ended = source()
    ended.seen.produced = 1000
    expect(await streamBody(ended.generator, ended.holder).getReader().read()).toMatchObject({ done: true })
    expect(ended.seen).toMatchObject({ finished: 1, failures: [] })

    async function* broken(): AsyncGenerator<string, void, void> {
      yield 'first'
      throw new Error('database gone')
    }
    const failing = source()
    const reader = streamBody(broken(), failing.holder).getReader()
    await reader.read()
    expect(await reader.read()).toMatchObject({ done: true })
    expect(failing.seen).toMatchObject({ finished: 1, failures: [new Error('database gone')] })
  })
})

describe('over a real connection', () => {
  afterEach(() => vi.restoreAllMocks())

  it('disconnects a client that stops reading, without any output', async () => {
    const printed = [vi.spyOn(console, 'info'), vi.spyOn(console, 'error')]
    const { seen, holder } = source()
    async function* flood(): AsyncGenerator<string, void, void> {
      try {
        for (;;) {
          seen.produced += 1
          yield 'x'.repeat(64 * 1024)
        }
      } finally {
        seen.closed = true
      }
    }
    const server = await listen({ host: '127.0.0.1', port: 0 })
    server.serve((_request, env) => {
      const disconnect = () => (env as { outgoing: { destroy(): void } }).outgoing.destroy()
      return new Response(streamBody(flood(), { ...holder, disconnect }, { stallMs: 200 }))
    })
    const client = connect(server.port, '127.0.0.1')
    client.on('error', () => {})
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    client.pause()
    await waitFor('the stream to be let go', () => seen.closed, { everyMs: 20 })
    // The socket buffers of the system hold a limited number of chunks.
    expect(seen.produced).toBeLessThan(500)
    expect(seen).toMatchObject({ finished: 1, failures: [] })
    // The connection is closed too, not only its source.
    const gone = new Promise<void>((resolve) => client.once('close', () => resolve()))
    client.resume()
    await gone
    for (const spy of printed) expect(spy).not.toHaveBeenCalled()
    await server.stop(0)
  })
})
