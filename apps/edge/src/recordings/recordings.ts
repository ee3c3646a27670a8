import { setTimeout as delay } from 'node:timers/promises'
import type { CameraTask } from '@vigia/analysis/model'
import type { Causa } from '@vigia/contracts/causa'
import { type FalhaGravacao, MAX_GRAVACAO_MS } from '@vigia/contracts/gravacoes'
import { hostOf } from '../capture/connection-slots.ts'
import type { Handlers } from '../pedidos/handle-command.ts'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'
import type { Fetched } from './fetch-recording.ts'
import { createRecordingFetch, type Job, type Order } from './recording-fetch.ts'
import type { RecordingsOptions } from './recordings-options.ts'

export interface Recordings {
  readonly handlers: Pick<Handlers, 'buscar_gravacao'>
  /** Ends a fetch, if it runs. Its file, if it has one, stays. */
  cancel(pedido: string): void
  /** A stream of this camera found no free connection: playback from its recorder pauses. */
  giveWay(cameraId: number): void
  stop(): Promise<void>
}

/** Most recorders allow one playback session, or a few. */
const SESSIONS_PER_RECORDER = 1
/** Pause after a recorder had no free session or connection. */
const RETRY_MS = 15_000
/** A recorder without a free session may refuse the login, but it locks an address out after five refused ones. */
const REFUSED_LOGINS = 3
/** Attempts at a recorder that answers that it is busy, in ten minutes. */
const BUSY_ATTEMPTS = 40
/** Some recorders refuse the first DESCRIBE of a recording and accept the second one (AlexxIT/WebRTC #620). */
const ATTEMPTS_TO_FIND = 2

/**
 * Fetches parts of recorders' archives to the disk, one of each recorder at a time. Detection and live streams come
 * first: while one of them has no connection, no playback runs.
 */
export function createRecordings(options: RecordingsOptions): Recordings {
  const { files, keeper, log, isOnline, isCrowded, retryMs = RETRY_MS } = options
  const fetch = createRecordingFetch(options)
  const sessions = createOwnSlots(createHostSlots(SESSIONS_PER_RECORDER))
  const jobs = new Map<string, Job>()

  async function run(order: Order, task: CameraTask, job: Job): Promise<void> {
    const { signal } = job.ending
    const host = hostOf(task.fontes.rtsp_url)
    const session = await sessions.acquire({ host, use: 'archive', signal })
    try {
      let notFound = 0
      let refused = 0
      let busy = 0
      let causa: Causa | undefined
      while (!signal.aborted) {
        job.state = { estado: 'na_fila', ...(causa && { causa }) }
        const crowd = isCrowded(host) ? options.busyCause(host) : undefined
        const fetched = isCrowded(host) ? null : await fetch.fromRecorder(order, task, job)
        if (fetched?.ok) return
        if (fetched?.falha === 'sem_gravacao' && ++notFound < ATTEMPTS_TO_FIND) continue
        causa = crowd ?? fetched?.causa ?? causa
        if (fetched?.falha === 'recusada') refused++
        if (crowd !== undefined || fetched?.falha === 'ocupado') busy++
        const mayRepeat = isOnline(order.camera_id) && refused < REFUSED_LOGINS
        const falha = finalFailure(fetched?.falha ?? 'ocupado', mayRepeat, busy < BUSY_ATTEMPTS)
        if (falha) {
          if (!(await fetch.fromDisk(order, task, job))) fail(job, falha, fetched ? fetched.causa : causa)
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
      cameraId,
      ending: new AbortController(),
      state: { estado: 'na_fila' },
      interrupt: () => {},
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

function fail(job: Job, falha: FalhaGravacao, causa?: Causa): void {
  job.state = { estado: 'falhou', falha, ...(causa && { causa }) }
}

/** null: a later attempt may succeed. Dahua refuses the password of surplus clients. */
function finalFailure(
  falha: Exclude<Fetched, { ok: true }>['falha'],
  mayRepeat: boolean,
  mayWait: boolean,
): FalhaGravacao | null {
  if (falha === 'ocupado') return mayWait ? null : 'inalcancavel'
  if (falha === 'recusada') return mayRepeat ? null : 'senha_recusada'
  return falha
}
