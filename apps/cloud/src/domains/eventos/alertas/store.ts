import type { Selectable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { EventoRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

export type TipoAlerta = Selectable<Tables['alertas']>['tipo']
type LogLine = { readonly seq: number; readonly empresaId: number } & (
  | { readonly tipo: 'evento' | 'alerta'; readonly evento: EventoRow }
  | { readonly tipo: 'incidente'; readonly incidenteId: number }
)
export interface LogPage {
  readonly linhas: LogLine[]
  /** Last line of the log that was read: the next value of `apos`. */
  readonly ate: number
  /** false: more lines are available at once. */
  readonly fim: boolean
}

/** Notes that an `alerta` was sent to a stream of this session, unless two sessions are noted already. */
export const noteShown = async (db: Database, seq: number, sessaoId: number): Promise<void> => {
  await db
    .updateTable('alertas')
    .set((eb) => ({
      outra_sessao_id: eb.case().when('sessao_id', 'is', null).then(null).else(sessaoId).end(),
      sessao_id: eb.fn.coalesce('sessao_id', eb.val(sessaoId)),
    }))
    .where('seq', '=', seq)
    .where('outra_sessao_id', 'is', null)
    .where((eb) => eb.or([eb('sessao_id', 'is', null), eb('sessao_id', '<>', sessaoId)]))
    .execute()
}

/** The newest line of the log; 0 for an empty log. */
export async function lastLine(db: Database): Promise<number> {
  const row = await db.selectFrom('alertas').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return row?.seq ?? 0
}

/**
 * The evento of the last line of these kinds, in any Empresa; 0: none. A client that continues after it gets every line
 * that is written from now on (`resumeAfter`).
 */
export async function lastEvento(db: Database, tipos: readonly TipoAlerta[]): Promise<number> {
  const row = await db
    .selectFrom('alertas')
    .select('evento_id')
    .where('tipo', 'in', tipos)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.evento_id ?? 0
}

/** Lines that one statement reads, matching or not. A statement of this size takes a few milliseconds. */
const STRETCH = 5000

/**
 * Lines of the log after `apos`, in order, of the given kinds and Empresas (null: all). The log has one writer at a
 * time (db/incidentes.ts, `insertAlertas`), so no line appears later with a lower number.
 */
export async function readLog(
  db: Database,
  {
    apos,
    tipos,
    empresas,
    limite,
  }: { apos: number; tipos: readonly TipoAlerta[]; empresas: readonly number[] | null; limite: number },
): Promise<LogPage> {
  const newest = await lastLine(db)
  if (newest <= apos) return { linhas: [], ate: apos, fim: true }
  const until = Math.min(newest, apos + STRETCH)
  let query = db
    .selectFrom('alertas')
    // SQLite reads a cross join from left to right. With another join its planner scans every evento of the Empresa.
    .crossJoin('eventos')
    .whereRef('eventos.id', '=', 'alertas.evento_id')
    .selectAll('eventos')
    .select(['alertas.seq as linha_seq', 'alertas.tipo as linha_tipo', 'alertas.incidente_id as linha_incidente_id'])
    .where('alertas.seq', '>', apos)
    .where('alertas.seq', '<=', until)
    .where('alertas.tipo', 'in', tipos)
    .orderBy('alertas.seq')
    .limit(limite)
  if (empresas !== null) query = query.where('eventos.empresa_id', 'in', empresas)
  const rows = await query.execute()
  const last = rows.at(-1)
  const full = last !== undefined && rows.length === limite
  return {
    linhas: rows.map(({ linha_seq: seq, linha_tipo: tipo, linha_incidente_id, ...evento }): LogLine => {
      const empresaId = evento.empresa_id
      if (tipo === 'incidente') return { seq, empresaId, tipo, incidenteId: linha_incidente_id ?? 0 }
      return { seq, empresaId, tipo, evento }
    }),
    ate: full ? last.linha_seq : until,
    fim: !full && until === newest,
  }
}

/**
 * The line after which a client continues that last received evento `eventoId`: the first line of that evento among its
 * kinds. The client received that line, and may have missed everything later, including a second line of the same
 * evento. For an evento without such a line, the client continues before the first later evento.
 */
export async function resumeAfter(db: Database, eventoId: number, tipos: readonly TipoAlerta[]): Promise<number> {
  const seen = await db
    .selectFrom('alertas')
    .select('seq')
    .where('evento_id', '=', eventoId)
    .where('tipo', 'in', tipos)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  if (seen) return seen.seq
  // The evento has only lines of other kinds: the client continues after the first of them.
  const other = await db
    .selectFrom('alertas')
    .select('seq')
    .where('evento_id', '=', eventoId)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  if (other) return other.seq
  // The evento does not exist. Eventos with higher ids arrived later, except for reordered ones.
  const next = await db
    .selectFrom('alertas')
    .select('seq')
    .where('evento_id', '>=', eventoId)
    .orderBy('evento_id')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return next ? next.seq - 1 : lastLine(db)
}
