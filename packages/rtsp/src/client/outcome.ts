import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Unreachable } from '../line.ts'

/**
 * Reason for the failure of a session. `detail` is a fixed text or a codec's name: never an address, never a password.
 */
export interface RtspFailure {
  readonly failure: CameraFailure
  readonly detail: string | null
  /** Status of the reply that ended the session; null when another cause ended it. */
  readonly status: number | null
}

/** `aborted`: the caller's signal. `end`: a session with a `range` came to its end. */
export type RtspEnd = RtspFailure | 'aborted' | 'end'

export const failed = (
  failure: CameraFailure,
  detail: string | null = null,
  status: number | null = null,
): RtspFailure => ({
  failure,
  detail,
  status,
})

const unreachable: Record<Unreachable, CameraFailure> = {
  refused: 'conexao_recusada',
  timeout: 'sem_rota',
  no_route: 'sem_rota',
  no_tls: 'nao_e_rtsp',
}

export const unreachableEnd = (why: Unreachable): RtspFailure => failed(unreachable[why])

/**
 * Returns the failure for a status other than 200, consistent with the statuses that FFmpeg's demuxer distinguishes.
 */
export function statusEnd(status: number): RtspFailure {
  if (status === 401 || status === 403) return failed('senha_recusada', null, status)
  if (status === 404) return failed('nao_encontrado', null, status)
  // Redirections are not followed: the address policy has not checked their target.
  if (status >= 300 && status < 400) return failed('nao_encontrado', 'RTSP 3xx', status)
  if (status === 461 || status === 551) return failed('erro_desconhecido', `RTSP ${status}`, status)
  // 454 and similar statuses: recorders send them for a channel without a camera.
  if (status >= 400 && status < 500) return failed('sem_video', 'RTSP 4xx', status)
  if (status >= 500 && status < 600) return failed('equipamento_ocupado', 'RTSP 5xx', status)
  return failed('erro_desconhecido', `RTSP ${status}`, status)
}

/** Returns the codec's name as the SDP writes it. The peer wrote this text, so only harmless characters are kept. */
export const unsupportedCodec = (name: string): RtspFailure =>
  failed('codec_nao_suportado', name.replace(/[^\w.+-]/g, '').slice(0, 32) || null)
