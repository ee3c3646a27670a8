import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Outcome } from './packet-source.ts'

/** `own`: the client of packages/rtsp. `ffmpeg`: FFmpeg's demuxer. */
export type RtspClient = 'own' | 'ffmpeg'

/** The client of each address. After a failure of the own client, FFmpeg's client gets one attempt. */
export interface ClientChoice {
  /** Client of the next connection to this address. */
  of(url: string): RtspClient
  /** The next connection is the attempt of FFmpeg's client: it needs no delay. */
  isTrying(url: string): boolean
  /** A keyframe has arrived. */
  keyframe(url: string, client: RtspClient): void
  /** The connection has ended. `isRead`: it delivered pictures, so that the client suits the address. */
  ended(url: string, client: RtspClient, outcome: Outcome, isRead: boolean): void
}

export interface ClientChoiceOptions {
  /** Client of addresses that are not in `kept`. */
  readonly first: RtspClient
  /** Addresses that FFmpeg's client reads. */
  readonly kept: readonly string[]
  /** FFmpeg's client reads this address from now on, because the own client ended with `failure`. */
  onKept(url: string, failure: CameraFailure): void
}

/**
 * Failures of the dialogue or of the packets. A refused login is none, so that no device locks itself. An unknown
 * address is none either: FFmpeg's client follows redirections that the address policy has not checked.
 */
const SUSPECT: ReadonlySet<CameraFailure> = new Set([
  'sem_resposta',
  'nao_e_rtsp',
  'sem_video',
  'sem_quadros',
  'dados_invalidos',
  'codec_nao_suportado',
  'fluxo_encerrado',
  'erro_desconhecido',
])

/**
 * The own client first. FFmpeg's client gets one attempt for each kind of failure of an address, unless the own client
 * has read the address before. It keeps the address if a keyframe arrives in the attempt.
 */
export function createClientChoice({ first, kept: known, onKept }: ClientChoiceOptions): ClientChoice {
  const kept = new Set(known)
  /** The failure that led to the attempt under way, by address. */
  const trying = new Map<string, CameraFailure>()
  const tried = new Set<string>()
  const proven = new Set<string>()
  return {
    of: (url) => (first === 'ffmpeg' || kept.has(url) || trying.has(url) ? 'ffmpeg' : 'own'),
    isTrying: (url) => trying.has(url),
    keyframe(url, client) {
      const failure = trying.get(url)
      if (client === 'own' || failure === undefined) return
      trying.delete(url)
      kept.add(url)
      onKept(url, failure)
    },
    ended(url, client, outcome, isRead) {
      // After an abort the attempt is still due.
      if (outcome === 'aborted') return
      if (client === 'ffmpeg') {
        trying.delete(url)
        return
      }
      if (isRead) proven.add(url)
      const failure = typeof outcome === 'object' ? outcome.failure : null
      if (failure === null || !SUSPECT.has(failure) || proven.has(url) || kept.has(url)) return
      const attempt = `${failure} ${url}`
      if (tried.has(attempt)) return
      tried.add(attempt)
      trying.set(url, failure)
    },
  }
}

/** One client for all addresses. */
const fixedClient = (client: RtspClient): ClientChoice => ({
  of: () => client,
  isTrying: () => false,
  keyframe() {},
  ended() {},
})

export const toClientChoice = (given: RtspClient | ClientChoice): ClientChoice =>
  typeof given === 'string' ? fixedClient(given) : given
