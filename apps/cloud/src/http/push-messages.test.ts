import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { CONTROL_RATE } from './control-frames.ts'
import { pushMessages } from './push-messages.ts'

let server: Server
let wss: WebSocketServer
let url: string
const stopping = new AbortController()
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  wss = new WebSocketServer({ server, autoPong: false })
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  for (const client of wss.clients) client.terminate()
  wss.close()
  server.close()
})

const PIECE = 'x'.repeat(64 * 1024)

/** Endless messages of 64 KiB. `made`: number of messages; `closed`: the source was closed. */
function flood() {
  const seen = { made: 0, closed: false }
  async function* messages(): AsyncGenerator<string, void, void> {
    try {
      for (;;) {
        seen.made += 1
        yield PIECE
      }
    } finally {
      seen.closed = true
    }
  }
  return { seen, messages: messages() }
}

/** A source without messages that ends when the connection is closed. */
function silence() {
  const gone = Promise.withResolvers<void>()
  async function* messages(): AsyncGenerator<string, void, void> {
    await gone.promise
    yield* []
  }
  return { messages: messages(), gone: gone.resolve }
}

interface Options {
  messages: AsyncGenerator<string, void, void>
  failed?: (error: unknown) => void
  pingMs?: number
  stallMs?: number
}

/** A client of pushMessages; `done`: pushMessages has returned. */
async function connect({ messages, failed = () => {}, ...options }: Options, client: { autoPong?: boolean } = {}) {
  const accepted = once(wss, 'connection') as Promise<[WebSocket]>
  const socket = new WebSocket(url, client)
  const closed = once(socket, 'close').then(([code, reason]) => ({ code: Number(code), reason: String(reason) }))
  const opened = once(socket, 'open')
  const [own] = await accepted
  const done = pushMessages(own, { messages, failed }, { stopping: stopping.signal, ...options })
  await opened
  return { socket, own, closed, done }
}

describe('pushMessages', () => {
  it('buffers one message for a client that does not read, and drops the client', async () => {
    const { seen, messages } = flood()
    const { socket, own, done } = await connect({ messages, stallMs: 300 })
    socket.pause()
    await done
    if (own.readyState !== WebSocket.CLOSED) await once(own, 'close')
    // The socket buffers of the system hold a few MB.
    expect(seen.made).toBeLessThan(500)
    expect(own.bufferedAmount).toBeLessThan(2 * PIECE.length)
    expect(seen.closed).toBe(true)
  })

  it('keeps a client that reads slowly', async () => {
    const { seen, messages } = flood()
    const { socket } = await connect({ messages, stallMs: 2000 })
    let taken = 0
    socket.on('message', () => {
      taken += 1
      socket.pause()
      setTimeout(() => socket.resume(), 1)
    })
    await waitFor('many messages', () => taken > 300)
    expect(seen.made - taken).toBeLessThan(500)
  })

  it('keeps a client that answers pings, and drops one with two unanswered pings', async () => {
    const alive = silence()
    const dead = silence()
    const first = await connect({ messages: alive.messages, pingMs: 100 })
    const startedAt = performance.now()
    const second = await connect({ messages: dead.messages, pingMs: 100 }, { autoPong: false })
    expect((await second.closed).code).toBe(1006)
    expect(performance.now() - startedAt).toBeGreaterThan(250)
    expect(first.socket.readyState).toBe(WebSocket.OPEN)
    first.socket.terminate()
    for (const { gone } of [alive, dead]) gone()
  })

  it('answers pings, but buffers no answers for a client that does not read', async () => {
    const { messages, gone } = silence()
    const { socket, own } = await connect({ messages })
    socket.ping('a')
    expect(String((await once(socket, 'pong'))[0])).toBe('a')
    // A frame that stays in the buffer, as with a full receive window of the client.
    const wire = (own as unknown as { _socket: Socket })._socket
    wire.cork()
    wire.write(Buffer.alloc(1))
    const before = own.bufferedAmount
    const flooded = new Promise<void>((resolve) => own.on('ping', (data) => String(data) === 'last' && resolve()))
    for (let i = 0; i < 1000; i += 1) socket.ping('x'.repeat(100))
    socket.ping('last')
    await flooded
    expect(own.bufferedAmount).toBe(before)
    socket.terminate()
    gone()
  })

  it('drops a viewer that pings without end', async () => {
    const { messages, gone } = silence()
    const { socket, closed } = await connect({ messages })
    for (let count = 0; count < 2 * CONTROL_RATE.burstRecords; count += 1) socket.ping()
    expect((await closed).code).toBe(1006)
    gone()
  })

  it('closes with a code for the end of the session and for an internal error', async () => {
    async function* over(): AsyncGenerator<string, void, void> {
      yield* []
    }
    expect(await (await connect({ messages: over() })).closed).toEqual({
      code: 4401,
      reason: expect.stringContaining('Sessão'),
    })
    async function* broken(): AsyncGenerator<string, void, void> {
      yield 'first'
      throw new Error('database gone')
    }
    const failures: unknown[] = []
    const { closed } = await connect({ messages: broken(), failed: (error) => failures.push(error) })
    expect((await closed).code).toBe(1011)
    expect(failures).toEqual([new Error('database gone')])
  })
})
