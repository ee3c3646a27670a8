import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { task } from '@vigia/analysis/testing/tasks'
import type { Comando } from '@vigia/contracts/pedidos'
import { decodeAnswer } from '@vigia/link/answer'
import { createResponder } from '@vigia/link/responder'
import { createSealKeyPair, seal } from '@vigia/link/sealed'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { createPtzClient } from '@vigia/rtsp/onvif-ptz'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProbeSlots } from '../capture/connection-slots.ts'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { createDiagnosticsHandler } from '../status/diagnostics.ts'
import { createMachine, type Machine } from '../status/machine.ts'
import { createRecentWarnings } from '../status/recent-warnings.ts'
import { createStillTaker, type StillTaker } from '../stills/still-taker.ts'
import { createLiveStreams, type LiveStreams } from '../streams/live-streams.ts'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'
import { createSupervisor, type Supervisor } from '../supervisor/supervisor.ts'
import { createTestedCameras } from '../supervisor/tested-cameras.ts'
import { unread } from '../supervisor/testing/idle.ts'
import { createProvaHandler } from './arm-prova.ts'
import { createCanalPictureHandler } from './capture-canal.ts'
import { createPictureHandler } from './capture-picture.ts'
import { createClipHandlers } from './clip-handlers.ts'
import { createCommandStore } from './command-store.ts'
import { createCommandHandler } from './handle-command.ts'
import { createLive, type LiveSessions } from './live.ts'
import { createMiniaturas } from './miniaturas.ts'
import { createProbeHandlers } from './probe-recorder.ts'
import { createPtzHandlers } from './ptz.ts'
import { createRestartHandler } from './restart-camera.ts'
import { createScanHandlers } from './scan-network.ts'

/**
 * Tests every command from the sealed message to the answer. A real capture process reads a recorder with two cameras,
 * the second without any frame.
 */
const log = pino({ level: 'silent' })
let dir: string
let db: EdgeDb
let keys: Awaited<ReturnType<typeof createSealKeyPair>>
let recorder: RecorderProcess
let supervisor: Supervisor
let live: LiveSessions
let streams: LiveStreams
let machine: Machine
let stills: StillTaker
let responder: ReturnType<typeof createResponder>
const answers = new Map<string, ReturnType<typeof decodeAnswer>>()

beforeAll(async () => {
  dir = temporaryFolder('vigia-pedidos-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  keys = await createSealKeyPair()
  recorder = await startRecorder({ defeitos: { 2: 'mudo' } })
  const slots = createHostSlots(2)
  supervisor = createSupervisor({
    log,
    slots,
    ...unread,
  })
  const isKnown = (id: number) => id === 1 || id === 2
  machine = createMachine(dir)
  live = createLive({ isKnown, picture: supervisor.picture, publish: () => true })
  const { stream } = supervisor
  streams = createLiveStreams({
    cloudUrl: 'http://127.0.0.1:9',
    isKnown,
    stream,
    uplinkMbits: null,
    isLineFree: () => true,
    onNoConnection: () => {},
    log,
  })
  stills = createStillTaker({ log })
  const probing = {
    allowed: parseAllowedCidrs('127.0.0.0/8'),
    slots: createProbeSlots(createOwnSlots(createHostSlots(2))),
  }
  const handlers = {
    ...streams.handlers,
    ...createClipHandlers({
      uploader: { order: () => false },
      keeper: { discard: () => {} },
      recordings: { cancel: () => {} },
    }),
    buscar_gravacao: async () => ({ ok: false, falha: 'camera_desconhecida' }) as const,
    listar_gravacao: async () => ({ ok: false, falha: 'camera_desconhecida' }) as const,
    diagnosticar_gravador: async () => ({ ok: false, falha: 'camera_desconhecida' }) as const,
    pedir_quadro_chave: async () => ({ ok: false, falha: 'camera_desconhecida' }) as const,
    ...createProbeHandlers(probing),
    ...createPtzHandlers({ ...probing, ptz: createPtzClient(), isKnown, away: { has: () => false, set: () => {} } }),
    ...createScanHandlers({ ...probing, enabled: false }),
    ...createCanalPictureHandler({ ...probing, stills }),
    ...live.handlers,
    ...createMiniaturas({ isKnown, picture: supervisor.picture, publish: () => true, waiting: () => 0 }).handlers,
    capturar_quadro: createPictureHandler({ isKnown, picture: supervisor.picture }),
    reiniciar_camera: createRestartHandler(supervisor),
    armar_prova: createProvaHandler({ isKnown, tested: createTestedCameras(() => undefined) }),
    diagnosticar: createDiagnosticsHandler({
      version: '1.2.3',
      // The handlers access the disk through this object, so that a test can block it.
      machine: { ...machine, disk: () => machine.disk() },
      offsetMs: () => -3,
      queue: () => ({ registros: 0, bytes: 0, por_camera: [] }),
      link: () => ({ connected: true, connections: 2, lastLoss: 'x'.repeat(500) }),
      processes: supervisor.processes,
      cameras: () => [],
      warnings: createRecentWarnings().list,
    }),
  }
  responder = createResponder({
    send: async (bytes) => {
      const answer = decodeAnswer(bytes)
      if (answer.ok) answers.set(answer.resposta.id, answer)
    },
    log,
    now: () => performance.now(),
  })
  responder.handle(createCommandHandler({ key: keys.privateJwk, commands: createCommandStore(db, log), handlers, log }))
  supervisor.apply([task(1, recorder.url(1)), task(2, recorder.url(2))])
  await waitFor('the camera', () => supervisor.status(1)?.stream.online, { everyMs: 20 })
})
afterAll(async () => {
  responder.stop()
  live.stop()
  streams.stop()
  stills.stop()
  await supervisor.stop()
  await recorder.close()
  db.close()
  await rm(dir, { recursive: true })
})

const arrive = (message: object) => responder.receive(Buffer.from(JSON.stringify({ v: 1, ...message })))
async function ask(comando: Comando, prazo_ms = 20_000) {
  const id = randomUUID()
  const sealed = await seal(keys.publicJwk, { id, pedido_em: Date.now(), comando })
  arrive({ tipo: 'comando', id, prazo_ms, comando: sealed })
  return {
    id,
    answer: async () => {
      const answer = await waitFor('the answer', () => answers.get(id), { everyMs: 5 })
      return answer.ok ? answer.resposta : null
    },
  }
}
const answerTo = async (comando: Comando, prazo_ms?: number) => (await ask(comando, prazo_ms)).answer()
const failed = (falha: string) => ({ ok: false, falha })

describe('reiniciar_camera', () => {
  it('reconnects one camera and changes neither the process nor the other camera', async () => {
    const before = supervisor.pidOf(1)
    const { describes } = await recorder.counts()
    expect(await answerTo({ acao: 'reiniciar_camera', camera_id: 1 })).toMatchObject({ ok: true, resultado: {} })
    await waitFor('the recorder to be asked again', async () => (await recorder.counts()).describes > describes)
    await waitFor('the camera', () => supervisor.status(1)?.stream.failure === null, { everyMs: 20 })
    expect(supervisor.pidOf(1)).toBe(before)
    expect(supervisor.processes()).toEqual([{ pid: before, cameras: [1, 2], falhas: 0 }])
    expect(await answerTo({ acao: 'reiniciar_camera', camera_id: 7 })).toMatchObject(failed('camera_desconhecida'))
  })
})

describe('diagnosticar', () => {
  it('reports the state of the edge', async () => {
    const answer = await answerTo({ acao: 'diagnosticar' })
    expect(answer).toMatchObject({
      ok: true,
      resultado: {
        diagnostico: {
          versao: '1.2.3',
          disco: { total: expect.any(Number) },
          memoria: { livre: expect.any(Number) },
          relogio: { desvio_ms: -3 },
          ligacao: { conectado: true, conexoes: 2, ultima_queda: 'x'.repeat(200) },
          processos: [{ pid: supervisor.pidOf(1), cameras: [1, 2], falhas: 0 }],
        },
      },
    })
    expect(JSON.stringify(answer)).not.toContain(recorder.senha)
  })
})

const commands: readonly Comando[] = [
  { acao: 'diagnosticar' },
  { acao: 'capturar_quadro', camera_id: 2 },
  { acao: 'capturar_quadro', camera_id: 2, lado_maximo: 640 },
  {
    acao: 'sondar_canais',
    modelo: 'rtsp://{user}:{pass}@{host}:{port}/cam/realmonitor?channel={channel}&subtype=0',
    host: '127.0.0.1',
    porta: 1,
    usuario: 'u',
    senha: 's',
    canais: [2],
  },
]

describe.each(commands)('%o that takes too long', (command) => {
  const hanging = (): Comando => (command.acao === 'sondar_canais' ? { ...command, porta: recorder.porta } : command)

  it('ends at its deadline', async () => {
    machine.disk = () => new Promise(() => {})
    const answer = await answerTo(hanging(), 400)
    // A probe and a picture report an empty result before the caller's deadline.
    expect(answer).toMatchObject({
      ok: false,
      falha: expect.stringMatching(/^(prazo_esgotado|sem_quadro|inalcancavel)$/),
    })
  })

  it('ends when the caller aborts', async () => {
    machine.disk = () => new Promise(() => {})
    const { id, answer } = await ask(hanging())
    arrive({ tipo: 'cancelamento', id })
    expect(await answer()).toMatchObject({ ok: false, falha: expect.stringMatching(/^(cancelado|sem_quadro)$/) })
  })
})
