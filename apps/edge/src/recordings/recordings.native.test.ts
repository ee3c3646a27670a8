import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CameraTask } from '@vigia/analysis/model'
import type { BuscaGravacao } from '@vigia/contracts/gravacoes'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { type Program, startProgram } from '@vigia/testing/program'
import { startRecorder } from '@vigia/testing/simulator'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { readAccessUnits } from '@vigia/video/testing/access-units'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { createClipFiles } from '../clips/clip-files.ts'
import { createClipKeeper } from '../clips/clip-keeper.ts'
import { createClipStore } from '../clips/clip-store.ts'
import { createCameraWriter } from '../continuous/camera-writer.ts'
import { createMinuteFiles } from '../continuous/minute-files.ts'
import { openEdgeDb } from '../db/edge-db.ts'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'
import { flatHalvesOfFile } from '../testing/flat-halves.ts'
import { packagedFootage } from '../testing/packaged-footage.ts'
import { knownTime } from '../time/testing/known-time.ts'
import { createRecorderClocks } from './recorder-clock.ts'
import { createRecordings, type Recordings } from './recordings.ts'
import type { RecordingsOptions } from './recordings-options.ts'

const footage = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-b-sub.mp4', import.meta.url))
const NOW = Date.UTC(2026, 0, 1, 12, 0, 0)
const ago = (seconds: number) => NOW - seconds * 1000
const MARGIN_MS = 500
const slots = createOwnSlots(createHostSlots(2))

let recorder: Program
let dir = ''
let stop: () => Promise<void>
let recordings: Recordings
let crowded = false
const causa = { motivo: 'equipamento_ocupado', complemento: 'respondeu 503 a DESCRIBE' } as const
let maxBytes = 1e9
let mascaras: CameraTask['mascaras'] = []

beforeAll(async () => {
  recorder = await startProgram({
    entry: 'apps/dvr-simulator/src/main.ts',
    args: ['--porta', '0', '--canal', footage],
    env: {
      VIGIA_SIM_USUARIO: 'vigia',
      VIGIA_SIM_SENHA: 'senha',
      // A recorder west of UTC whose `Z` is its wall clock.
      VIGIA_SIM_GRAVACAO: JSON.stringify({
        trechos: [{ inicio: ago(4 * 3600), fim: ago(60) }],
        fusoMin: -180,
        z: 'local',
      }),
    },
  })
})
afterAll(() => recorder.stop())

beforeEach(() => {
  dir = temporaryFolder('vigia-recordings-')
  crowded = false
  mascaras = []
  maxBytes = 1e9
})
afterEach(async () => {
  await stop()
  rmSync(dir, { recursive: true, force: true })
})

async function start(path: string, options: Partial<RecordingsOptions> = {}) {
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  const log = pino({ level: 'silent' })
  const store = createClipStore(opened.db, { now: () => NOW })
  const files = createClipFiles(join(dir, 'clipes'))
  const keeper = createClipKeeper({
    time: knownTime,
    store,
    files,
    log,
    eventOf: () => undefined,
    onChanged: () => {},
    notices: { kept() {}, missing() {}, removed() {} },
    quota: { maxBytes, reserveBytes: 0, freeBytes: () => null },
    now: () => NOW,
  })
  await keeper.start()
  const fontes = { rtsp_url: `rtsp://vigia:senha@127.0.0.1:${recorder.porta}${path}`, sub_rtsp_url: null }
  const task = (id: number) => ({
    id,
    fontes,
    analises: [],
    zonas: {},
    linha: null,
    mascaras,
    fusoHorario: 'America/Sao_Paulo',
  })
  recordings = createRecordings({
    slots,
    files,
    keeper,
    log,
    isOnline: () => true,
    isCrowded: () => crowded,
    busyCause: () => (crowded ? causa : undefined),
    now: () => NOW,
    retryMs: 50,
    marginMs: MARGIN_MS,
    held: createMinuteFiles(join(dir, 'continua')),
    clocks: createRecorderClocks({ slots, allowed: parseAllowedCidrs(''), now: () => NOW, ports: [] }),
    task: (id) => (id === 7 ? (task(id) as unknown as CameraTask) : null),
    ...options,
  })
  stop = async () => {
    await recordings.stop()
    await keeper.stop()
    opened.db.close()
  }
  return { store, files, keeper }
}

const context = { signal: new AbortController().signal, prazoMs: 5_000, id: randomUUID() }

async function ask(pedido: string, [from, to]: readonly [number, number], validade_ms = 60_000) {
  const order = { acao: 'buscar_gravacao', pedido, camera_id: 7, inicio: ago(from), fim: ago(to), validade_ms } as const
  const answer = await recordings.handlers.buscar_gravacao(order, context)
  if (!answer.ok) throw new Error(answer.falha)
  return answer.resultado
}

async function settle(pedido: string, span: readonly [number, number]): Promise<BuscaGravacao> {
  let state = await ask(pedido, span)
  await waitFor('the fetch to end', async () => {
    state = await ask(pedido, span)
    return state.estado === 'pronta' || state.estado === 'falhou'
  })
  return state
}

it('stores what the recorder plays, and reads its clock from it', async () => {
  const { store, files } = await start('/Streaming/Channels/101')
  const pedido = randomUUID()
  const state = await settle(pedido, [71, 70])
  if (state.estado !== 'pronta') throw new Error(JSON.stringify(state))
  const { arquivo } = state
  const video = await readAccessUnits(files.pathOf(pedido))
  expect(video.units.length).toBeGreaterThanOrEqual(20)
  expect(arquivo).toMatchObject({ codec: 'h264', completa: true, largura: video.width, altura: video.height })
  expect(arquivo.relogio).toMatchObject({ fuso_min: -180, z_local: true, medido: false })
  // From the last keyframe before the margin.
  const earlier = ago(71) - MARGIN_MS - arquivo.inicio
  expect(earlier).toBeGreaterThanOrEqual(0)
  expect(earlier).toBeLessThanOrEqual(2_000)
  const data = readFileSync(files.pathOf(pedido))
  expect(arquivo).toMatchObject({ tamanho: data.length, sha256: createHash('sha256').update(data).digest('hex') })
  expect(store.find(pedido)).toMatchObject({ cameraId: 7, bytes: data.length })
})

it('fails with a reason, and leaves no file', async () => {
  await start('/cam/realmonitor?channel=1&subtype=0')
  expect(await settle(randomUUID(), [30, 20])).toEqual({ estado: 'falhou', falha: 'sem_gravacao' })
  await stop()
  maxBytes = 1000
  await start('/cam/realmonitor?channel=1&subtype=0')
  expect(await settle(randomUUID(), [61, 60])).toEqual({ estado: 'falhou', falha: 'disco_cheio' })
  await stop()
  await start('/stream1')
  expect(await settle(randomUUID(), [61, 60])).toEqual({ estado: 'falhou', falha: 'sem_arquivo' })
  await waitFor('the unfinished file to go', () => readdirSync(join(dir, 'clipes')).length === 0)
})

it('ends after three refused logins, although the stream of the camera works', async () => {
  const rtsp_url = `rtsp://vigia:errada@127.0.0.1:${recorder.porta}/cam/realmonitor?channel=1&subtype=0`
  const task = { id: 7, fontes: { rtsp_url, sub_rtsp_url: null }, mascaras: [], fusoHorario: 'America/Sao_Paulo' }
  await start('', { task: () => task as unknown as CameraTask })
  const counts = () => recorder.output().match(/"recusas":(\d+)/g) ?? []
  process.kill(recorder.pid, 'SIGUSR2')
  await waitFor('the counts', () => counts().length === 1)
  expect(await settle(randomUUID(), [71, 70])).toEqual({ estado: 'falhou', falha: 'senha_recusada' })
  process.kill(recorder.pid, 'SIGUSR2')
  await waitFor('the counts', () => counts().length === 2)
  const [before = 0, after = 0] = counts().map((text) => Number(text.split(':')[1]))
  expect(after - before).toBe(3)
})

it('ends at a recorder that always answers 503, and says meanwhile what it answers', async () => {
  const busy = await startRecorder({
    defeitos: { 1: 'vazio_503' },
    gravacao: { trechos: [{ inicio: ago(4 * 3600), fim: ago(60) }] },
  })
  onTestFinished(() => busy.close())
  const task = { id: 7, fontes: { rtsp_url: busy.url(1), sub_rtsp_url: null }, mascaras: [], fusoHorario: 'UTC' }
  await start('', { task: () => task as unknown as CameraTask })
  const pedido = randomUUID()
  const seen = async () => {
    const state = await ask(pedido, [71, 70])
    return state.estado === 'na_fila' ? state.causa : undefined
  }
  await expect.poll(seen).toEqual(causa)
  expect(await settle(pedido, [71, 70])).toEqual({ estado: 'falhou', falha: 'inalcancavel', causa })
  expect((await busy.counts()).describes).toBeGreaterThanOrEqual(40)
})

it('ends while the stream of the camera has the same answer, without a session of its own', async () => {
  await start('/cam/realmonitor?channel=1&subtype=0')
  crowded = true
  const pedido = randomUUID()
  const seen = async () => {
    const state = await ask(pedido, [71, 70])
    return state.estado === 'na_fila' ? state.causa : undefined
  }
  await expect.poll(seen).toEqual(causa)
  expect(await settle(pedido, [71, 70])).toEqual({ estado: 'falhou', falha: 'inalcancavel', causa })
})

it('takes from its own recordings what the recorder does not have', async () => {
  const { files } = await start('/stream1', {
    held: await (async () => {
      const held = createMinuteFiles(join(dir, 'continua'))
      const freeSpace = async () => true
      const writer = createCameraWriter({ cameraId: 7, files: held, freeSpace, onWritten() {}, onFailure() {} })
      for (const registro of await packagedFootage(footage, ago(300))) writer.add(registro)
      await writer.end()
      return held
    })(),
  })
  const pedido = randomUUID()
  const state = await settle(pedido, [298, 297])
  if (state.estado !== 'pronta') throw new Error(JSON.stringify(state))
  expect(state.arquivo).toMatchObject({ fonte: 'caixa', completa: true, relogio: { desvio_ms: 0, medido: true } })
  expect(ago(298) - MARGIN_MS - state.arquivo.inicio).toBeLessThanOrEqual(2_000)
  expect((await readAccessUnits(files.pathOf(pedido))).units.length).toBeGreaterThanOrEqual(20)
  expect(await settle(randomUUID(), [30, 20])).toEqual({ estado: 'falhou', falha: 'sem_arquivo' })
})

it('marks a part of its own recordings whose time is unknown, and ends it where another time begins', async () => {
  const held = createMinuteFiles(join(dir, 'continua'))
  for (const seconds of [300, 200]) {
    const freeSpace = async () => true
    const writer = createCameraWriter({ cameraId: 7, files: held, freeSpace, onWritten() {}, onFailure() {} })
    for (const registro of await packagedFootage(footage, ago(seconds))) writer.add(registro)
    await writer.end()
  }
  const listed = held.list(7)
  const [first] = listed
  const unsure = listed.map((file) => ({
    ...file,
    uncertainMs: file === first ? 7_000 : null,
  }))
  await start('/stream1', { held: { ...held, list: () => unsure, read: (file) => held.read(file) } })
  const fetched = async (span: readonly [number, number]) => {
    const state = await settle(randomUUID(), span)
    if (state.estado !== 'pronta') throw new Error(JSON.stringify(state))
    return state.arquivo
  }
  expect(await fetched([298, 297])).toMatchObject({ fonte: 'caixa', incerta_ms: 7_000 })
  expect(await fetched([198, 197])).not.toHaveProperty('incerta_ms')
  expect(await fetched([298, 197])).toMatchObject({ incerta_ms: 7_000, completa: false })
})

it('waits while a stream has no connection, and ends without repetitions', async () => {
  const { files } = await start('/cam/realmonitor?channel=1&subtype=0')
  crowded = true
  const pedido = randomUUID()
  expect(await ask(pedido, [200, 100])).toEqual({ estado: 'na_fila' })
  crowded = false
  await waitFor('the playback', async () => (await ask(pedido, [200, 100])).estado === 'recebendo')
  recordings.giveWay(7)
  await waitFor('the pause', async () => (await ask(pedido, [200, 100])).estado === 'na_fila')
  await waitFor('the playback', async () => (await ask(pedido, [200, 100])).estado === 'recebendo')
  await ask(pedido, [200, 100], 1_000)
  await waitFor(
    'the end of the lease',
    async () => existsSync(files.pathOf(pedido)) || readdirSync(join(dir, 'clipes')).length === 0,
  )
  expect(existsSync(files.pathOf(pedido))).toBe(false)
})

it('keeps only a covered copy of a camera with masks, with the masks at the end of the fetch', async () => {
  mascaras = [[0.5, 0, 1, 0, 1, 1, 0.5, 1]]
  const { files } = await start('/cam/realmonitor?channel=1&subtype=0')
  const pedido = randomUUID()
  const state = await settle(pedido, [72, 70])
  if (state.estado !== 'pronta') throw new Error(JSON.stringify(state))
  const path = files.pathOf(pedido)
  const data = readFileSync(path)
  const sha256 = createHash('sha256').update(data).digest('hex')
  expect(state.arquivo).toMatchObject({ codec: 'h264', tamanho: data.length, sha256, completa: true })
  expect(state.arquivo.largura).toBeLessThanOrEqual(640)
  expect(state.arquivo.duracao_ms).toBeGreaterThan(2_000)
  expect(new Set((await flatHalvesOfFile(path)).map(String))).toEqual(new Set(['false,true']))
  expect(readdirSync(join(dir, 'clipes'))).toEqual([`${pedido}.mp4`])

  // Another mask while the playback runs: the copy has both.
  const later = randomUUID()
  await waitFor('the playback', async () => (await ask(later, [76, 70])).estado === 'recebendo')
  mascaras = [[0, 0, 1, 0, 1, 1, 0, 1]]
  expect((await settle(later, [76, 70])).estado).toBe('pronta')
  expect(new Set((await flatHalvesOfFile(files.pathOf(later))).map(String))).toEqual(new Set(['true,true']))
})
