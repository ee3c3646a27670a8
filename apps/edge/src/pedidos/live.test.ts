import { randomUUID } from 'node:crypto'
import { task } from '@vigia/analysis/testing/tasks'
import type { QuadroAoVivo } from '@vigia/contracts/pedidos'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createHostSlots } from '../supervisor/host-slots.ts'
import { createSupervisor, type Supervisor } from '../supervisor/supervisor.ts'
import { unread } from '../supervisor/testing/idle.ts'
import { createLive, type LiveDeps, type LiveSessions } from './live.ts'

/** Uses real capture processes; `publish` replaces the line to the cloud. */
let supervisor: Supervisor
let live: LiveSessions
let recorder: RecorderProcess | null = null
afterEach(async () => {
  live.stop()
  await supervisor.stop()
  await recorder?.close()
  recorder = null
})

const stub = new URL('../supervisor/testing/capture-child.ts', import.meta.url)
const url = 'rtsp://usuario:segredo@127.0.0.1:9/ok'

interface Sent {
  readonly header: QuadroAoVivo
  readonly jpeg: Buffer
  readonly at: number
}

async function begin(urls: readonly string[], { entry, ...deps }: Partial<LiveDeps> & { entry?: URL } = {}) {
  const known = new Set(urls.map((_, i) => i + 1))
  const sent: Sent[] = []
  const line = { isFree: true }
  supervisor = createSupervisor({
    log: pino({ level: 'silent' }),
    ...(entry && { entry }),
    slots: createHostSlots(2),
    ...unread,
  })
  live = createLive({
    isKnown: (id) => known.has(id),
    picture: supervisor.picture,
    publish: (header, jpeg) => {
      sent.push({ header, jpeg, at: performance.now() })
      return line.isFree
    },
    ...deps,
  })
  supervisor.apply(urls.map((one, i) => task(i + 1, one)))
  await waitFor('the cameras', () => urls.every((_, i) => supervisor.status(i + 1)?.stream.online), {
    timeoutMs: 30_000,
    everyMs: 20,
  })
  return { known, sent, line }
}

const context = (signal = new AbortController().signal) => ({ id: randomUUID(), signal, prazoMs: 5_000 })
const start = (camera_id: number, change: { quadros_por_s?: number; validade_ms?: number } = {}) =>
  live.handlers.iniciar_ao_vivo(
    { acao: 'iniciar_ao_vivo', camera_id, quadros_por_s: 10, lado_maximo: 320, validade_ms: 60_000, ...change },
    context(),
  )
const stop = (camera_id: number) => live.handlers.parar_ao_vivo({ acao: 'parar_ao_vivo', camera_id }, context())
const done = { ok: true, resultado: {} }

describe('live frames', () => {
  it('arrive with the requested size and rate over the single existing connection', async () => {
    recorder = await startRecorder()
    const { sent } = await begin([recorder.url(1)])
    expect(await start(1, { quadros_por_s: 2 })).toEqual(done)
    await waitFor('frames', () => sent.length >= 6)
    const spanMs = (sent[5]?.at ?? 0) - (sent[0]?.at ?? 0)
    expect(spanMs).toBeGreaterThan(2_000)
    // This camera has no analyses, so that nothing is seen.
    expect(sent[0]?.header).toEqual({ v: 1, camera_id: 1, largura: 320, altura: 240, caixas: [] })
    expect(sent[0]?.jpeg.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
    expect(sent[0]?.jpeg.equals(sent[5]?.jpeg ?? Buffer.alloc(0))).toBe(false)
    expect((await recorder.counts()).conexoes_max).toBe(1)
    await stop(1)
    const after = sent.length
    // A picture requested now arrives later than any frame of the session.
    await supervisor.picture(1, { waitMs: 5_000, maxSide: 320 }, context().signal)
    await supervisor.picture(1, { waitMs: 5_000, maxSide: 320 }, context().signal)
    expect(sent.length).toBe(after)
  })

  it('end without a renewal and restart with a new command', async () => {
    const { sent } = await begin([url], { entry: stub })
    expect(await start(1, { validade_ms: 1_000 })).toEqual(done)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(await start(1, { validade_ms: 1_000 })).toEqual(done)
    const renewedAt = performance.now()
    await waitFor('frames beyond the first lease', () => (sent.at(-1)?.at ?? 0) > renewedAt + 700, { everyMs: 20 })
    await waitFor('a second without a frame', () => performance.now() > (sent.at(-1)?.at ?? 0) + 1_000, { everyMs: 20 })
  })

  it('are sent for four cameras at once, not for a fifth', async () => {
    await begin([url, url, url, url, url], { entry: stub })
    expect(await Promise.all([1, 2, 3, 4].map((id) => start(id)))).toEqual([done, done, done, done])
    expect(await start(5)).toEqual({ ok: false, falha: 'ocupado' })
    expect(await start(4)).toEqual(done)
    expect(await stop(2)).toEqual(done)
    expect(await start(5)).toEqual(done)
  })

  it('become rarer while the line is slow and return to the requested rate', async () => {
    const { sent, line } = await begin([url], { entry: stub, slowestMs: 800 })
    line.isFree = false
    await start(1)
    await waitFor('five attempts', () => sent.length >= 5, { everyMs: 10 })
    const gaps = () => sent.slice(1).map(({ at }, i) => at - (sent[i]?.at ?? 0))
    const [first = 0, second = 0, third = 0, fourth = 0] = gaps()
    for (const [gap, leastMs] of [
      [first, 80],
      [second, 150],
      [third, 300],
      [fourth, 600],
    ] as const)
      expect(gap).toBeGreaterThan(leastMs)
    // Without a slowest rate the tenth would come after 51 s.
    await waitFor('ten attempts', () => sent.length >= 10, { everyMs: 10 })
    line.isFree = true
    await waitFor('the asked rate', () => (gaps().at(-1) ?? 800) < 180, { everyMs: 10 })
  })

  it('end with the camera, and do not start for an unknown camera or an aborted command', async () => {
    const { known, sent } = await begin([url], { entry: stub })
    const gone = AbortSignal.abort()
    const command = { quadros_por_s: 10, lado_maximo: 320, validade_ms: 60_000, camera_id: 1 }
    const cancelled = live.handlers.iniciar_ao_vivo({ acao: 'iniciar_ao_vivo', ...command }, context(gone))
    expect(await cancelled).toEqual({ ok: false, falha: 'cancelado' })
    expect(await start(9)).toEqual({ ok: false, falha: 'camera_desconhecida' })
    expect(sent).toEqual([])
    await start(1)
    await waitFor('a frame', () => sent.length > 0, { everyMs: 10 })
    known.delete(1)
    const after = sent.length
    await waitFor('two frames later', () => performance.now() > (sent.at(-1)?.at ?? 0) + 300, { everyMs: 20 })
    expect(sent.length).toBeLessThanOrEqual(after + 1)
    expect(await start(1)).toEqual({ ok: false, falha: 'camera_desconhecida' })
  })

  it('continue after a crash of the capture process', async () => {
    const { sent } = await begin([url], { entry: stub })
    await start(1)
    await waitFor('a frame', () => sent.length > 0, { everyMs: 10 })
    const killed = supervisor.pidOf(1) ?? 0
    process.kill(killed, 'SIGKILL')
    await waitFor('another process', () => (supervisor.pidOf(1) ?? killed) !== killed, { everyMs: 10 })
    const before = sent.length
    await waitFor('frames again', () => sent.length > before, { everyMs: 10 })
  })
})
