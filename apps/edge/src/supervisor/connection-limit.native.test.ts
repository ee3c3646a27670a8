import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CameraTask } from '@vigia/analysis/model'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createProbeSlots } from '../capture/connection-slots.ts'
import { createClipFiles } from '../clips/clip-files.ts'
import { createClipKeeper } from '../clips/clip-keeper.ts'
import { createClipStore } from '../clips/clip-store.ts'
import { createMinuteFiles } from '../continuous/minute-files.ts'
import { openEdgeDb } from '../db/edge-db.ts'
import { createProbeHandlers } from '../pedidos/probe-recorder.ts'
import { createRecorderClocks } from '../recordings/recorder-clock.ts'
import { createRecordings, type Recordings } from '../recordings/recordings.ts'
import { knownTime } from '../time/testing/known-time.ts'
import { createHostSlots, createOwnSlots } from './host-slots.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'

const log = pino({ level: 'silent' })
const NOW = Date.UTC(2026, 0, 1, 12, 0, 0)
const ago = (seconds: number) => NOW - seconds * 1000
const allowed = parseAllowedCidrs('127.0.0.0/8')
const context = () => ({ id: randomUUID(), signal: new AbortController().signal, prazoMs: 10_000 })

let dir: string
let recorder: RecorderProcess
let supervisor: Supervisor
let recordings: Recordings
let close: () => Promise<void>
const slots = createHostSlots(2)
const own = createOwnSlots(slots)
const { sondar_portas } = createProbeHandlers({ allowed, slots: createProbeSlots(own) })

const task = (canal: number): CameraTask => ({
  id: canal,
  analises: [],
  zonas: [],
  linha: [],
  fusoHorario: 'America/Sao_Paulo',
  fontes: { rtsp_url: recorder.url(canal), sub_rtsp_url: recorder.url(canal, 'sub') },
})

beforeEach(async () => {
  dir = temporaryFolder('vigia-limit-')
  const trechos = [{ inicio: ago(4 * 3600), fim: ago(60) }]
  recorder = await startRecorder({ gravacao: { trechos, fusoMin: -180, z: 'local' } })
  supervisor = createSupervisor({
    log,
    slots,
    states: () => ({}),
    onEvents() {},
    onStates() {},
    onEvidence() {},
    onDiscard() {},
    onPassage() {},
    onClip() {},
    onNoClip() {},
    onInterrupted() {},
    onChange() {},
  })
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  const files = createClipFiles(join(dir, 'clipes'))
  const keeper = createClipKeeper({
    time: knownTime,
    store: createClipStore(opened.db, { now: () => NOW }),
    files,
    log,
    now: () => NOW,
    eventOf: () => undefined,
    onChanged() {},
    notices: { kept() {}, missing() {}, removed() {} },
    quota: { maxBytes: 1e9, reserveBytes: 0, freeBytes: () => null },
  })
  await keeper.start()
  recordings = createRecordings({
    slots: own,
    files,
    keeper,
    log,
    isOnline: () => true,
    isCrowded: () => false,
    busyCause: () => undefined,
    now: () => NOW,
    retryMs: 50,
    marginMs: 500,
    held: createMinuteFiles(join(dir, 'continua')),
    task,
    clocks: createRecorderClocks({ slots: own, allowed: parseAllowedCidrs(''), now: () => NOW, ports: [] }),
  })
  close = async () => {
    await recordings.stop()
    await supervisor.stop()
    await keeper.stop()
    opened.db.close()
    await recorder.close()
    rmSync(dir, { recursive: true, force: true })
  }
})
afterEach(() => close())

/** Reads these cameras of a recorder that accepts two connections. */
async function read(...canais: number[]) {
  slots.limit([{ host: '127.0.0.1', connections: 2, cameras: canais.length }])
  supervisor.apply(canais.map(task))
}
const isOnline = (canal: number) => supervisor.status(canal)?.stream.online === true
const online = (...canais: number[]) => waitFor(`${canais} online`, () => canais.every(isOnline), { everyMs: 20 })

function watch(canal: number) {
  const seen = { records: 0, end: '' }
  const order = { id: randomUUID(), cameraId: canal, fluxo: 'principal', partMs: 250 } as const
  const stop = supervisor.stream(order, {
    onRecord() {
      seen.records++
    },
    onEnded(falha) {
      seen.end = falha
    },
  })
  return { seen, stop }
}

async function fetchState(pedido: string, seconds: number) {
  const span = { inicio: ago(70 + seconds), fim: ago(70) }
  const order = { acao: 'buscar_gravacao', pedido, camera_id: 1, ...span, validade_ms: 60_000 } as const
  const answer = await recordings.handlers.buscar_gravacao(order, context())
  if (!answer.ok) throw new Error(answer.falha)
  return answer.resultado.estado
}
const fetched = (pedido: string, seconds: number, estado: string) =>
  waitFor(estado, async () => (await fetchState(pedido, seconds)) === estado)

it('never asks for a third connection: a playback gives way to viewers, who share one stream', async () => {
  await read(1)
  await online(1)
  const pedido = randomUUID()
  await fetched(pedido, 4, 'recebendo')
  const viewers = Array.from({ length: 5 }, () => watch(1))
  await waitFor('all viewers', () => viewers.every(({ seen }) => seen.records > 3))
  expect(await fetchState(pedido, 4)).toBe('na_fila')
  const login = { host: '127.0.0.1', usuario: recorder.usuario, senha: recorder.senha }
  const probed = await sondar_portas({ acao: 'sondar_portas', ...login, portas: [recorder.porta] }, context())
  expect(probed).toMatchObject({ resultado: { portas: [{ rtsp: false, detalhe: expect.stringContaining('máximo') }] } })
  for (const { stop } of viewers) stop()
  await fetched(pedido, 4, 'pronta')
  expect(isOnline(1)).toBe(true)
  expect((await recorder.counts()).conexoes_max).toBe(2)
})

it('keeps the connections of the analysis, also while it connects again', async () => {
  await read(1, 2)
  await online(1, 2)
  supervisor.restart(1)
  const { seen } = watch(2)
  await waitFor('the refusal', () => seen.end === 'sem_conexao_livre')
  await fetchState(randomUUID(), 4)
  await waitFor('the camera again', () => supervisor.status(1)?.stream.failure === null && isOnline(1), {
    timeoutMs: 30_000,
  })
  await read(1, 2, 3)
  await waitFor('the reason', () => supervisor.status(3)?.stream.detail?.includes('limite'))
  await read(2, 3)
  await online(2, 3)
  expect((await recorder.counts()).conexoes_max).toBe(2)
})
