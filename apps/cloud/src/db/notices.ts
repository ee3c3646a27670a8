import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../http/request-log.ts'

/**
 * Messages between the replicas, by NOTIFY of PostgreSQL. They carry no data that is not in the database. A lost one
 * only delays the change that it announces.
 */
export type Notice =
  /** New lines in `alertas`, or ended sessions: streams read the database. */
  | { readonly tipo: 'alertas' | 'sessoes' }
  /** Work may be claimable. */
  | { readonly tipo: 'trabalho' }
  /** Replicas or edges came or went. */
  | { readonly tipo: 'replicas' }
  /** The desired state of an edge changed. */
  | { readonly tipo: 'desejado'; readonly edgeId: number }
  /** A publication was requested or done (`publicacoes`). */
  | { readonly tipo: 'publicacao' }
  /** The agent of an authorization cancels one of its calls. */
  | { readonly tipo: 'cancelar'; readonly autorizacaoId: number; readonly id: string | number }

export interface Notices {
  /** Sends to the other replicas. Never rejects. */
  send(notice: Notice): void
  onNotice(listener: (notice: Notice) => void): void
  /** Called when the connection is ready again: messages may have been lost. */
  onConnected(listener: () => void): void
  readonly connected: boolean
  start(): void
  stop(): Promise<void>
}

interface NoticesDeps {
  /** URL without a pooler in transaction mode, which has no LISTEN. */
  readonly url: string
  /** Sender of own messages, which are not delivered here. */
  readonly replica: string
  readonly log: Logger
}

const CHANNEL = 'vigia'
/** PostgreSQL's limit is 8,000 bytes. */
const MAX_BYTES = 7_000
const RETRY_MS = 1_000
const PING_MS = 2_000
const ANSWER_MS = 5_000
/** Equal messages within this time are sent once. */
const COALESCE_MS = 10

/** Holds one connection for both directions, and opens another one whenever it ends. */
export function createNotices({ url, replica, log }: NoticesDeps): Notices {
  const listeners = new Set<(notice: Notice) => void>()
  const onReady = new Set<() => void>()
  const waiting = new Map<string, NodeJS.Timeout>()
  const stopping = new AbortController()
  let client: pg.Client | null = null
  let loop: Promise<void> = Promise.resolve()

  async function session(): Promise<void> {
    const current = new pg.Client({ connectionString: url, application_name: `vigia ${replica}`, keepAlive: true })
    const ended = Promise.withResolvers<void>()
    current.on('error', (err) => {
      log.warn({ err }, 'notices: connection lost')
      ended.resolve()
    })
    current.on('end', ended.resolve)
    current.on('notification', ({ payload = '' }) => receive(payload))
    try {
      await current.connect()
      await current.query(`listen ${CHANNEL}`)
      client = current
      for (const listener of onReady) listener()
      await Promise.race([ended.promise, silent(current), aborted(stopping.signal)])
    } finally {
      client = null
      // Without an answer of the server `end` would wait for ever.
      await Promise.race([current.end().catch(() => {}), delay(RETRY_MS, undefined, { ref: false })])
    }
  }

  /** Resolves when the server no longer answers: a cut network ends no connection. */
  async function silent(current: pg.Client): Promise<void> {
    while (client === current && !stopping.signal.aborted) {
      const answer = current.query('select 1').then(
        () => true,
        () => false,
      )
      if (!(await Promise.race([answer, delay(ANSWER_MS, false, { ref: false })]))) return
      await delay(PING_MS, undefined, { ref: false })
    }
  }

  function receive(payload: string): void {
    const { de, ...notice } = JSON.parse(payload) as Notice & { readonly de: string }
    if (de === replica) return
    for (const listener of listeners) listener(notice as Notice)
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await session().catch((err: unknown) => log.warn({ err }, 'notices: not connected; retrying'))
      await delay(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const flush = (payload: string) => {
    waiting.delete(payload)
    client
      ?.query('select pg_notify($1, $2)', [CHANNEL, payload])
      .catch((err: unknown) => log.debug({ err }, 'notice not sent'))
  }

  return {
    send(notice) {
      const payload = JSON.stringify({ de: replica, ...notice })
      if (waiting.has(payload) || Buffer.byteLength(payload) > MAX_BYTES) return
      waiting.set(payload, setTimeout(flush, COALESCE_MS, payload).unref())
    },
    onNotice: (listener) => void listeners.add(listener),
    onConnected: (listener) => void onReady.add(listener),
    get connected() {
      return client !== null
    },
    start() {
      loop = run()
    },
    async stop() {
      for (const [payload, timer] of waiting) {
        clearTimeout(timer)
        flush(payload)
      }
      stopping.abort()
      await loop
    },
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
