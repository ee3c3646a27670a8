import { mediaPeer } from './client/media-line.ts'
import { failed, type RtspEnd } from './client/outcome.ts'
import { playSession, type SessionOptions } from './client/session.ts'
import { connectTo, isSocket } from './connect.ts'
import { type RtspUrl, readRtspUrl } from './rtsp-url.ts'

export type { RtspAudioFormat } from './client/audio-format.ts'
export type { RtspAudioPacket } from './client/audio-receiver.ts'
export type { RtpTransport } from './client/media-line.ts'
export type { RtspEnd, RtspFailure } from './client/outcome.ts'
export type { RtpLosses, RtspAccessUnit, RtspParameters } from './client/receiver.ts'

export interface RtspSessionOptions extends SessionOptions {
  /** `rtsp:` or `rtsps:` URL; the userinfo holds the credentials, percent-encoded. */
  readonly url: string
  /**
   * Time limit from the call until the stream plays: name resolution, connection, and all requests up to PLAY's reply.
   */
  readonly openTimeoutMs: number
}

/**
 * Plays one video stream, on request with its audio, over RTSP 1.0 (RFC 2326). Its access units go to the callbacks.
 * RTP travels inside the connection (10.12), with TLS for `rtsps:`, or over UDP. Resolves with the reason once the
 * stream ended and the connection is closed. Rejects only with the error of a callback. One redirection to the address
 * of the connection is followed.
 */
export async function openRtspSession(options: RtspSessionOptions): Promise<RtspEnd> {
  const { signal } = options
  if (/[\r\n]/.test(`${options.range ?? ''}${options.require ?? ''}`)) throw new RangeError('line break in a header')
  let target = readTarget(options.url)
  if (!target) return failed('url_ilegivel')
  const endsAtMs = performance.now() + options.openTimeoutMs
  let challenges: readonly string[] = []
  /** The device that redirected, and the end if nobody answers at the new address; null: no redirection. */
  let moved: { readonly address: string; readonly end: RtspEnd } | null = null
  for (;;) {
    const socket = await connectTo(moved ? { ...target, host: moved.address } : target, endsAtMs, signal)
    if (!isSocket(socket)) return moved && socket !== 'aborted' ? moved.end : socket
    socket.setNoDelay(true)
    const openTimeoutMs = Math.max(1, endsAtMs - performance.now())
    const connected = mediaPeer(socket)
    if (!connected) return failed('conexao_recusada')
    const { remote } = connected
    const peer = target.tls ? null : connected
    const context = { socket, target, remote, peer, openTimeoutMs, challenges, isRedirected: moved !== null }
    const outcome = await playSession(context, options)
    if (typeof outcome === 'string' || 'failure' in outcome) return outcome
    // An address requests a second connection once, and redirects once.
    challenges = outcome.challenges
    if (outcome.moved) {
      target = outcome.moved.target
      moved = { address: remote, end: outcome.moved.end }
    }
  }
}

function readTarget(url: string): RtspUrl | null {
  try {
    const target = readRtspUrl(url)
    return target.host !== '' && target.porta > 0 && target.porta <= 65_535 ? target : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
