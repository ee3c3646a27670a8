import { setTimeout as delay } from 'node:timers/promises'
import { VigiaError } from '@vigia/contracts/errors'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import { KEEPALIVE_S } from './limits.ts'
import type { LinkLog } from './log.ts'
import { describe, type Ending, openSession, type Session, type SessionOptions, type TlsIdentity } from './session.ts'

export interface ConnectionOptions {
  /** `mqtts://host:port`. The CA must have signed the broker's certificate, which must name this host. */
  readonly url: string
  readonly clientId: string
  /** Called at each attempt. */
  tls(): TlsIdentity
  /** Right time (session.ts). */
  readonly now?: SessionOptions['now']
  /** Called at each attempt. */
  subscriptions(): readonly string[]
  readonly will?: SessionOptions['will']
  /** Published before `onState(true)`. */
  readonly birth?: SessionOptions['birth']
  onMessage(topic: string, payload: Buffer): void
  onState(connected: boolean): void
  /** Called when a session or an attempt ended for another reason than `reconnect` or `stop`. */
  onEnded?(ending: Ending, livedMs: number): void
  readonly log: LinkLog
  /** Defaults: 1 s to 30 s. */
  readonly backoff?: BackoffLimits | undefined
  readonly keepaliveS?: number | undefined
}

export interface LinkStatus {
  readonly connected: boolean
  /** Number of ready sessions since the start. */
  readonly connections: number
  /** Reason for the last loss of a session, at most 200 characters; null: no loss so far. */
  readonly lastLoss: string | null
}

export interface Connection {
  start(): void
  /** Ends the session, or the wait for the next attempt, and connects at once. The back-off stays as it is. */
  reconnect(): void
  /** Sends DISCONNECT, so that the broker publishes no last will. Resolves within 3 s even without a network. */
  stop(farewell?: (session: Session) => Promise<void>): Promise<void>
  /** The ready session; null: none. */
  readonly session: Session | null
  readonly status: LinkStatus
}

const DEFAULT_BACKOFF: BackoffLimits = { minMs: 1_000, maxMs: 30_000 }
const FAREWELL_MS = 1_000
/**
 * A session of at least this length resets the back-off. Two edges with one identity end each other's sessions within
 * milliseconds, so their back-off grows.
 */
const GOOD_SESSION_MS = 30_000
const MAX_REASON = 200

/**
 * A connection that is retried without end. Each attempt is a new MQTT session with clean state. The MQTT library
 * queues nothing across a disconnection, because the outbox is the queue.
 */
export function createConnection(options: ConnectionOptions): Connection {
  const { log } = options
  const address = parseUrl(options.url)
  const backoff = options.backoff ?? DEFAULT_BACKOFF
  /** Aborts the current attempt, its session and the wait after it. */
  let round = new AbortController()
  let isStopping = false
  let session: Session | null = null
  let connections = 0
  let lastLoss: string | null = null
  let loop: Promise<void> | null = null

  const open = (signal: AbortSignal): Session =>
    openSession({
      ...address,
      clientId: options.clientId,
      tls: options.tls(),
      ...(options.now && { now: options.now }),
      subscriptions: options.subscriptions(),
      will: options.will,
      birth: options.birth,
      keepaliveS: options.keepaliveS ?? KEEPALIVE_S,
      onMessage: options.onMessage,
      signal,
    })

  /** Resolves with true when a session lasted at least GOOD_SESSION_MS. */
  async function runOnce(signal: AbortSignal): Promise<boolean> {
    const started = performance.now()
    const current = open(signal)
    const ready = await current.ready
    if (ready.ok) {
      session = current
      connections += 1
      log.info({ broker: address.host, porta: address.port }, 'link connected')
      options.onState(true)
    }
    const ending = await current.closed
    const livedMs = performance.now() - started
    session = null
    if (!signal.aborted) ended(ending, livedMs, ready.ok)
    else if (ready.ok) log.info({}, 'link ended')
    if (ready.ok) options.onState(false)
    return ready.ok && livedMs >= GOOD_SESSION_MS
  }

  function ended(ending: Ending, livedMs: number, wasReady: boolean): void {
    if (wasReady) {
      lastLoss = ending.reason.slice(0, MAX_REASON)
      log.warn({ motivo: ending.reason }, 'link lost')
    } else log.warn({ broker: address.host, porta: address.port, motivo: ending.reason }, 'link not connected')
    options.onEnded?.(ending, livedMs)
  }

  async function runForEver(): Promise<void> {
    let failures = 0
    while (!isStopping) {
      round = new AbortController()
      const { signal } = round
      let isGood = false
      try {
        isGood = await runOnce(signal)
      } catch (error) {
        // The certificate or key is unreadable; a renewed one may be readable at the next attempt.
        ended({ reason: describe(error), wasTaken: false, byBroker: false }, 0, false)
      }
      if (isGood) failures = 0
      else if (!signal.aborted) failures += 1
      // Rejects only on abort, which ends the wait.
      await delay(backoffMs(Math.max(0, failures - 1), backoff), undefined, { signal }).catch(() => {})
    }
  }

  return {
    start: () => {
      loop ??= runForEver().catch((err: unknown) => log.error({ err }, 'link loop failed'))
    },
    stop: async (farewell) => {
      if (session !== null && farewell !== undefined) {
        await Promise.race([
          farewell(session).catch((err: unknown) => log.debug({ err }, 'goodbye message not delivered')),
          delay(FAREWELL_MS),
        ])
      }
      isStopping = true
      round.abort()
      await loop
    },
    reconnect: () => round.abort(),
    get session() {
      return session
    },
    get status() {
      return { connected: session !== null, connections, lastLoss }
    },
  }
}

/** @throws VigiaError `validacao` for any URL but `mqtts://host[:port]` */
function parseUrl(url: string): { host: string; port: number } {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol !== 'mqtts:' || parsed.hostname === '') {
    throw new VigiaError('validacao', { detalhe: 'O endereço do broker MQTT deve ter a forma mqtts://servidor:8883.' })
  }
  // An IPv6 literal has brackets in a URL, but not in a socket address.
  return { host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'), port: parsed.port === '' ? 8883 : Number(parsed.port) }
}
