import type { Evento, MudancaCamera, Queda } from '@vigia/contracts/eventos'
import type { Incidente } from '@vigia/contracts/incidentes'
import type { Bus } from '../../../adapters/bus.ts'
import { findIncidentes } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import { runForAll } from '../../../db/pool-share.ts'
import { viewEvento } from '../eventos/view-evento.ts'
import { viewIncidente } from '../incidentes/view-incidente.ts'
import { type LogPage, lastLine, readLog, type TipoAlerta } from './store.ts'

/** A line as a stream sends it, before plates are masked. */
export type Line = { readonly seq: number; readonly empresaId: number } & (
  | { readonly tipo: 'evento' | 'alerta'; readonly dados: Evento }
  /** null: a later line of the page announces the same incidente. */
  | { readonly tipo: 'incidente'; readonly dados: Incidente | null }
)

interface Wanted {
  readonly tipos: readonly TipoAlerta[]
  /** null: all. */
  readonly empresas: readonly number[] | null
}

interface Page {
  readonly linhas: readonly Line[]
  /** Last line of the log that was read. */
  readonly ate: number
  /** false: more lines are available at once. */
  readonly fim: boolean
}

/** Messages of the bus to one stream since its last read. */
interface Inbox {
  reset(): void
  takeCameras(): MudancaCamera[]
  takeQuedas(): Queda[]
  /**
   * Waits for a wanted line after `apos`, a message other than `alertas`, `knock`, or `ms`. Resolves with the last line
   * before which none is wanted.
   */
  wait(ms: number, apos: number, wanted: Wanted): Promise<number>
  knock(): void
  close(): void
}

/**
 * The alert log as all streams of this process read it. New lines are read from the database once, and each wakes only
 * the streams that want it. A stream that is further behind than the kept lines reads the database itself.
 */
export interface SharedLog {
  read(apos: number, wanted: Wanted, limite: number): Promise<Page>
  openInbox(signal: AbortSignal): Inbox
}

/**
 * Time for which new lines are kept. A slower client reads the database, so that it gets no evento that was deleted
 * meanwhile.
 */
const KEPT_MS = 3_000
const MOST_KEPT = 2_000
const READ_AT_ONCE = 200
/** Another process may have written lines without a message. */
const POLL_MS = 1_000
const everyKind: readonly TipoAlerta[] = ['evento', 'alerta', 'incidente']

export function createSharedLog({ db, bus }: { readonly db: Database; readonly bus: Bus }): SharedLog {
  const tail = createTail(db)
  const inboxes = new Set<OpenInbox>()
  const waiting = createWaiting()
  let stop = () => {}
  /** Last line that has woken the streams that want it. */
  let announced = 0
  let isReading = false
  let isAsked = false

  /**
   * Reads new lines until the end of the log, also those that are written meanwhile. A request of one Empresa may have
   * caused it, and all streams wait for it.
   */
  const advance = (): Promise<void> => runForAll(readNewLines)

  async function readNewLines(): Promise<void> {
    isAsked = true
    if (isReading) return
    isReading = true
    try {
      while (isAsked) {
        isAsked = false
        const { lines, to } = await tail.advance()
        if (lines === null) for (const inbox of inboxes) inbox.knock()
        else waiting.wakeFor(lines)
        announced = to
      }
    } catch {
      // The streams read the database themselves, so that one unreadable row ends only the streams that want it.
      tail.forget()
    } finally {
      isReading = false
    }
  }

  function start(): void {
    const unsubscribe = bus.subscribe((aviso) => {
      if (aviso.tipo === 'alertas') return void advance()
      for (const inbox of inboxes) {
        if (aviso.tipo === 'camera') inbox.cameras.set(aviso.mudanca.id, aviso.mudanca)
        if (aviso.tipo === 'queda') inbox.quedas.set(aviso.queda.id, aviso.queda)
        inbox.knock()
      }
    })
    const timer = setInterval(() => void advance(), POLL_MS)
    stop = () => {
      unsubscribe()
      clearInterval(timer)
      tail.forget()
    }
    void advance()
  }

  return {
    async read(apos, wanted, limite) {
      const page = tail.read(apos, wanted, limite)
      return page ?? viewPage(db, await readLog(db, { apos, limite, tipos: wanted.tipos, empresas: wanted.empresas }))
    },
    openInbox(signal) {
      const inbox = newInbox(waiting)
      if (inboxes.size === 0) start()
      inboxes.add(inbox)
      signal.addEventListener('abort', inbox.knock, { once: true })
      return {
        reset: () => inbox.reset(signal.aborted),
        takeCameras: () => take(inbox.cameras),
        takeQuedas: () => take(inbox.quedas),
        knock: inbox.knock,
        async wait(ms, apos, wanted) {
          const known = tail.read(apos, wanted, 1)
          if (known === null && tail.isKnown()) return apos
          if (known?.linhas.length === 1) return apos
          const before = tail.generation()
          const line = await inbox.wait(ms, wanted)
          // The stream may have read this line from the database before `advance` did.
          if (line !== null) return Math.max(apos, line.seq - 1)
          // After a gap of the tail nobody has announced the lines of the gap: the stream reads the database.
          return known === null || tail.generation() !== before ? apos : Math.max(apos, announced)
        },
        close() {
          signal.removeEventListener('abort', inbox.knock)
          if (inboxes.delete(inbox) && inboxes.size === 0) stop()
        },
      }
    },
  }
}

/** The newest lines of the log, in memory. */
function createTail(db: Database) {
  /** All lines after `from` up to `to`; null: nothing is known yet. */
  let known: { from: number; to: number } | null = null
  let lines: { readonly line: Line; readonly readAt: number }[] = []
  let generation = 0

  function drop(now: number): void {
    const fresh = lines.findIndex(({ readAt }) => now - readAt < KEPT_MS)
    const count = Math.max(fresh === -1 ? lines.length : fresh, lines.length - MOST_KEPT)
    const last = lines[count - 1]
    if (known === null || last === undefined) return
    known.from = last.line.seq
    lines = lines.slice(count)
  }

  return {
    /** Reads the next lines up to `to`. `lines` null: the first call, before which any line may be new. */
    async advance(): Promise<{ readonly lines: readonly Line[] | null; readonly to: number }> {
      if (known === null) {
        const end = await lastLine(db)
        known = { from: end, to: end }
        return { lines: null, to: end }
      }
      const fresh: Line[] = []
      for (let isEnd = false; !isEnd; ) {
        const page = await readLog(db, { apos: known.to, tipos: everyKind, empresas: null, limite: READ_AT_ONCE })
        const { linhas } = await viewPage(db, page)
        const readAt = performance.now()
        lines.push(...linhas.map((line) => ({ line, readAt })))
        fresh.push(...linhas)
        known.to = page.ate
        isEnd = page.fim
      }
      drop(performance.now())
      return { lines: fresh, to: known.to }
    },
    /** null: the lines after `apos` are not all known. */
    read(apos: number, { tipos, empresas }: Wanted, limite: number): Page | null {
      if (known === null || apos < known.from) return null
      const scope = empresas === null ? null : new Set(empresas)
      const linhas: Line[] = []
      for (let at = firstAfter(apos); at < lines.length; at += 1) {
        const line = lines[at]?.line
        if (line === undefined || !tipos.includes(line.tipo) || scope?.has(line.empresaId) === false) continue
        linhas.push(line)
        if (linhas.length === limite) return { linhas, ate: line.seq, fim: false }
      }
      return { linhas, ate: Math.max(apos, known.to), fim: true }
    },
    forget() {
      known = null
      lines = []
      generation += 1
    },
    isKnown: () => known !== null,
    /** Changes with each gap in what is known. */
    generation: () => generation,
  }

  /** Index of the first line after `apos`. */
  function firstAfter(apos: number): number {
    let at = lines.length
    while (at > 0 && (lines[at - 1]?.line.seq ?? 0) > apos) at -= 1
    return at
  }
}

async function viewPage(db: Database, { linhas, ate, fim }: LogPage): Promise<Page> {
  const current = await readIncidentes(db, linhas)
  return {
    linhas: linhas.map((linha): Line => {
      const { seq, empresaId } = linha
      if (linha.tipo === 'incidente') return { seq, empresaId, tipo: linha.tipo, dados: current.get(seq) ?? null }
      return { seq, empresaId, tipo: linha.tipo, dados: viewEvento(linha.evento) }
    }),
    ate,
    fim,
  }
}

/** Current incidentes of a page, by the `seq` of their last line there. */
async function readIncidentes(db: Database, linhas: LogPage['linhas']): Promise<ReadonlyMap<number, Incidente>> {
  const last = new Map<number, number>()
  for (const linha of linhas) if (linha.tipo === 'incidente') last.set(linha.incidenteId, linha.seq)
  const rows = await findIncidentes(db, [...last.keys()])
  return new Map(rows.map((row) => [last.get(row.id) ?? 0, viewIncidente(row)]))
}

interface Waiter {
  readonly tipos: readonly TipoAlerta[]
  wake(line: Line): void
}

/** Waiting streams by the Empresas that they want. */
function createWaiting() {
  const ofAll = new Set<Waiter>()
  const byEmpresa = new Map<number, Set<Waiter>>()
  const wakeIn = (waiters: ReadonlySet<Waiter> | undefined, line: Line) => {
    for (const waiter of waiters ?? []) if (waiter.tipos.includes(line.tipo)) waiter.wake(line)
  }
  return {
    /** Returns a function that removes it. */
    add(waiter: Waiter, empresas: readonly number[] | null): () => void {
      if (empresas === null) {
        ofAll.add(waiter)
        return () => ofAll.delete(waiter)
      }
      for (const id of empresas) {
        const waiters = byEmpresa.get(id) ?? new Set()
        byEmpresa.set(id, waiters.add(waiter))
      }
      return () => {
        for (const id of empresas) {
          const waiters = byEmpresa.get(id)
          if (waiters?.delete(waiter) && waiters.size === 0) byEmpresa.delete(id)
        }
      }
    },
    wakeFor(lines: readonly Line[]): void {
      for (const line of lines) {
        wakeIn(ofAll, line)
        wakeIn(byEmpresa.get(line.empresaId), line)
      }
    },
  }
}

type OpenInbox = ReturnType<typeof newInbox>

function newInbox(waiting: ReturnType<typeof createWaiting>) {
  let woken = false
  let wake = (_line: Line | null) => {}
  const knock = () => {
    woken = true
    wake(null)
  }
  return {
    cameras: new Map<number, MudancaCamera>(),
    quedas: new Map<number, Queda>(),
    knock,
    reset(isAborted: boolean) {
      woken = isAborted
    },
    /** Resolves with the first wanted line; null: there was none. */
    async wait(ms: number, { tipos, empresas }: Wanted): Promise<Line | null> {
      if (woken) return null
      return new Promise((resolve) => {
        const timer = setTimeout(() => wake(null), ms)
        const remove = waiting.add({ tipos, wake: (line) => wake(line) }, empresas)
        wake = (line) => {
          clearTimeout(timer)
          remove()
          wake = () => {}
          resolve(line)
        }
      })
    },
  }
}

function take<T>(map: Map<number, T>): T[] {
  const taken = [...map.values()]
  map.clear()
  return taken
}
