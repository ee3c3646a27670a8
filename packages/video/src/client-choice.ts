import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Outcome, Transport } from './packet-source.ts'

/**
 * How a stream is read. `own`: the client of packages/rtsp, over TCP, and over UDP where the device refuses TCP.
 * `ffmpeg`: FFmpeg's demuxer, the same way. `…_tcp`, `…_udp`: only so. `…_keep`: with both kinds of keep-alive.
 */
export type RtspClient = OwnClient | `${OwnClient}_keep` | 'ffmpeg' | 'ffmpeg_udp'
type OwnClient = 'own' | 'own_tcp' | 'own_udp'

interface Parts {
  readonly isOwn: boolean
  readonly transport: Transport
  readonly keepAlive: 'listed' | 'both'
}

/** The parts of each client. */
export const rtspClients: Readonly<Record<RtspClient, Parts>> = {
  own: { isOwn: true, transport: 'auto', keepAlive: 'listed' },
  own_tcp: { isOwn: true, transport: 'tcp', keepAlive: 'listed' },
  own_udp: { isOwn: true, transport: 'udp', keepAlive: 'listed' },
  own_keep: { isOwn: true, transport: 'auto', keepAlive: 'both' },
  own_tcp_keep: { isOwn: true, transport: 'tcp', keepAlive: 'both' },
  own_udp_keep: { isOwn: true, transport: 'udp', keepAlive: 'both' },
  ffmpeg: { isOwn: false, transport: 'auto', keepAlive: 'listed' },
  ffmpeg_udp: { isOwn: false, transport: 'udp', keepAlive: 'listed' },
}

const keeping: Partial<Record<RtspClient, RtspClient>> = {
  own: 'own_keep',
  own_tcp: 'own_tcp_keep',
  own_udp: 'own_udp_keep',
}

/** FFmpeg's client over the same transport. */
export const ffmpegOf = (client: RtspClient): RtspClient =>
  rtspClients[client].transport === 'udp' ? 'ffmpeg_udp' : 'ffmpeg'

/** An address, and the client that reads it although another one was first. */
export interface KeptClient {
  readonly url: string
  readonly client: RtspClient
}

/** The client of each address. After a failure of the first client, others get one attempt each. */
export interface ClientChoice {
  /** Client of the next connection to this address. */
  of(url: string): RtspClient
  /** The next connection is the attempt of another client: it needs no delay. */
  isTrying(url: string): boolean
  /** A keyframe has arrived `playedMs` after the first one of the connection. */
  keyframe(url: string, client: RtspClient, playedMs: number): void
  /**
   * The connection has ended. `isRead`: it delivered pictures, so that the client suits the address. `playedMs`: time
   * from its first keyframe to its last packet.
   */
  ended(url: string, client: RtspClient, outcome: Outcome, isRead: boolean, playedMs: number): void
}

export interface ClientChoiceOptions {
  /** Client of addresses that are not in `kept`. */
  readonly first: RtspClient
  readonly kept: readonly KeptClient[]
  /** This client reads the address from now on, because another one ended with `failure`. */
  onKept(kept: KeptClient, failure: CameraFailure): void
}

/**
 * Failures of the dialogue or of the packets. A refused login is none, so that no device locks itself. An unknown
 * address and a redirection are none either: the device would answer another client alike.
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

/** Clients that get an attempt after a failure of `first`, in this order. */
function othersThan(first: RtspClient, failure: CameraFailure): readonly RtspClient[] {
  // The client puts datagrams in order. FFmpeg's would pass the damaged keyframes on.
  if (failure === 'video_danificado') return first === 'own' ? ['own_udp'] : []
  if (!rtspClients[first].isOwn || !SUSPECT.has(failure)) return []
  // PLAY over TCP without packets: the device may send over UDP only.
  return first === 'own' && failure === 'sem_quadros' ? ['own_udp', 'ffmpeg'] : [ffmpegOf(first)]
}

/** Largest time between two ends of a session that count as regular. */
const MAX_PERIOD_MS = 300_000
const isSamePeriod = (ms: number, beforeMs: number): boolean =>
  ms <= MAX_PERIOD_MS && Math.abs(ms - beforeMs) <= Math.max(1000, beforeMs / 10)
/** A session that lasts so many periods is kept alive. */
const PROVEN_PERIODS = 3

/**
 * The first client, then the others, once for each kind of failure of an address, unless the first client has read the
 * address before. A client keeps the address if a keyframe arrives in its attempt. After two sessions of the same
 * length both kinds of keep-alive get one attempt. They stay if the session lasts.
 */
export function createClientChoice({ first, kept: known, onKept }: ClientChoiceOptions): ClientChoice {
  const kept = new Map(known.map(({ url, client }) => [url, client]))
  /** The attempts that are due, and the failure that led to them, by address. */
  const trying = new Map<string, { readonly due: readonly RtspClient[]; readonly failure: CameraFailure }>()
  const tried = new Set<string>()
  const proven = new Set<string>()
  /** Time that the last session of an address played, ms. */
  const played = new Map<string, number>()
  /** Attempts with both kinds of keep-alive. */
  const keepAlive = new Map<string, { readonly client: RtspClient; readonly periodMs: number }>()
  const keptAlive = new Set<string>()

  function attempt(url: string, due: readonly RtspClient[], failure: CameraFailure): void {
    if (due.length > 0) trying.set(url, { due, failure })
    else trying.delete(url)
  }

  /** A session with pictures has ended by itself. */
  function endedPlaying(url: string, client: RtspClient, playedMs: number): void {
    const beforeMs = played.get(url)
    played.set(url, playedMs)
    if (beforeMs === undefined || !isSamePeriod(playedMs, beforeMs)) return
    const both = keeping[client]
    if (both === undefined || keptAlive.has(url)) {
      keepAlive.delete(url)
      return
    }
    keptAlive.add(url)
    played.delete(url)
    keepAlive.set(url, { client: both, periodMs: playedMs })
  }

  return {
    of: (url) => trying.get(url)?.due[0] ?? keepAlive.get(url)?.client ?? kept.get(url) ?? first,
    isTrying: (url) => trying.has(url),
    keyframe(url, client, playedMs) {
      const alive = keepAlive.get(url)
      if (alive?.client === client && playedMs > alive.periodMs * PROVEN_PERIODS) {
        keepAlive.delete(url)
        kept.set(url, client)
        onKept({ url, client }, 'fluxo_encerrado')
      }
      const attempted = trying.get(url)
      if (attempted?.due[0] !== client) return
      trying.delete(url)
      kept.set(url, client)
      onKept({ url, client }, attempted.failure)
    },
    ended(url, client, outcome, isRead, playedMs) {
      // After an abort the attempt is still due.
      if (outcome === 'aborted') return
      const attempted = trying.get(url)
      if (attempted) {
        if (attempted.due[0] === client) attempt(url, attempted.due.slice(1), attempted.failure)
        return
      }
      const failure = typeof outcome === 'object' ? outcome.failure : null
      if (isRead && (failure === 'fluxo_encerrado' || failure === 'video_parado')) endedPlaying(url, client, playedMs)
      if (client !== first) return
      if (isRead) proven.add(url)
      if (failure === null || proven.has(url) || kept.has(url) || tried.has(`${failure} ${url}`)) return
      const due = othersThan(first, failure)
      if (due.length > 0) tried.add(`${failure} ${url}`)
      attempt(url, due, failure)
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
