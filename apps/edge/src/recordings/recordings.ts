import { setTimeout as delay } from 'node:timers/promises'
import type { CameraTask } from '@vigia/analysis/model'
import { type BuscaGravacao, type FalhaGravacao, GRAVACAO_MARGEM_MS, MAX_GRAVACAO_MS } from '@vigia/contracts/gravacoes'
import type { Comando } from '@vigia/contracts/pedidos'
import type { Span } from '@vigia/rtsp/playback-urls'
import type { Logger } from 'pino'
import { type ConnectionPermits, hostOf } from '../capture/connection-permits.ts'
import type { ClipFiles } from '../clips/clip-files.ts'
import type { ClipKeeper } from '../clips/clip-keeper.ts'
import type { Handlers } from '../pedidos/handle-command.ts'
import { createHostPermits, createOwnPermits } from '../supervisor/host-permits.ts'
import { coverRecording } from './cover/cover-recording.ts'
import { fetchHeld, type HeldOptions } from './fetch-held.ts'
import { type Fetched, fetchRecording } from './fetch-recording.ts'
import { type RecorderClocks, recorderClock } from './recorder-clock.ts'

export interface Recordings {
  readonly handlers: Pick<Handlers, 'buscar_gravacao'>
  /** Ends a fetch, if it runs. Its file, if it has one, stays. */
  cancel(pedido: string): void
  /** A stream of this camera found no free connection: playback from its recorder pauses. */
  giveWay(cameraId: number): void
  stop(): Promise<void>
}

export interface RecordingsOptions {
  readonly clocks: RecorderClocks
  readonly permits: ConnectionPermits
  readonly files: Pick<ClipFiles, 'prepare' | 'removeUnfinished'>
  readonly keeper: Pick<ClipKeeper, 'adopt' | 'discard' | 'hasSpace'>
  /** Recordings of the edge itself, for what a recorder does not have. */
  readonly held: HeldOptions['files']
  readonly log: Logger
  /** null: unknown, or not active. */
  task(cameraId: number): CameraTask | null
  /** Whether the analysed stream of the camera works. */
  isOnline(cameraId: number): boolean
  /** Whether a stream of this recorder waits for a connection. */
  isCrowded(host: string): boolean
  /** Edge clock, in epoch ms. */
  now(): number
  readonly retryMs?: number
  /** Fetched before and behind the requested part. */
  readonly marginMs?: number
}

type Order = Extract<Comando, { acao: 'buscar_gravacao' }>
interface Job {
  readonly cameraId: number
  readonly ending: AbortController
  lease: NodeJS.Timeout
  state: BuscaGravacao
  /** Ends the playback session; the next attempt begins after the pause. */
  interrupt(): void
  readonly done: Promise<void>
}

/** Most recorders allow one playback session, or a few. */
const SESSIONS_PER_RECORDER = 1
/** Pause after a recorder had no free session or connection. */
const RETRY_MS = 15_000
const CROWD_CHECK_MS = 1_000
/** The edge's own recordings have its own clock. */
const OWN_CLOCK = { desvio_ms: 0, fuso_min: 0, z_local: false, medido: true }
/** Some recorders refuse the first DESCRIBE of a recording and accept the second one (AlexxIT/WebRTC #620). */
const ATTEMPTS_TO_FIND = 2

/**
 * Fetches parts of recorders' archives to the disk, one of each recorder at a time. Detection and live streams come
 * first: while one of them has no connection, no playback runs.
 */
export function createRecordings(options: RecordingsOptions): Recordings {
  const { clocks, permits, files, keeper, held, log, isOnline, isCrowded, now, retryMs = RETRY_MS } = options
  const { marginMs = GRAVACAO_MARGEM_MS } = options
  const sessions = createOwnPermits(createHostPermits(SESSIONS_PER_RECORDER))
  const jobs = new Map<string, Job>()

  /** One playback session, and the covered file of it. null: it gave way to a stream. */
  async function attempt(order: Order, task: CameraTask, job: Job): Promise<Fetched | null> {
    const host = hostOf(task.fontes.rtsp_url)
    const interrupted = new AbortController()
    job.interrupt = () => interrupted.abort()
    const signal = AbortSignal.any([job.ending.signal, interrupted.signal])
    const watch = setInterval(() => isCrowded(host) && interrupted.abort(), CROWD_CHECK_MS)
    const played = await play(order, task, job, signal).finally(() => clearInterval(watch))
    if (!played || signal.aborted) return null
    const fetched = played.fetched.ok ? await cover(played.fetched, order, task, job) : played.fetched
    if (fetched.ok) job.state = await keep(order, fetched.file, played.relogio, 'gravador')
    return fetched
  }

  async function play(order: Order, { fontes, fusoHorario }: CameraTask, job: Job, signal: AbortSignal) {
    const relogio = await clocks.measure(fontes.rtsp_url, fusoHorario, signal)
    const permit = await permits.acquire({ host: hostOf(fontes.rtsp_url), use: 'archive', signal })
    if (!permit) return null
    permit.revoked.addEventListener('abort', job.interrupt, { once: true })
    const fetched = await fetchRecording({
      ...{ liveUrl: fontes.rtsp_url, clock: recorderClock(relogio), signal },
      span: spanOf(order, { marginMs, now: now() }),
      path: await files.prepare(order.pedido),
      onProgress(progresso, bytes) {
        permit.opened()
        job.state = { estado: 'recebendo', progresso }
        return keeper.hasSpace(bytes)
      },
    }).finally(permit.release)
    return { fetched, relogio }
  }

  /** Only a covered copy of a camera with masks may leave the edge: with the masks at the end of the fetch. */
  async function cover(
    fetched: Extract<Fetched, { ok: true }>,
    order: Order,
    task: CameraTask,
    job: Job,
  ): Promise<Fetched> {
    const { signal } = job.ending
    const path = await files.prepare(order.pedido)
    const masksNow = () => (options.task(order.camera_id) ?? task).mascaras ?? []
    for (let done: Extract<Fetched, { ok: true }> = fetched; ; ) {
      const mascaras = masksNow()
      if (mascaras.length === 0) return done
      const covered = await coverRecording(done, { path, mascaras, signal, log })
      if (!covered.ok || JSON.stringify(mascaras) === JSON.stringify(masksNow())) return covered
      done = covered
    }
  }

  /** Takes the part from the edge's own recordings. false: they do not have it. */
  async function takeHeld(order: Order, task: CameraTask, job: Job): Promise<boolean> {
    const fetched = await fetchHeld({
      ...{ files: held, cameraId: order.camera_id, signal: job.ending.signal },
      span: spanOf(order, { marginMs, now: now() }),
      path: await files.prepare(order.pedido),
      onProgress: (_progresso, bytes) => keeper.hasSpace(bytes),
    })
    const covered = fetched.ok ? await cover(fetched, order, task, job) : fetched
    if (covered.ok) job.state = await keep(order, covered.file, OWN_CLOCK, 'caixa')
    return covered.ok
  }

  async function keep(
    { pedido, camera_id }: Order,
    { startedAt, durationMs, bytes, width, height, complete, ...rest }: Extract<Fetched, { ok: true }>['file'],
    relogio: Awaited<ReturnType<RecorderClocks['measure']>>,
    fonte: 'gravador' | 'caixa',
  ): Promise<BuscaGravacao> {
    const clip = { id: pedido, cameraId: camera_id, startedAt, bytes, sha256: rest.sha256 }
    const failure = await keeper.adopt(clip)
    if (failure !== null) return { estado: 'falhou', falha: failure }
    const size = { largura: width, altura: height, tamanho: bytes, duracao_ms: durationMs }
    return { estado: 'pronta', arquivo: { ...rest, ...size, inicio: startedAt, completa: complete, relogio, fonte } }
  }

  async function run(order: Order, task: CameraTask, job: Job): Promise<void> {
    const { signal } = job.ending
    const host = hostOf(task.fontes.rtsp_url)
    const session = await sessions.acquire({ host, use: 'archive', signal })
    try {
      let notFound = 0
      while (!signal.aborted) {
        job.state = { estado: 'na_fila' }
        const fetched = isCrowded(host) ? null : await attempt(order, task, job)
        if (fetched?.ok) return
        if (fetched?.falha === 'sem_gravacao' && ++notFound < ATTEMPTS_TO_FIND) continue
        const falha = fetched && finalFailure(fetched.falha, isOnline(order.camera_id))
        if (falha) {
          if (!(await takeHeld(order, task, job))) fail(job, falha)
          return
        }
        // Rejects only when `signal` aborts.
        await delay(retryMs, undefined, { signal }).catch(() => {})
      }
    } catch (err) {
      log.error({ camera: order.camera_id, err }, 'recording not fetched')
      fail(job, 'interno')
    } finally {
      session?.release()
      await files.removeUnfinished(order.pedido)
    }
  }

  function begin(order: Order, task: CameraTask): Job {
    const { pedido, camera_id: cameraId, validade_ms } = order
    const done = Promise.withResolvers<void>()
    const job: Job = {
      ...{ cameraId, ending: new AbortController(), state: { estado: 'na_fila' }, interrupt: () => {} },
      lease: setTimeout(() => cancel(pedido), validade_ms),
      done: done.promise,
    }
    jobs.set(pedido, job)
    // A file of an earlier fetch, whose description was lost with the process.
    keeper.discard(pedido)
    log.info({ camera: cameraId, pedido }, 'fetching a recording')
    run(order, task, job)
      .catch((err: unknown) => log.error({ err, pedido }, 'unfinished recording not removed'))
      .then(() => log.info({ pedido, estado: job.state.estado }, 'fetch of a recording ended'))
      .then(done.resolve, done.resolve)
    return job
  }

  function cancel(pedido: string): void {
    const job = jobs.get(pedido)
    if (!job) return
    jobs.delete(pedido)
    clearTimeout(job.lease)
    job.ending.abort()
  }

  return {
    handlers: {
      async buscar_gravacao(order) {
        const { pedido, camera_id, inicio, fim, validade_ms } = order
        const task = options.task(camera_id)
        if (!task) return { ok: false, falha: 'camera_desconhecida' }
        if (fim <= inicio || fim - inicio > MAX_GRAVACAO_MS) return { ok: false, falha: 'interno' }
        const job = jobs.get(pedido) ?? begin(order, task)
        clearTimeout(job.lease)
        job.lease = setTimeout(() => cancel(pedido), validade_ms)
        return { ok: true, resultado: job.state }
      },
    },
    cancel,
    giveWay(cameraId) {
      const host = hostOf(options.task(cameraId)?.fontes.rtsp_url ?? '')
      for (const job of jobs.values())
        if (hostOf(options.task(job.cameraId)?.fontes.rtsp_url ?? '') === host) job.interrupt()
    },
    async stop() {
      const running = [...jobs.values()].map(({ done }) => done)
      for (const pedido of [...jobs.keys()]) cancel(pedido)
      await Promise.all(running)
    },
  }
}

function fail(job: Job, falha: FalhaGravacao): void {
  job.state = { estado: 'falhou', falha }
}

/** null: a later attempt may succeed. Dahua refuses the password of surplus clients. */
function finalFailure(falha: Exclude<Fetched, { ok: true }>['falha'], isOnline: boolean): FalhaGravacao | null {
  if (falha === 'ocupado') return null
  if (falha === 'recusada') return isOnline ? null : 'senha_recusada'
  return falha
}

/** With its margins, but not beyond now: the recorder has nothing there. */
const spanOf = ({ inicio, fim }: Order, { marginMs, now }: { marginMs: number; now: number }): Span => ({
  fromMs: inicio - marginMs,
  toMs: Math.max(inicio, Math.min(fim + marginMs, now)),
})
