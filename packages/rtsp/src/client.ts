import { lookup } from 'node:dns/promises'
import { isIP, type Socket } from 'node:net'
import { mediaPeer } from './client/media-line.ts'
import { failed, type RtspEnd, unreachableEnd } from './client/outcome.ts'
import { playSession, type SessionOptions } from './client/session.ts'
import { openSocket } from './line.ts'
import { type RtspUrl, readRtspUrl } from './rtsp-url.ts'

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

/** Largest number of addresses tried per name. */
const MAX_ADDRESSES = 4

/**
 * Plays one video stream over RTSP 1.0 (RFC 2326) and passes its access units to the callbacks. RTP travels inside the
 * connection (10.12), with TLS for `rtsps:`, or over UDP. Resolves with the reason once the stream ended and the
 * connection is closed. Rejects only with the error of a callback. Redirections are not followed.
 */
export async function openRtspSession(options: RtspSessionOptions): Promise<RtspEnd> {
  const { signal } = options
  if (/[\r\n]/.test(`${options.range ?? ''}${options.require ?? ''}`)) throw new RangeError('line break in a header')
  const target = readTarget(options.url)
  if (!target) return failed('url_ilegivel')
  const endsAtMs = performance.now() + options.openTimeoutMs
  let challenges: readonly string[] = []
  for (;;) {
    const socket = await connectTo(target, endsAtMs, signal)
    if (!isSocket(socket)) return socket
    socket.setNoDelay(true)
    const openTimeoutMs = Math.max(1, endsAtMs - performance.now())
    const peer = target.tls ? null : mediaPeer(socket)
    const outcome = await playSession({ socket, target, peer, openTimeoutMs, challenges }, options)
    // Only the first connection of a session may request a second one.
    if (typeof outcome === 'string' || 'failure' in outcome) return outcome
    challenges = outcome.challenges
  }
}

const isSocket = (found: Socket | RtspEnd): found is Socket => typeof found === 'object' && 'destroy' in found

function readTarget(url: string): RtspUrl | null {
  try {
    const target = readRtspUrl(url)
    return target.host !== '' && target.porta > 0 && target.porta <= 65_535 ? target : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

async function connectTo(target: RtspUrl, endsAtMs: number, signal: AbortSignal): Promise<Socket | RtspEnd> {
  const addresses = await resolveHost(target.host, endsAtMs, signal)
  if (signal.aborted) return 'aborted'
  let end = failed('nome_nao_resolvido')
  for (const [index, address] of addresses.entries()) {
    const remainingMs = Math.max(1, endsAtMs - performance.now())
    const timeoutMs = remainingMs / (addresses.length - index)
    const opened = await openSocket({ address, porta: target.porta, tls: target.tls }, { timeoutMs, signal })
    if (opened.ok) return opened.socket
    if (opened.why === 'aborted') return 'aborted'
    end = unreachableEnd(opened.why)
  }
  return end
}

/** Addresses in the resolver's order; empty when the name has none before the time limit. */
async function resolveHost(host: string, endsAtMs: number, signal: AbortSignal): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  // The resolver cannot be interrupted; its late result is ignored.
  const stop = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.round(endsAtMs - performance.now())))])
  const stopped = new Promise<[]>((resolve) => stop.addEventListener('abort', () => resolve([]), { once: true }))
  const found = lookup(host, { all: true }).then(
    (answers) => answers.map(({ address }) => address).slice(0, MAX_ADDRESSES),
    (error: NodeJS.ErrnoException) => {
      if (typeof error.code === 'string') return []
      throw error
    },
  )
  return await (stop.aborted ? [] : Promise.race([found, stopped]))
}
