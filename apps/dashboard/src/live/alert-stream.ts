import {
  type Evento,
  eventoSchema,
  type MudancaCamera,
  mudancaCameraSchema,
  type Queda,
  quedaSchema,
} from '@vigia/contracts/eventos'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import { createSseParser, type SseMessage } from './sse-parser.ts'

/** What the person is told about the stream. `expirada`: the session ended; it never comes back by itself. */
export type StreamState = 'conectando' | 'ao_vivo' | 'reconectando' | 'expirada'

/** The server sends a comment every 15 s; silence longer than this means that the connection is dead. */
const SILENCE_MS = 35_000

/** Waits between two attempts to reach the central. A guard must not wait longer than `maxMs` once the network is back. */
export const RECONNECT: BackoffLimits = { minMs: 1_000, maxMs: 15_000 }

/** A connection that lived this long was a good one, and the next loss starts with the shortest wait. */
const STABLE_MS = 10_000

interface AlertStreamHandlers {
  onState(state: StreamState): void
  /** `confirmed`: it came as an alert (`event: alerta`); otherwise it is pending or refuted. */
  onEvento(evento: Evento, confirmed: boolean): void
  onCamera(change: MudancaCamera): void
  /** An outage that began, or is over. */
  onQueda(queda: Queda): void
  /**
   * Something may have been missed: fetch the lists again. At every opening, the first included (what happened between the
   * answer of the list and the opening came by neither), and for a message that this page cannot read.
   */
  onGap(): void
}

export interface AlertStreamOptions extends AlertStreamHandlers {
  readonly url: string
  readonly fetch: typeof globalThis.fetch
  readonly silenceMs?: number
  /** Wait before a new attempt, ms; settles early when `signal` aborts. */
  readonly wait?: (attempt: number, signal: AbortSignal) => Promise<void>
}

export interface AlertStream {
  start(): void
  stop(): void
  /** Tries at once instead of after the wait: the network came back, or the page is looked at again. */
  hurry(): void
}

/**
 * Reads the alert stream for as long as it is started, reconnecting for ever. It reads the body itself instead of using
 * EventSource, which hides what an honest "ao vivo" needs: the status of a refusal (401: sign in again) and the server's
 * heartbeat (a half-open connection after sleep or a change of network looks open to EventSource for minutes).
 */
export function createAlertStream(options: AlertStreamOptions): AlertStream {
  const { url, silenceMs = SILENCE_MS, wait = waitWithBackoff, ...handlers } = options
  let running: AbortController | null = null
  let waiting: AbortController | null = null
  let lastEventId = ''

  const onMessage = (message: SseMessage) => {
    if (message.id !== '') lastEventId = message.id
    if (!handOn(message, handlers)) handlers.onGap()
  }

  /** One connection, from request to loss. Calls `onOpen` once the server has accepted it. */
  async function connect(signal: AbortSignal, onOpen: () => void): Promise<'expirada' | 'caiu'> {
    const attempt = new AbortController()
    const abort = () => attempt.abort()
    signal.addEventListener('abort', abort)
    let silence = setTimeout(abort, silenceMs)
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' }
      if (lastEventId !== '') headers['last-event-id'] = lastEventId
      const response = await options.fetch(url, { headers, cache: 'no-store', signal: attempt.signal })
      // 403: the login has to turn its second factor on first, to which the sign-in leads.
      if (response.status === 401 || response.status === 403) return 'expirada'
      const type = response.headers.get('content-type') ?? ''
      if (!response.ok || !type.startsWith('text/event-stream') || !response.body) return 'caiu'
      onOpen()
      const parser = createSseParser(onMessage)
      const decoder = new TextDecoder()
      const reader = response.body.getReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done || signal.aborted) return 'caiu'
        clearTimeout(silence)
        silence = setTimeout(abort, silenceMs)
        parser.push(decoder.decode(value, { stream: true }))
      }
    } catch (error) {
      // Refused, cut, silent or unreadable: all mean "not live", which the state shows; the cause helps who debugs.
      if (!signal.aborted) console.warn('vigia: fluxo de alertas interrompido', error)
      return 'caiu'
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', abort)
      attempt.abort()
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    handlers.onState('conectando')
    let attempt = 0
    while (!signal.aborted) {
      let openedAt = Number.POSITIVE_INFINITY
      const end = await connect(signal, () => {
        openedAt = performance.now()
        handlers.onState('ao_vivo')
        handlers.onGap()
      })
      if (signal.aborted) return
      if (end === 'expirada') return handlers.onState('expirada')
      handlers.onState('reconectando')
      // A proxy that accepts and hangs up at once is not a working connection: keep waiting longer.
      if (performance.now() - openedAt >= STABLE_MS) attempt = 0
      waiting = new AbortController()
      await wait(attempt, AbortSignal.any([signal, waiting.signal]))
      attempt += 1
    }
  }

  return {
    start() {
      if (running) return
      running = new AbortController()
      void run(running.signal)
    },
    stop() {
      running?.abort()
      running = null
    },
    hurry() {
      waiting?.abort()
    },
  }
}

/** False when the message is one of ours and cannot be read; names that this page does not know are no concern of it. */
function handOn({ event, data }: SseMessage, handlers: AlertStreamHandlers): boolean {
  if (event === 'alerta' || event === 'evento') {
    const evento = eventoSchema.safeParse(parseJson(data))
    if (evento.success) handlers.onEvento(evento.data, event === 'alerta')
    return evento.success
  }
  if (event === 'camera') {
    const change = mudancaCameraSchema.safeParse(parseJson(data))
    if (change.success) handlers.onCamera(change.data)
    return change.success
  }
  if (event === 'queda') {
    const queda = quedaSchema.safeParse(parseJson(data))
    if (queda.success) handlers.onQueda(queda.data)
    return queda.success
  }
  return true
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no schema accepts it
  }
}

function waitWithBackoff(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, backoffMs(attempt, RECONNECT))
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
