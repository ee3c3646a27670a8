import type { MudancaCamera } from '@vigia/contracts/eventos'
import type { Database } from '../../db/open.ts'
import type { Authenticate } from '../../http/access.ts'
import { inScope, scopeIds } from '../../http/caller.ts'
import { viewEvent } from '../eventos/view-event.ts'
import type { Bus } from './bus.ts'
import { lastLine, readLog, resumeAfter, type TipoAlerta } from './store.ts'

export interface StreamDeps {
  readonly db: Database
  readonly bus: Bus
  readonly authenticate: Authenticate
  /** Silence after which a comment is sent, ms (decisions, Real time: 15 s). */
  readonly heartbeatMs?: number
  /** How often an idle stream looks whether its session still stands, ms. */
  readonly sessionCheckMs?: number
}

export interface StreamOptions {
  readonly token: string
  /** Also `evento` (pending, refuted) and `camera`. */
  readonly todos: boolean
  /** The `Last-Event-ID` header; null: from now on. */
  readonly lastEventId: string | null
}

const PAGE = 50

/**
 * One subscriber's stream, as text of the Server-Sent Events format. Everything comes from the table `alertas`, replay and
 * live alike, one page after the other at the client's own pace: there is no seam between the two where an alert could
 * fall through, and nothing is queued for a slow client but the latest status of each camera.
 * Ends when the session does (logout, expiry), or when `signal` aborts.
 */
export async function openAlertStream(
  deps: StreamDeps,
  options: StreamOptions,
  signal: AbortSignal,
): Promise<AsyncGenerator<string, void, void>> {
  const tipos: readonly TipoAlerta[] = options.todos ? ['evento', 'alerta'] : ['alerta']
  const eventoId = /^\d{1,10}$/.test(options.lastEventId ?? '') ? Number(options.lastEventId) : null
  // Fixed before the response begins: whatever is stored once the client sees the stream open will reach it.
  const apos = eventoId === null ? await lastLine(deps.db) : await resumeAfter(deps.db, eventoId, tipos)
  return frames(deps, options, { tipos, apos }, signal)
}

async function* frames(
  { db, bus, authenticate, heartbeatMs = 15_000, sessionCheckMs = 1000 }: StreamDeps,
  { token, todos }: StreamOptions,
  { tipos, apos }: { tipos: readonly TipoAlerta[]; apos: number },
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const inbox = openInbox(bus, signal)
  let position = apos
  let lastSent = performance.now()
  try {
    yield 'retry: 3000\n: conectado\n\n'
    while (!signal.aborted) {
      // Asked anew for every page: a logout, an expiry or a changed scope takes effect before the next alert.
      const caller = await authenticate(token)
      if (!caller) return
      inbox.reset()
      for (const mudanca of inbox.takeCameras())
        if (todos && inScope(caller, mudanca.empresa_id)) yield `event: camera\ndata: ${JSON.stringify(mudanca)}\n\n`

      const page = await readLog(db, { apos: position, tipos, empresas: scopeIds(caller), limite: PAGE })
      for (const { tipo, evento } of page.linhas) {
        yield `id: ${evento.id}\nevent: ${tipo}\ndata: ${JSON.stringify(viewEvent(evento))}\n\n`
        lastSent = performance.now()
      }
      position = page.ate
      if (!page.fim) continue
      if (performance.now() - lastSent >= heartbeatMs) {
        yield ': \n\n'
        lastSent = performance.now()
      }
      await inbox.wait(Math.min(sessionCheckMs, heartbeatMs))
    }
  } finally {
    inbox.close()
  }
}

/** What the bus said since it was last looked at: "something", and the newest status of each camera. */
function openInbox(bus: Bus, signal: AbortSignal) {
  const cameras = new Map<number, MudancaCamera>()
  let woken = false
  let wake = () => {}
  const knock = () => {
    woken = true
    wake()
  }
  const unsubscribe = bus.subscribe((aviso) => {
    if (aviso.tipo === 'camera') cameras.set(aviso.mudanca.id, aviso.mudanca)
    knock()
  })
  signal.addEventListener('abort', knock, { once: true })
  return {
    reset() {
      woken = signal.aborted
    },
    takeCameras(): MudancaCamera[] {
      const taken = [...cameras.values()]
      cameras.clear()
      return taken
    },
    /** Until the next news, `ms` at most. */
    async wait(ms: number): Promise<void> {
      if (woken) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
      wake = () => {}
    },
    close() {
      unsubscribe()
      signal.removeEventListener('abort', knock)
    },
  }
}
