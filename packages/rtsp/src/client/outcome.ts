import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Unreachable } from '../line.ts'

/**
 * Reason for the failure of a session. `detail` is a fixed text, a codec's name, or the server that a redirection
 * names. It never contains a user, a password or a path.
 */
export interface RtspFailure {
  readonly failure: CameraFailure
  readonly detail: string | null
  /** Status of the reply that ended the session; null when another cause ended it. */
  readonly status: number | null
}

/** The server does not support the transport of SETUP (RFC 2326 11.3.10). */
export const UNSUPPORTED_TRANSPORT = 461

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

/** Statuses whose sentence says everything. */
const PLAIN = new Set([401, 404])

/**
 * Returns the failure for a status other than 200. The detail names the request that was answered with it. `elsewhere`:
 * address of a redirection that is not followed.
 */
export function statusEnd(method: string, status: number, elsewhere?: string): RtspFailure {
  const seen = `respondeu ${status} a ${method}`
  if (elsewhere !== undefined) return failed('redirecionado', `${seen}: ${elsewhere}`, status)
  return failed(failureOf(status), PLAIN.has(status) ? null : seen, status)
}

function failureOf(status: number): CameraFailure {
  if (status === 401 || status === 403) return 'senha_recusada'
  // A redirection without a readable address.
  if (status === 404 || (status >= 300 && status < 400)) return 'nao_encontrado'
  if (status === UNSUPPORTED_TRANSPORT) return 'transporte_recusado'
  // Not Enough Bandwidth (RFC 2326 11.3.4): too many clients.
  if (status === 453) return 'equipamento_ocupado'
  if (status === 551) return 'erro_desconhecido'
  // 454 and similar statuses: recorders send them for a channel without a camera.
  if (status >= 400 && status < 500) return 'sem_video'
  return status >= 500 && status < 600 ? 'equipamento_ocupado' : 'erro_desconhecido'
}

/** Returns the codec's name as the SDP writes it. The peer wrote this text, so only harmless characters are kept. */
export const unsupportedCodec = (name: string): RtspFailure =>
  failed('codec_nao_suportado', name.replace(/[^\w.+-]/g, '').slice(0, 32) || null)
