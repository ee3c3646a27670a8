import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Causa } from '@vigia/contracts/causa'
import { type FalhaGravacao, MAX_GRAVACAO_BYTES } from '@vigia/contracts/gravacoes'
import { LONGEST_GROUP_MS } from '@vigia/contracts/keyframes'
import type { RtspAccessUnit, RtspParameters } from '@vigia/rtsp/client'
import { playbackUrl, type RecorderClock, type Span } from '@vigia/rtsp/playback-urls'
import { type Pulled, pullRecording, ticksOf } from '@vigia/rtsp/pull-recording'
import { isDiskFull } from '@vigia/runtime/disk-failure'
import { type TrackConfig, trackConfig } from '@vigia/video/mp4/codec-config'
import { createRecordingFile, type RecordingFile } from '@vigia/video/mp4/recording-file'

export interface WriteOptions {
  /** True time. */
  readonly span: Span
  /** Where to write the file. A failed fetch may leave a part of it. */
  readonly path: string
  readonly signal: AbortSignal
  /** Called with each picture; `fraction`: of the span. false ends the fetch: the disk is full. */
  onProgress(fraction: number, bytes: number): boolean
}

export interface FetchOptions extends WriteOptions {
  /** Address of the camera's live stream, with credentials. */
  readonly liveUrl: string
  readonly clock: RecorderClock
  /** The span begins earlier than the wanted one already, for the keyframe before it. */
  readonly isEarlier?: boolean
}

type RecordedUnit = Pick<RtspAccessUnit, 'keyframe' | 'nals' | 'replayUtcMs' | 'ticks' | 'skippedTicks'>

/** Receives the pictures of a recording. */
export interface RecordingSink {
  /** Aborts when the file needs no more pictures. */
  readonly signal: AbortSignal
  onParameters(parameters: RtspParameters): void
  onAccessUnit(unit: RecordedUnit): void
  /** Resolves when no picture waits for the disk. */
  drain(): Promise<void>
}

interface FetchedFile extends Pick<TrackConfig, 'codec' | 'codecs' | 'width' | 'height'> {
  /** True time of the first picture, in epoch ms. */
  readonly startedAt: number
  readonly durationMs: number
  readonly bytes: number
  readonly sha256: string
  /** False: the recording has a gap, changes its format, or ends early. */
  readonly complete: boolean
  /** The first picture is at most this much later; absent: its time is known. */
  readonly uncertainMs?: number
}

export type Fetched = { readonly ok: true; readonly file: FetchedFile } | Failed

/** `ocupado`, `recusada`: the recorder has no free connection or playback session, or refuses the login. */
interface Failed {
  readonly ok: false
  readonly falha: FalhaGravacao | 'ocupado' | 'recusada'
  /** Answer or failure of the recorder, with `ocupado` and `inalcancavel`. With `interno`: the edge lacks a package. */
  readonly causa?: Causa
}

const TICKS_PER_MS = 90
/** Pictures that wait for a slow disk. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024

const failures: Partial<Record<CameraFailure, FalhaGravacao | 'ocupado' | 'recusada'>> = {
  // 453: too many playback sessions (webrtc-streamer #174, HikLoad #4).
  equipamento_ocupado: 'ocupado',
  senha_recusada: 'recusada',
  nao_encontrado: 'sem_gravacao',
  sem_video: 'sem_gravacao',
  sem_quadros: 'sem_gravacao',
  codec_nao_suportado: 'codec_desconhecido',
}

/** Failures of a playback whose pictures had no keyframe before them: it came to its end, or fell silent there. */
const UNDECODABLE: ReadonlySet<string> = new Set(['sem_gravacao', 'inalcancavel'] satisfies FalhaGravacao[])

/** Plays a part of a recorder's archive into an MP4 file, in one playback session. */
export async function fetchRecording(options: FetchOptions): Promise<Fetched> {
  const { span, clock } = options
  const url = playbackUrl(options.liveUrl, span, clock)
  if (url === null) return { ok: false, falha: 'sem_arquivo' }
  const { offsetMs } = clock
  let hasSkipped = false
  const fetched = await writeRecording({ ...options, offsetMs }, async (sink) => {
    const pulled = await pullRecording({ url, span, offsetMs, ...sink })
    hasSkipped = pulled.hasSkipped
    return pulled
  })
  // A recorder that begins in the middle of a long group has its pictures, but none can be decoded.
  const isUndecodable = !fetched.ok && UNDECODABLE.has(fetched.falha) && hasSkipped
  if (!isUndecodable || options.isEarlier === true) return fetched
  const earlier = { fromMs: span.fromMs - LONGEST_GROUP_MS, toMs: span.toMs }
  return await fetchRecording({ ...options, span: earlier, isEarlier: true })
}

/** Writes what `pull` passes on to an MP4 file. `offsetMs`: clock of its pictures minus the true time. */
export async function writeRecording(
  options: WriteOptions & { readonly offsetMs: number },
  pull: (sink: RecordingSink) => Promise<Pick<Pulled, 'end'>>,
): Promise<Fetched> {
  const { path } = options
  const writer = createWriter(options)
  try {
    const pulled = await pull({
      signal: AbortSignal.any([options.signal, writer.ended]),
      onParameters: writer.parameters,
      onAccessUnit: writer.unit,
      drain: writer.drain,
    })
    const written = await writer.finish()
    if (written === null) return failureOf(pulled, writer.failure)
    if (writer.failure) return { ok: false, falha: writer.failure }
    const file = { ...written, sha256: await sha256Of(path), complete: pulled.end === 'complete' }
    return { ok: true, file }
  } catch (error) {
    await writer.abandon()
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error
    return { ok: false, falha: isDiskFull(error) ? 'disco_cheio' : 'disco_indisponivel' }
  }
}

function createWriter({ path, span, offsetMs, onProgress }: WriteOptions & { readonly offsetMs: number }) {
  const ending = new AbortController()
  const wantedMs = span.toMs - span.fromMs
  let config: TrackConfig | null = null
  let file: RecordingFile | null = null
  let startMs = 0
  let failure: FalhaGravacao | null = null
  const fail = (falha: FalhaGravacao) => {
    failure ??= falha
    ending.abort()
  }
  const timeMs = (unit: RecordedUnit) =>
    unit.replayUtcMs === null ? ticksOf(unit) / TICKS_PER_MS : unit.replayUtcMs - offsetMs - span.fromMs

  return {
    /** Aborts when the file needs no more pictures. */
    ended: ending.signal,
    get failure() {
      return failure
    },
    parameters({ codec, parameterSets }: RtspParameters): void {
      const next = trackConfig(
        codec,
        parameterSets.map((set) => Buffer.from(set)),
      )
      // A file has one format. Older recordings may have another one than the live stream.
      if (file === null) config = next
      else if (!next?.sampleEntry.equals(config?.sampleEntry ?? Buffer.alloc(0))) ending.abort()
    },
    unit(unit: Parameters<RecordingSink['onAccessUnit']>[0]): void {
      if (ending.signal.aborted) return
      if (config === null) {
        fail('codec_desconhecido')
        return
      }
      const atMs = timeMs(unit)
      if (file === null) startMs = atMs
      file ??= createRecordingFile(path, config)
      file.add({ keyframe: unit.keyframe, timeMs: atMs, nals: unit.nals })
      const fraction = Math.min(1, Math.max(0, atMs / wantedMs))
      if (file.waitingBytes > MAX_WAITING_BYTES) fail('disco_indisponivel')
      else if (!onProgress(fraction, file.bytes)) fail('disco_cheio')
      else if (file.bytes > MAX_GRAVACAO_BYTES - MAX_WAITING_BYTES) ending.abort()
    },
    /** null: there is no file. */
    async finish(): Promise<Omit<FetchedFile, 'sha256' | 'complete'> | null> {
      const done = await file?.finish()
      if (!done || !config) return null
      const { size } = await stat(path)
      const { codec, codecs, width, height } = config
      const durationMs = Math.max(1, Math.round(done.durationMs))
      return { codec, codecs, width, height, durationMs, bytes: size, startedAt: Math.round(span.fromMs + startMs) }
    },
    drain: async () => await file?.drain(),
    abandon: async () => await file?.abandon(),
  }
}

function failureOf({ end }: Pick<Pulled, 'end'>, own: FalhaGravacao | null): Failed {
  if (own) return { ok: false, falha: own }
  if (typeof end === 'string') return { ok: false, falha: 'sem_gravacao' }
  const falha = failures[end.failure] ?? 'inalcancavel'
  const isSeen = falha === 'ocupado' || falha === 'inalcancavel'
  return { ok: false, falha, ...(isSeen && { causa: { motivo: end.failure, complemento: end.detail } }) }
}

/** SHA-256 of a file, in hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
