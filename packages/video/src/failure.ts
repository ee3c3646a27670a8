import type { CameraFailure } from '@vigia/contracts/camera-failures'
import {
  AVERROR_EOF,
  AVERROR_HTTP_FORBIDDEN,
  AVERROR_HTTP_NOT_FOUND,
  AVERROR_HTTP_OTHER_4XX,
  AVERROR_HTTP_SERVER_ERROR,
  AVERROR_HTTP_UNAUTHORIZED,
  AVERROR_INVALIDDATA,
} from 'node-av/constants'

/**
 * Reason for the failure of a stream. `detail` is a fixed text, a code or a codec's name, never an address or a
 * password.
 */
export interface StreamEnd {
  readonly failure: CameraFailure
  readonly detail: string | null
}

export const streamEnd = (failure: CameraFailure, detail: string | null = null): StreamEnd => ({ failure, detail })

/** Linux errno values, negative as FFmpeg returns them. */
const EPERM = -1
const ENOENT = -2
const EIO = -5
const EINVAL = -22
const EPIPE = -32
const ENETDOWN = -100
const ENETUNREACH = -101
const EPROTONOSUPPORT = -93
const ECONNRESET = -104
const ETIMEDOUT = -110
const ECONNREFUSED = -111
const EHOSTDOWN = -112
const EHOSTUNREACH = -113

const unknown = (code: number): StreamEnd => streamEnd('erro_desconhecido', `o leitor FFmpeg parou com o erro ${-code}`)

const openFailures = new Map<number, StreamEnd>([
  [AVERROR_HTTP_UNAUTHORIZED, streamEnd('senha_recusada')],
  [AVERROR_HTTP_FORBIDDEN, streamEnd('senha_recusada')],
  [AVERROR_HTTP_NOT_FOUND, streamEnd('nao_encontrado')],
  // Recorders answer 454 and similar statuses for a channel without a camera. FFmpeg returns this code when the SDP has
  // no video.
  [AVERROR_HTTP_OTHER_4XX, streamEnd('sem_video', 'respondeu com um erro de 402 a 499')],
  [AVERROR_HTTP_SERVER_ERROR, streamEnd('equipamento_ocupado', 'respondeu com um erro de 500 a 599')],
  // FFmpeg's code for 461.
  [EPROTONOSUPPORT, streamEnd('transporte_recusado')],
  [ENOENT, streamEnd('nao_encontrado')],
  [ECONNREFUSED, streamEnd('conexao_recusada')],
  [ENETDOWN, streamEnd('sem_rota')],
  [ENETUNREACH, streamEnd('sem_rota')],
  [EHOSTDOWN, streamEnd('sem_rota')],
  [EHOSTUNREACH, streamEnd('sem_rota')],
])

/**
 * The failure for an open with the FFmpeg error `code`. null: an ambiguous code, after which the relay knows what the
 * peer has sent.
 */
export const openFailure = (code: number): StreamEnd | null => openFailures.get(code) ?? null

/**
 * The failure for an open with an ambiguous code, of a peer that speaks RTSP. When a server closes the connection
 * during the open, the code depends on the state of FFmpeg's parser.
 */
export const ambiguousOpenFailure = (code: number): StreamEnd => {
  if (code === ETIMEDOUT) return streamEnd('sem_resposta')
  const hasEnded = [AVERROR_EOF, ECONNRESET, EPIPE, EPERM, AVERROR_INVALIDDATA, EIO].includes(code)
  return hasEnded ? streamEnd('fluxo_encerrado') : unknown(code)
}

/** The failure for a file that did not open. */
export const fileFailure = (code: number): StreamEnd => {
  // EINVAL: a format that is not in `fileFormats`.
  if (code === AVERROR_INVALIDDATA || code === AVERROR_EOF || code === EINVAL) return streamEnd('dados_invalidos')
  return openFailures.get(code) ?? unknown(code)
}

/** The failure for a playing stream whose read returned `code`. */
export const readFailure = (code: number, packets: number): StreamEnd => {
  if (code === AVERROR_EOF || code === ECONNRESET || code === EPIPE || code === EIO) return streamEnd('fluxo_encerrado')
  if (code === ETIMEDOUT) return streamEnd(packets === 0 ? 'sem_quadros' : 'video_parado')
  if (code === AVERROR_INVALIDDATA) return streamEnd('dados_invalidos')
  return openFailures.get(code) ?? unknown(code)
}
