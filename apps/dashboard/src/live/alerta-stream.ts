import {
  type Evento,
  eventoSchema,
  type MudancaCamera,
  mudancaCameraSchema,
  type Queda,
  quedaSchema,
} from '@vigia/contracts/eventos'
import { type Incidente, incidenteSchema } from '@vigia/contracts/incidentes'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import { createParser } from 'eventsource-parser'

/** State of the stream as the screen shows it. `expirada`: the session has ended; the stream does not reconnect. */
export type StreamState = 'conectando' | 'ao_vivo' | 'reconectando' | 'expirada'

/** Silence that counts as a dead connection. The server sends a comment every 15 s. */
const SILENCE_MS = 35_000

/** Delay between two attempts to reach the cloud. The stream must be live within `maxMs` after the network returns. */
export const RECONNECT: BackoffLimits = { minMs: 1_000, maxMs: 15_000 }

/** Largest unfinished message, characters. An endless line would fill the page's memory. */
export const MAX_PENDING = 1_048_576

/** Lifetime from which a connection counts as stable: the next loss starts with the shortest delay. */
const STABLE_MS = 10_000

interface AlertaStreamHandlers {
  onState(state: StreamState): void
  onEvento(evento: Evento): void
  onIncidente(incidente: Incidente): void
  onCamera(change: MudancaCamera): void
  /** Called for the start and the end of a queda. */
  onQueda(queda: Queda): void
  /**
   * Changes may have been missed: fetch the lists again. Called at each opening and for an unreadable message. The
   * first opening counts too: changes between the answer of a list and the opening are in neither.
   */
  onGap(): void
}

export interface AlertaStreamOptions extends AlertaStreamHandlers {
  readonly url: string
  readonly fetch: typeof globalThis.fetch
  readonly silenceMs?: number
  /** Delay before a new attempt; resolves early when `signal` aborts. */
  readonly wait?: (attempt: number, signal: AbortSignal) => Promise<void>
}

export interface AlertaStream {
  start(): void
  stop(): void
  /** Retries immediately: the network is back, or the page is visible again. */
  hurry(): void
  /** Closes the connection and opens a new one: the browser reports a lost network, but keeps open connections. */
  reconnect(): void
}

/**
 * Reads the alert stream between `start` and `stop`, with unlimited reconnections. It does not use EventSource, which
 * hides the status of a refusal (401) and the server's heartbeat. After sleep or a change of network, EventSource
 * reports a half-open connection as open for minutes.
 */
export function createAlertaStream(options: AlertaStreamOptions): AlertaStream {
  const { url, silenceMs = SILENCE_MS, wait = waitWithBackoff, ...handlers } = options
  let running: AbortController | null = null
  let waiting: AbortController | null = null
  let connection: AbortController | null = null
  let lastEventId = ''

  /** Reads the messages of one connection. */
  const createReader = () =>
    createParser({
      maxBufferSize: MAX_PENDING,
      onId(id) {
        if (id !== '') lastEventId = id
      },
      onEvent({ event, data }) {
        if (!handOn(event, data, handlers)) handlers.onGap()
      },
      onError(error) {
        // Other errors are unknown fields, which the format ignores.
        if (error.type === 'max-buffer-size-exceeded') throw error
      },
    })

  /** Runs one connection from request to loss. Calls `onOpen` after the server has accepted it. */
  async function connect(signal: AbortSignal, onOpen: () => void): Promise<'expirada' | 'caiu'> {
    const attempt = new AbortController()
    connection = attempt
    const abort = () => attempt.abort()
    signal.addEventListener('abort', abort)
    let silence = setTimeout(abort, silenceMs)
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' }
      if (lastEventId !== '') headers['last-event-id'] = lastEventId
      const response = await options.fetch(url, { headers, cache: 'no-store', signal: attempt.signal })
      // 403: the login must first turn on its second factor; the sign-in leads to it.
      if (response.status === 401 || response.status === 403) return 'expirada'
      const type = response.headers.get('content-type') ?? ''
      if (!response.ok || !type.startsWith('text/event-stream') || !response.body) return 'caiu'
      onOpen()
      const parser = createReader()
      const decoder = new TextDecoder()
      const reader = response.body.getReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done || signal.aborted) return 'caiu'
        clearTimeout(silence)
        silence = setTimeout(abort, silenceMs)
        parser.feed(decoder.decode(value, { stream: true }))
      }
    } catch (error) {
      // Refused, cut, silent or unreadable: the state shows all of them as not live. The logged cause helps in
      // debugging.
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
      // A proxy that accepts and closes immediately is no working connection, so the delay keeps growing.
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
    reconnect() {
      connection?.abort()
    },
  }
}

/** Returns false for an unreadable message with a known name. Messages with unknown names are ignored. */
function handOn(event: string | undefined, data: string, handlers: AlertaStreamHandlers): boolean {
  if (event === 'alerta' || event === 'evento') {
    const evento = eventoSchema.safeParse(parseJson(data))
    if (evento.success) handlers.onEvento(evento.data)
    return evento.success
  }
  if (event === 'incidente') {
    const incidente = incidenteSchema.safeParse(parseJson(data))
    if (incidente.success) handlers.onIncidente(incidente.data)
    return incidente.success
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
    return undefined // no schema accepts undefined
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
