import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { MAX_REGISTRO_BYTES } from '@vigia/contracts/transmissao'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { RELAY_HEADER, relayUpload } from './relay-upload.ts'
import { createWaitingBytes } from './waiting-bytes.ts'

/** An owner that accepts an upload and reads nothing. */
let owner: WebSocketServer
beforeAll(async () => {
  owner = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  owner.on('connection', (socket) => socket.pause())
  await once(owner, 'listening')
})
afterAll(async () => {
  for (const socket of owner.clients) socket.terminate()
  await new Promise((resolve) => owner.close(resolve))
})

it('ends an upload whose owner does not read it', async () => {
  const address = new URL(`ws://127.0.0.1:${(owner.address() as AddressInfo).port}`)
  const headers = { authorization: 'Bearer um', [RELAY_HEADER]: 'sim' }
  const meter = { connect: () => true, take: () => true }
  const intake = await relayUpload(address, headers, { meter, gone: new AbortController().signal })
  const lost = once(intake.lost as AbortSignal, 'abort')
  // The sockets of both ends hold the first ones.
  for (let sent = 0; sent < 16; sent += 1) intake.message(Buffer.alloc(MAX_REGISTRO_BYTES))
  await lost
})

it('ends the uploads with more than an equal share when those of all wait', () => {
  const waiting = createWaitingBytes({ one: 100, all: 150 })
  const [a, b, c] = [{}, {}, {}]
  expect(waiting.allows(a, 101)).toBe(false)
  expect(waiting.allows(a, 90)).toBe(true)
  expect(waiting.allows(b, 10)).toBe(true)
  expect(waiting.allows(c, 50)).toBe(true)
  expect(waiting.allows(b, 20)).toBe(true)
  expect(waiting.allows(a, 91)).toBe(false)
  waiting.release(a)
  expect(waiting.allows(c, 100)).toBe(true)
})
