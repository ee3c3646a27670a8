import { setImmediate } from 'node:timers/promises'
import type { Queda } from '@vigia/contracts/eventos'
import type { Database } from '../../../db/open.ts'
import { inScope, type Login, scopeIds } from '../../../http/caller.ts'
import { incidenteFor, viewFor } from '../eventos/mask-plates.ts'
import type { Item } from './encode.ts'
import { hasSameRights, type SessionMonitor } from './session-monitor.ts'
import type { Line, SharedLog } from './shared-log.ts'
import { lastEvento, lastLine, resumeAfter, type TipoAlerta } from './store.ts'

export interface StreamDeps {
  readonly db: Database
  readonly sharedLog: SharedLog
  /** Whether the session is still valid, and its scope. The host was checked when the stream was opened. */
  readonly authenticate: (token: string) => Promise<Login | null>
  /** Time without a message before a heartbeat; default 15 s, as in docs/interface.md. */
  readonly heartbeatMs?: number
  readonly sessions: SessionMonitor
  /** Records that a line was sent to a stream of this session, live. */
  readonly shown: (line: Line, sessaoId: number) => Promise<void>
  /** Longest time between two checks of the session while the client is slow. */
  readonly sessionCheckMs?: number
}

export interface StreamOptions {
  readonly token: string
  /** Also sends `evento` (pending, refuted), `camera` and `queda`. */
  readonly todos: boolean
  /** Also sends `incidente` and `camera`. */
  readonly incidentes: boolean
  /** The last evento that the client received; null: start at the end of the log. */
  readonly ultimoId: number | null
  /** Called with the login when its papel or reach has changed. */
  readonly changed?: (login: Login) => void
}

/** Longest time between two checks of a session. */
export const SESSION_CHECK_MS = 1_000
const PAGE = 50

/**
 * One subscriber's stream. Replay and live messages both come from the log `alertas` (shared-log.ts), page by page, as
 * fast as the client reads. So no alerta is lost between replay and live. A slow client queues only the latest status
 * of each camera and of each queda. Ends with the session (logout, expiry) or when `signal` aborts.
 */
export async function openAlertStream(
  deps: StreamDeps,
  options: StreamOptions,
  signal: AbortSignal,
): Promise<AsyncGenerator<Item, void, void>> {
  const eventos: readonly TipoAlerta[] = options.todos ? ['evento', 'alerta'] : ['alerta']
  const { ultimoId } = options
  // A connection that ends before its first alerta continues here. Read before the end of the log: a later evento may
  // not be sent yet.
  const posicao = ultimoId === null ? await lastEvento(deps.db, eventos) : null
  // Determined before the response begins, so that the client gets every alerta stored after the stream is open.
  const apos = ultimoId === null ? await lastLine(deps.db) : await resumeAfter(deps.db, ultimoId, eventos)
  const tipos: readonly TipoAlerta[] = options.incidentes ? [...eventos, 'incidente'] : eventos
  const fim = ultimoId === null ? apos : await lastLine(deps.db)
  return items(deps, options, { tipos, apos, posicao, fim }, signal)
}

interface Start {
  readonly tipos: readonly TipoAlerta[]
  readonly apos: number
  readonly posicao: number | null
  /** Last line before the stream opened: what comes later is live. */
  readonly fim: number
}

async function* items(
  { sharedLog, sessions, shown, authenticate, heartbeatMs = 15_000, sessionCheckMs = SESSION_CHECK_MS }: StreamDeps,
  { token, todos, incidentes, changed }: StreamOptions,
  { tipos, apos, posicao, fim }: Start,
  signal: AbortSignal,
): AsyncGenerator<Item, void, void> {
  const inbox = sharedLog.openInbox(signal)
  let position = apos
  let lastBeat = performance.now()
  let known: Login | null = null
  try {
    // Before any query: a connection that the database ends now must know where it continues.
    if (posicao !== null) yield { tipo: 'posicao', id: posicao }
    while (!signal.aborted) {
      // The session is checked for every page, and within a page for a slow client. A logout, an expiry or a changed
      // scope takes effect before the next alerta.
      const caller = await authenticate(token)
      if (!caller) return
      if (known && !hasSameRights(known, caller)) changed?.(caller)
      known = caller
      const checkedAt = performance.now()
      inbox.reset()
      for (const dados of inbox.takeCameras())
        if ((todos || incidentes) && inScope(caller, dados.empresa_id)) yield { tipo: 'camera', id: null, dados }
      for (const dados of inbox.takeQuedas())
        if (todos && hears(caller, dados)) yield { tipo: 'queda', id: null, dados }

      const wanted = { tipos, empresas: scopeIds(caller) }
      const page = await sharedLog.read(position, wanted, PAGE)
      let late = false
      for (const linha of page.linhas) {
        const item = itemOf(linha, caller)
        if (item) yield item
        if (linha.tipo === 'alerta' && linha.seq > fim && caller.sessao) await shown(linha, caller.sessao.id)
        position = linha.seq
        late = performance.now() - checkedAt >= sessionCheckMs
        if (late) break
      }
      if (late) continue
      position = page.ate
      if (!page.fim) {
        // On SQLite the query holds the thread.
        await setImmediate()
        continue
      }
      if (performance.now() - lastBeat >= heartbeatMs) {
        yield { tipo: 'batimento' }
        lastBeat = performance.now()
      }
      const stopWatching = sessions.watch({ token, login: caller, changed: inbox.knock })
      position = await inbox.wait(lastBeat + heartbeatMs - performance.now(), position, wanted).finally(stopWatching)
    }
  } finally {
    inbox.close()
  }
}

/** null: a later line announces the same incidente. */
function itemOf(line: Line, caller: Login): Item | null {
  if (line.tipo !== 'incidente') return { tipo: line.tipo, id: line.dados.id, dados: viewFor(caller, line.dados) }
  return line.dados && { tipo: 'incidente', id: null, dados: incidenteFor(caller, line.dados) }
}

/** The local edge serves many Empresas, so only the operator sees its quedas. */
const hears = (caller: Login, { empresa_id }: Queda): boolean =>
  empresa_id === null ? caller.escopo === 'tudo' : inScope(caller, empresa_id)
