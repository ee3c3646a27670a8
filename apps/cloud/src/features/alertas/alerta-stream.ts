import { setImmediate } from 'node:timers/promises'
import type { MudancaCamera, Queda } from '@vigia/contracts/eventos'
import type { Incidente } from '@vigia/contracts/incidentes'
import type { Bus } from '../../adapters/bus.ts'
import { findIncidentes } from '../../db/incidentes.ts'
import type { Database } from '../../db/open.ts'
import { inScope, type Login, scopeIds } from '../../http/caller.ts'
import { viewFor } from '../eventos/mask-plates.ts'
import { viewEvento } from '../eventos/view-evento.ts'
import { viewIncidente } from '../incidentes/view-incidente.ts'
import type { Item } from './encode.ts'
import { type LogPage, lastLine, newestEvento, readLog, resumeAfter, type TipoAlerta } from './store.ts'

export interface StreamDeps {
  readonly db: Database
  readonly bus: Bus
  /** Whether the session is still valid, and its scope. The host was checked when the stream was opened. */
  readonly authenticate: (token: string) => Promise<Login | null>
  /** Time without a message before a heartbeat; default 15 s, as in docs/interface.md. */
  readonly heartbeatMs?: number
  /** Longest time between two checks of the session. */
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
}

const PAGE = 50

/**
 * One subscriber's stream. Replay and live messages both come from the table `alertas`, page by page at the client's
 * pace. So no alerta is lost between replay and live. A slow client queues only the latest status of each camera and of
 * each queda. Ends with the session (logout, expiry) or when `signal` aborts.
 */
export async function openAlertStream(
  deps: StreamDeps,
  options: StreamOptions,
  signal: AbortSignal,
): Promise<AsyncGenerator<Item, void, void>> {
  const eventos: readonly TipoAlerta[] = options.todos ? ['evento', 'alerta'] : ['alerta']
  const { ultimoId, token } = options
  // A connection that ends before its first alerta continues here. Read before the end of the log: a later evento may
  // not be sent yet.
  const caller = ultimoId === null ? await deps.authenticate(token) : null
  const posicao = caller && (await newestEvento(deps.db, scopeIds(caller)))
  // Determined before the response begins, so that the client gets every alerta stored after the stream is open.
  const apos = ultimoId === null ? await lastLine(deps.db) : await resumeAfter(deps.db, ultimoId, eventos)
  const tipos: readonly TipoAlerta[] = options.incidentes ? [...eventos, 'incidente'] : eventos
  return items(deps, options, { tipos, apos, posicao }, signal)
}

async function* items(
  { db, bus, authenticate, heartbeatMs = 15_000, sessionCheckMs = 1000 }: StreamDeps,
  { token, todos, incidentes }: StreamOptions,
  { tipos, apos, posicao }: { tipos: readonly TipoAlerta[]; apos: number; posicao: number | null },
  signal: AbortSignal,
): AsyncGenerator<Item, void, void> {
  const inbox = openInbox(bus, signal)
  let position = apos
  let lastBeat = performance.now()
  let isPlaced = posicao === null
  try {
    while (!signal.aborted) {
      // The session is checked for every page, and within a page for a slow client. A logout, an expiry or a changed
      // scope takes effect before the next alerta.
      const caller = await authenticate(token)
      if (!caller) return
      const checkedAt = performance.now()
      inbox.reset()
      if (!isPlaced && posicao !== null) yield { tipo: 'posicao', id: posicao }
      isPlaced = true
      for (const dados of inbox.takeCameras())
        if ((todos || incidentes) && inScope(caller, dados.empresa_id)) yield { tipo: 'camera', id: null, dados }
      for (const dados of inbox.takeQuedas())
        if (todos && hears(caller, dados)) yield { tipo: 'queda', id: null, dados }

      const page = await readLog(db, { apos: position, tipos, empresas: scopeIds(caller), limite: PAGE })
      const current = await readIncidentes(db, page.linhas)
      let late = false
      for (const linha of page.linhas) {
        const dados = current.get(linha.seq)
        if (dados) yield { tipo: 'incidente', id: null, dados }
        if (linha.tipo !== 'incidente')
          yield { tipo: linha.tipo, id: linha.evento.id, dados: viewFor(caller, viewEvento(linha.evento)) }
        position = linha.seq
        late = performance.now() - checkedAt >= sessionCheckMs
        if (late) break
      }
      if (late) continue
      position = page.ate
      if (!page.fim) {
        // The database query is synchronous.
        await setImmediate()
        continue
      }
      if (performance.now() - lastBeat >= heartbeatMs) {
        yield { tipo: 'batimento' }
        lastBeat = performance.now()
      }
      await inbox.wait(Math.min(sessionCheckMs, heartbeatMs))
    }
  } finally {
    inbox.close()
  }
}

/** Current incidentes of a page, by the `seq` of their last line there. */
async function readIncidentes(db: Database, linhas: LogPage['linhas']): Promise<ReadonlyMap<number, Incidente>> {
  const last = new Map<number, number>()
  for (const linha of linhas) if (linha.tipo === 'incidente') last.set(linha.incidenteId, linha.seq)
  const rows = await findIncidentes(db, [...last.keys()])
  return new Map(rows.map((row) => [last.get(row.id) ?? 0, viewIncidente(row)]))
}

/** The local edge serves many Empresas, so only the operator sees its quedas. */
const hears = (caller: Login, { empresa_id }: Queda): boolean =>
  empresa_id === null ? caller.escopo === 'tudo' : inScope(caller, empresa_id)

/** Messages of the bus since the last read: a flag for new alertas, and the newest state of each camera and queda. */
function openInbox(bus: Bus, signal: AbortSignal) {
  const cameras = new Map<number, MudancaCamera>()
  const quedas = new Map<number, Queda>()
  let woken = false
  let wake = () => {}
  const knock = () => {
    woken = true
    wake()
  }
  const unsubscribe = bus.subscribe((aviso) => {
    if (aviso.tipo === 'camera') cameras.set(aviso.mudanca.id, aviso.mudanca)
    if (aviso.tipo === 'queda') quedas.set(aviso.queda.id, aviso.queda)
    knock()
  })
  signal.addEventListener('abort', knock, { once: true })
  return {
    reset() {
      woken = signal.aborted
    },
    takeCameras: () => take(cameras),
    takeQuedas: () => take(quedas),
    /** Resolves at the next message of the bus, or after `ms`. */
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

function take<T>(map: Map<number, T>): T[] {
  const taken = [...map.values()]
  map.clear()
  return taken
}
