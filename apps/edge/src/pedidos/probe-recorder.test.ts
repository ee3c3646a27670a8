import { randomUUID } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProbeSlots, hostOf } from '../capture/connection-slots.ts'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'
import { createProbeHandlers } from './probe-recorder.ts'

let recorder: RecorderProcess
const sockets = new Set<Socket>()
/** Accepts connections and never answers. */
const mute = createServer((socket) => sockets.add(socket.on('error', () => {})))

beforeAll(async () => {
  recorder = await startRecorder({ senha: 'segredo' })
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  mute.close()
  await recorder.close()
})

const mutePort = () => {
  const address = mute.address()
  return typeof address === 'object' && address ? address.port : 0
}
const hosts = createHostSlots(2)
const own = createProbeSlots(createOwnSlots(hosts))
/** Hosts for which a probe requested a slot. */
const asked: string[] = []
const slots: typeof own = {
  acquire: (url, signal) => {
    asked.push(hostOf(url))
    return own.acquire(url, signal)
  },
}
const handlers = createProbeHandlers({ allowed: parseAllowedCidrs('127.0.0.0/8'), slots })
const context = (prazoMs = 20_000, { signal } = new AbortController()) => ({ id: randomUUID(), signal, prazoMs })
const channels = (change: object = {}) => ({
  acao: 'sondar_canais' as const,
  modelo: 'rtsp://{user}:{pass}@{host}:{port}/cam/realmonitor?channel={channel}&subtype=0',
  host: '127.0.0.1',
  porta: recorder.porta,
  usuario: 'vigia',
  senha: 'segredo',
  canais: [1, 2, 3, 9],
  ...change,
})
const ports = (change: object = {}) => ({
  acao: 'sondar_portas' as const,
  host: '127.0.0.1',
  portas: [recorder.porta],
  usuario: 'vigia',
  senha: 'segredo',
  ...change,
})

it('reports the channels of a recorder', async () => {
  const answer = await handlers.sondar_canais(channels(), context())
  expect(answer).toMatchObject({
    ok: true,
    resultado: {
      canais: [
        { canal: 1, estado: 'video', codec: 'h264' },
        { canal: 2, estado: 'video' },
        { canal: 3, estado: 'video', codec: 'h265' },
        { canal: 9, estado: 'vazia' },
      ],
    },
  })
  expect(await handlers.sondar_canais(channels({ senha: 'errada' }), context())).toEqual({
    ok: false,
    falha: 'senha_recusada',
  })
})

it('reports the open ports', async () => {
  expect(await handlers.sondar_portas(ports(), context())).toMatchObject({
    ok: true,
    resultado: { portas: [{ porta: recorder.porta, tcp: true, rtsp: true }] },
  })
})

it('connects to no address that the policy refuses', async () => {
  const strict = createProbeHandlers({ allowed: parseAllowedCidrs(''), slots })
  const refused = { ok: false, falha: 'endereco_recusado' }
  expect(await strict.sondar_portas(ports({ portas: [mutePort()] }), context())).toEqual(refused)
  expect(await strict.sondar_canais(channels({ porta: mutePort() }), context())).toEqual(refused)
  expect(sockets.size).toBe(0)
})

it('waits while streams use the connections to the recorder, and answers before its deadline', async () => {
  const owner = {}
  for (const ticket of [1, 2]) hosts.request(owner, { ticket, host: '127.0.0.1', use: 'live' }, () => {})
  asked.length = 0
  const probing = handlers.sondar_portas(ports({ portas: [mutePort()] }), context(3_000))
  await waitFor('its turn to wait', () => asked.length === 1, { everyMs: 1 })
  expect(sockets.size).toBe(0)
  hosts.release(owner, 1)
  await waitFor('the connection', () => sockets.size === 1, { everyMs: 1 })
  expect(await probing).toMatchObject({ ok: true, resultado: { portas: [{ tcp: true, rtsp: false }] } })
  hosts.releaseAll(owner)
})

it('ends when the caller aborts', async () => {
  const leaving = new AbortController()
  const before = sockets.size
  const probing = handlers.sondar_portas(ports({ portas: [mutePort()] }), context(60_000, leaving))
  await waitFor('the connection', () => sockets.size > before, { everyMs: 10 })
  leaving.abort()
  expect(await probing).toEqual({ ok: false, falha: 'cancelado' })
})
