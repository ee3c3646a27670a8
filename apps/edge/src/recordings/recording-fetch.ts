import type { CameraTask } from '@vigia/analysis/model'
import { type BuscaGravacao, GRAVACAO_MARGEM_MS } from '@vigia/contracts/gravacoes'
import type { Comando } from '@vigia/contracts/pedidos'
import type { Span } from '@vigia/rtsp/playback-urls'
import { hostOf } from '../capture/connection-slots.ts'
import { coverRecording } from './cover/cover-recording.ts'
import { fetchHeld } from './fetch-held.ts'
import { type Fetched, fetchRecording } from './fetch-recording.ts'
import { type RecorderClocks, recorderClock } from './recorder-clock.ts'
import type { RecordingsOptions } from './recordings-options.ts'

export type Order = Extract<Comando, { acao: 'buscar_gravacao' }>

/** The fetch of one part, which may need several attempts. */
export interface Job {
  readonly cameraId: number
  readonly ending: AbortController
  lease: NodeJS.Timeout
  state: BuscaGravacao
  /** Ends the playback session; the next attempt begins after the pause. */
  interrupt(): void
  readonly done: Promise<void>
}

/** One attempt to bring a part of an archive to the disk. */
export interface RecordingFetch {
  /** One playback session, and the covered file of it. null: it gave way to a stream. */
  fromRecorder(order: Order, task: CameraTask, job: Job): Promise<Fetched | null>
  /** Takes the part from the edge's own recordings. false: they do not have it. */
  fromDisk(order: Order, task: CameraTask, job: Job): Promise<boolean>
}

const CROWD_CHECK_MS = 1_000
/** The edge's own recordings have its own clock. */
const OWN_CLOCK = { desvio_ms: 0, fuso_min: 0, z_local: false, medido: true }

export function createRecordingFetch(options: RecordingsOptions): RecordingFetch {
  const { clocks, slots, files, keeper, held, log, isCrowded, now, marginMs = GRAVACAO_MARGEM_MS } = options

  async function play(order: Order, { fontes, fusoHorario }: CameraTask, job: Job, signal: AbortSignal) {
    const relogio = await clocks.measure(fontes.rtsp_url, fusoHorario, signal)
    const slot = await slots.acquire({ host: hostOf(fontes.rtsp_url), use: 'archive', signal })
    if (!slot) return null
    slot.revoked.addEventListener('abort', job.interrupt, { once: true })
    const fetched = await fetchRecording({
      liveUrl: fontes.rtsp_url,
      clock: recorderClock(relogio),
      signal,
      span: spanOf(order, { marginMs, now: now() }),
      path: await files.prepare(order.pedido),
      onProgress(progresso, bytes) {
        slot.opened()
        job.state = { estado: 'recebendo', progresso }
        return keeper.hasSpace(bytes)
      },
    }).finally(slot.release)
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

  async function keep(
    { pedido, camera_id }: Order,
    {
      startedAt,
      durationMs,
      bytes,
      width,
      height,
      complete,
      uncertainMs,
      ...rest
    }: Extract<Fetched, { ok: true }>['file'],
    relogio: Awaited<ReturnType<RecorderClocks['measure']>>,
    fonte: 'gravador' | 'caixa',
  ): Promise<BuscaGravacao> {
    const clip = { id: pedido, cameraId: camera_id, startedAt, bytes, sha256: rest.sha256 }
    const failure = await keeper.adopt(clip)
    if (failure !== null) return { estado: 'falhou', falha: failure }
    const size = { largura: width, altura: height, tamanho: bytes, duracao_ms: durationMs }
    const time = { inicio: startedAt, ...(uncertainMs !== undefined && { incerta_ms: Math.round(uncertainMs) }) }
    return { estado: 'pronta', arquivo: { ...rest, ...size, ...time, completa: complete, relogio, fonte } }
  }

  return {
    async fromRecorder(order, task, job) {
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
    },
    async fromDisk(order, task, job) {
      const fetched = await fetchHeld({
        files: held,
        cameraId: order.camera_id,
        signal: job.ending.signal,
        span: spanOf(order, { marginMs, now: now() }),
        path: await files.prepare(order.pedido),
        onProgress: (_progresso, bytes) => keeper.hasSpace(bytes),
      })
      const covered = fetched.ok ? await cover(fetched, order, task, job) : fetched
      // The covered copy has the time of its source.
      const time = fetched.ok && fetched.file.uncertainMs !== undefined && { uncertainMs: fetched.file.uncertainMs }
      if (covered.ok) job.state = await keep(order, { ...covered.file, ...time }, OWN_CLOCK, 'caixa')
      return covered.ok
    },
  }
}

/** With its margins, but not beyond now: the recorder has nothing there. */
const spanOf = ({ inicio, fim }: Order, { marginMs, now }: { marginMs: number; now: number }): Span => ({
  fromMs: inicio - marginMs,
  toMs: Math.max(inicio, Math.min(fim + marginMs, now)),
})
