import type { AudioRelatado } from '@vigia/contracts/audio'
import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Caixa } from '@vigia/contracts/eventos'
import type { CodecClipe, MotivoSemClipe } from '@vigia/contracts/extras'
import type { Leitura, Perdas } from '@vigia/contracts/transporte'
import type { StreamChoice } from './retry-policy.ts'

/** State of one camera's stream in its capture process. */
export interface StreamStatus {
  readonly cameraId: number
  readonly online: boolean
  /** The last failure; null after the next frame. Also set while the camera is still online or reconnects. */
  readonly failure: CameraFailure | null
  readonly detail: string | null
  /** Age of the last decoded frame; null: no frame since the address was set. */
  readonly lastFrameAgeMs: number | null
  readonly codec: string | null
  readonly resolution: string | null
  readonly fps: number | null
  /** Mean time between two keyframes; null: fewer than two on the current connection. */
  readonly keyframeIntervalMs: number | null
  /** Time since the last keyframe of the current connection, or else since its first picture; null: no picture. */
  readonly keyframeAgeMs: number | null
  /** Rate of the compressed stream; null: unknown, as above. */
  readonly bitrateKbps: number | null
  /** The stream of the current connection; absent: none yet. */
  readonly choice?: StreamChoice
  /** Last failure of the sub stream; absent: it had pictures since, or was not read. */
  readonly subFailure?: { readonly failure: CameraFailure; readonly detail: string | null }
  /** Absent: not known yet, or not requested. */
  readonly audio?: AudioRelatado
  /** How the stream was read last; absent: not yet. */
  readonly leitura?: Leitura
  /** Packets over UDP since the connection began; absent: not over UDP. */
  readonly perdas?: Perdas
  /** Usable pictures since the connection began; absent: no connection. */
  readonly pictures?: number
  /** The connection ends with this period, in seconds; absent, null: not regularly. */
  readonly periodS?: number | null
  /** Memory of the decoder for the pictures of this stream, in bytes; null: unknown. */
  readonly memoryBytes: number | null
  /** Native code is reading the stream: it may be the cause of a crash of the process. */
  readonly reading: boolean
}

/** One frame as a JPEG, with its size in pixels. */
export interface Picture {
  readonly jpeg: Buffer
  readonly width: number
  readonly height: number
  /** Objects of the last inference before this frame; only of a picture of a series. */
  readonly seen?: readonly Caixa[]
  /** Whether something moves; only of a picture of a series. */
  readonly moving?: boolean
}

/**
 * Requests the last decoded frame of at most `maxAgeMs`, or else the next one. If none arrives within `waitMs`: the
 * last full-size picture while it is fresh, or null if `maxSide` is set.
 */
export interface PictureRequest {
  readonly waitMs: number
  /** Largest length of the longer side in pixels, for series of pictures; null: full size. */
  readonly maxSide: number | null
  /** Default: only the next frame, as for series of pictures. */
  readonly maxAgeMs?: number
}

/** A finished clip of one or more events. */
export interface SeenClip {
  readonly cameraId: number
  /** Their references, and their times in the clip. */
  readonly events: readonly { readonly ref: string; readonly offsetMs: number }[]
  /** Edge clock at the first picture, in epoch ms. */
  readonly startedAt: number
  readonly durationMs: number
  readonly codec: CodecClipe
  /** RFC 6381. */
  readonly codecs: string
  readonly width: number
  readonly height: number
  /** MP4. */
  readonly data: Buffer
  readonly sha256: string
  /** JPEG with pictures of the clip side by side; null: they could not be decoded. */
  readonly strip: Buffer | null
}

/** Reason why the capture process has no clip of an event. */
export type ClipFailure = Extract<
  MotivoSemClipe,
  'sem_quadros' | 'codec_desconhecido' | 'sem_codificador' | 'recorte_falhou'
>
