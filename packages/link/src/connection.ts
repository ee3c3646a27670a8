import { setTimeout as delay } from 'node:timers/promises'
import { VigiaError } from '@vigia/contracts/errors'
import { type BackoffLimits, backoffMs } from './backoff.ts'
import { KEEPALIVE_S } from './limits.ts'
import type { LinkLog } from './log.ts'
import { openSession, type Session, type SessionOptions, type TlsIdentity } from './session.ts'

export interface ConnectionOptions {
  /** `mqtts://host:port`; the broker's certificate must be of the CA and name this host. */
  readonly url: string
  readonly clientId: string
  readonly tls: TlsIdentity
  readonly subscriptions: readonly string[]
  readonly will?: SessionOptions['will']
  /** Published as part of getting ready, before `onState(true)`. */
  readonly birth?: SessionOptions['birth']
  onMessage(topic: string, payload: Buffer): void
  onState(connected: boolean): void
  readonly log: LinkLog
  /** Defaults: 1 s to 30 s. */
  readonly backoff?: BackoffLimits | undefined
  readonly keepaliveS?: number | undefined
}

export interface Connection {
  start(): void
  /** Leaves politely (the broker publishes no last will). Resolves within 3 s, whatever the network does. */
  stop(farewell?: (session: Session) => Promise<void>): Promise<void>
  /** The session that is ready; null while there is none. */
  readonly session: Session | null
}

const DEFAULT_BACKOFF: BackoffLimits = { minMs: 1_000, maxMs: 30_000 }
const FAREWELL_MS = 1_000
/** A session that lived this long was a good one: the next failure starts the back-off afresh. Two boxes with one identity
 * throw each other out within milliseconds and so slow down instead of hammering. */
const GOOD_SESSION_MS = 30_000

/**
 * A connection that is made again for ever. Each attempt is a fresh MQTT session with clean state: nothing is queued in the
 * MQTT library across a disconnection, because the outbox is the queue.
 */
export function createConnection(options: ConnectionOptions): Connection {
  const { log } = options
  const address = parseUrl(options.url)
  const backoff = options.backoff ?? DEFAULT_BACKOFF
  const stopping = new AbortController()
  let session: Session | null = null
  let loop: Promise<void> | null = null

  async function runOnce(): Promise<boolean> {
    const current = openSession({
      ...address,
      clientId: options.clientId,
      tls: options.tls,
      subscriptions: options.subscriptions,
      will: options.will,
      birth: options.birth,
      keepaliveS: options.keepaliveS ?? KEEPALIVE_S,
      onMessage: options.onMessage,
      signal: stopping.signal,
    })
    const started = performance.now()
    const ready = await current.ready
    if (ready.ok) {
      session = current
      log.info({ broker: address.host, porta: address.port }, 'link connected')
      options.onState(true)
      const reason = await current.closed
      session = null
      if (stopping.signal.aborted) log.info({}, 'link ended')
      else log.warn({ motivo: reason }, 'link lost')
      options.onState(false)
    } else {
      log.warn({ broker: address.host, porta: address.port, motivo: ready.reason }, 'link not connected')
      await current.closed
    }
    return ready.ok && performance.now() - started >= GOOD_SESSION_MS
  }

  async function runForEver(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      failures = (await runOnce()) ? 0 : failures + 1
      if (stopping.signal.aborted) return
      // Rejects only when `stop` aborts it, which is the way out of the loop.
      await delay(backoffMs(failures - 1, backoff, Math.random), undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  return {
    start: () => {
      loop ??= runForEver().catch((err: unknown) => log.error({ err }, 'link loop failed'))
    },
    stop: async (farewell) => {
      if (session !== null && farewell !== undefined) {
        await Promise.race([
          farewell(session).catch((err: unknown) => log.debug({ err }, 'farewell not delivered')),
          delay(FAREWELL_MS),
        ])
      }
      stopping.abort()
      await loop
    },
    get session() {
      return session
    },
  }
}

/** @throws VigiaError `validacao` when it is not `mqtts://host[:port]` */
function parseUrl(url: string): { host: string; port: number } {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol !== 'mqtts:' || parsed.hostname === '') {
    throw new VigiaError('validacao', { detalhe: 'O endereço do broker MQTT deve ter a forma mqtts://servidor:8883.' })
  }
  // An IPv6 literal stands in brackets in a URL, and without them in a socket address.
  return { host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'), port: parsed.port === '' ? 8883 : Number(parsed.port) }
}
