import type { Database } from '../../db/open.ts'
import type { EventoRow } from '../../db/rows.ts'

export type TipoAlerta = 'evento' | 'alerta'
interface LogLine {
  readonly seq: number
  readonly tipo: TipoAlerta
  readonly evento: EventoRow
}
export interface LogPage {
  readonly linhas: LogLine[]
  /** Up to where the log has been looked through: what to pass as `apos` next. */
  readonly ate: number
  /** False: there is more at once. */
  readonly fim: boolean
}

/** The newest line of the log; 0 when it is empty. */
export async function lastLine(db: Database): Promise<number> {
  const row = await db.selectFrom('alertas').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return row?.seq ?? 0
}

/** Lines looked through in one statement, whatever is found among them: some milliseconds, then others have their turn. */
const STRETCH = 5000

/**
 * Lines of the log after `apos`, in order, of those kinds and Empresas (null: all). The log has one writer at a time (a
 * SQLite transaction), so a line never appears before one that was already read.
 */
export async function readLog(
  db: Database,
  {
    apos,
    tipos,
    empresas,
    limite,
  }: { apos: number; tipos: readonly TipoAlerta[]; empresas: number[] | null; limite: number },
): Promise<LogPage> {
  const newest = await lastLine(db)
  if (newest <= apos) return { linhas: [], ate: apos, fim: true }
  const until = Math.min(newest, apos + STRETCH)
  let query = db
    .selectFrom('alertas')
    // A cross join is read from left to right by SQLite. Left to choose, it walks through every event of the Empresa.
    .crossJoin('eventos')
    .whereRef('eventos.id', '=', 'alertas.evento_id')
    .selectAll('eventos')
    .select(['alertas.seq as linha_seq', 'alertas.tipo as linha_tipo'])
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
    linhas: rows.map(({ linha_seq: seq, linha_tipo: tipo, ...evento }) => ({ seq, tipo, evento })),
    ate: full ? last.linha_seq : until,
    fim: !full && until === newest,
  }
}

/**
 * Where a client that last saw event `eventoId` goes on: behind the first line of that event among the kinds it listens
 * to. It certainly saw that line and may have missed everything later, a second line of the same event included. An
 * event that never stood in those lines: from the first event after it.
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
  // It stood in other lines: what came after the first of them was not seen.
  const other = await db
    .selectFrom('alertas')
    .select('seq')
    .where('evento_id', '=', eventoId)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  if (other) return other.seq
  // No such event, or none any more: events with later ids came later, but for those that were overtaken on their way.
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
