import type { Certeza, Decisao } from '@vigia/contracts/eventos'
import { type Gravidade, gravidades } from '@vigia/contracts/ias'
import type { SituacaoIncidente } from '@vigia/contracts/incidentes'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { lockName } from './locks.ts'
import type { Database } from './open.ts'
import type { Tables } from './tables.ts'

export type IncidenteRow = Selectable<Tables['incidentes']>
export type AlertLine = Insertable<Tables['alertas']>

/**
 * Locks the incidente's row until the transaction ends, before the rows of its events (architecture.md, Incidents).
 * @returns the incidente; undefined: none has this id
 */
export const lockIncidente = (tx: Database, id: number): Promise<IncidenteRow | undefined> =>
  locking(tx).where('id', '=', id).returningAll().executeTakeFirst()

/** Locks the incidente of an event; undefined: the event has none. The incidente of an event never changes. */
export const lockIncidenteOf = (tx: Database, eventoId: number): Promise<IncidenteRow | undefined> =>
  locking(tx)
    .where('id', '=', (eb) => eb.selectFrom('eventos').select('incidente_id').where('eventos.id', '=', eventoId))
    .returningAll()
    .executeTakeFirst()

/** An update without effect: it locks on every database, and is a write, so that SQLite allows the writes after it. */
export const locking = (tx: Database) => tx.updateTable('incidentes').set((eb) => ({ fim: eb.ref('fim') }))

/** Changes a locked incidente and returns its line for the alert log, which the caller writes last. */
export async function changeIncidente(
  tx: Database,
  { id }: IncidenteRow,
  changes: Updateable<Tables['incidentes']>,
  now: number,
): Promise<AlertLine> {
  const row = await tx
    .updateTable('incidentes')
    .set((eb) => ({ ...changes, versao: eb('versao', '+', 1), anunciado_em: now }))
    .where('id', '=', id)
    .returning(['id', 'capa_evento_id'])
    .executeTakeFirstOrThrow()
  return lineOf(row, now)
}

/**
 * Adds lines to the alert log: the last statement of a transaction. A line gets its number here but is visible only
 * after the commit. Writers therefore follow one another, so that a reader that has seen a number misses no lower one.
 */
export const insertAlertas = async (tx: Database, lines: readonly AlertLine[]): Promise<void> => {
  await lockName(tx, 'alertas')
  await tx.insertInto('alertas').values(lines).execute()
}

/** Line of the alert log that announces an incidente. */
export const lineOf = (row: Pick<IncidenteRow, 'id' | 'capa_evento_id'>, now: number): AlertLine => ({
  evento_id: row.capa_evento_id,
  tipo: 'incidente',
  incidente_id: row.id,
  criado_em: now,
})

export const situacaoOf = ({
  confirmados,
  pendentes,
}: Pick<IncidenteRow, 'confirmados' | 'pendentes'>): SituacaoIncidente =>
  confirmados > 0 ? 'confirmado' : pendentes > 0 ? 'pendente' : 'refutado'

/** Updates a locked incidente for the stored verdict of one of its pending events. */
export async function applyVerdict(
  tx: Database,
  incidente: IncidenteRow,
  decisao: Decisao,
  now: number,
): Promise<AlertLine> {
  const counts = {
    pendentes: incidente.pendentes - 1,
    confirmados: incidente.confirmados + (decisao === 'confirmado' ? 1 : 0),
    refutados: incidente.refutados + (decisao === 'refutado' ? 1 : 0),
  }
  const changes = { ...counts, situacao: situacaoOf(counts), ...(await shapeOf(tx, incidente.id)) }
  return changeIncidente(tx, incidente, changes, now)
}

/** Updates a locked incidente for the changed verdict of one of its confirmed events. */
export async function replaceVerdict(
  tx: Database,
  incidente: IncidenteRow,
  decisao: Decisao,
  now: number,
): Promise<AlertLine> {
  const moved = decisao === 'refutado' ? 1 : 0
  const counts = {
    pendentes: incidente.pendentes,
    confirmados: incidente.confirmados - moved,
    refutados: incidente.refutados + moved,
  }
  const changes = { ...counts, situacao: situacaoOf(counts), ...(await shapeOf(tx, incidente.id)) }
  return changeIncidente(tx, incidente, changes, now)
}

/** Counts the first review of an event of a locked incidente. */
export const countReviews = (tx: Database, incidente: IncidenteRow, n: number, now: number): Promise<AlertLine> =>
  changeIncidente(tx, incidente, { revisados: incidente.revisados + n }, now)

/** Span, severity, types and cover from the events that are not refuted; null: it has none, and keeps its values. */
export async function shapeOf(tx: Database, id: number) {
  const events = await tx
    .selectFrom('eventos')
    .select(['id', 'ocorrido_em', 'tipo', 'gravidade', 'veredito_decisao', 'veredito_certeza'])
    .where('incidente_id', '=', id)
    .where((eb) => eb.or([eb('veredito_decisao', 'is', null), eb('veredito_decisao', '=', 'confirmado')]))
    .orderBy('ocorrido_em')
    .orderBy('id')
    .execute()
  const [first] = events
  const last = events.at(-1)
  if (!first || !last) return null
  const confirmed = events.filter(({ veredito_decisao }) => veredito_decisao === 'confirmado')
  const certezas = confirmed.map(({ veredito_certeza }) => veredito_certeza)
  const cover = events.reduce((best, each) => (isBetterCover(each, best) ? each : best), first)
  return {
    inicio: first.ocorrido_em,
    fim: last.ocorrido_em,
    gravidade: events.reduce<Gravidade>((highest, each) => maxGravidade(highest, each.gravidade), first.gravidade),
    tipos: joinTipos(events.map(({ tipo }) => tipo)),
    capa_evento_id: cover.id,
    certeza: highest(certezas),
  }
}

/** Certeza of the events together; null: none is confirmed, or one is of an older release and none has `alta`. */
const highest = (certezas: readonly (Certeza | null)[]): Certeza | null => {
  if (certezas.includes('alta')) return 'alta'
  return certezas.length === 0 || certezas.includes(null) ? null : 'baixa'
}

/** Order of two events for the cover: the gravest, then the newest. */
export const isBetterCover = (a: CoverKeys, b: CoverKeys): boolean =>
  (rank(a.gravidade) - rank(b.gravidade) || a.ocorrido_em - b.ocorrido_em || a.id - b.id) > 0

interface CoverKeys {
  readonly id: number
  readonly gravidade: Gravidade
  readonly ocorrido_em: number
}

const rank = (gravidade: Gravidade): number => gravidades.indexOf(gravidade)

/** The higher one. */
export const maxGravidade = (a: Gravidade, b: Gravidade): Gravidade => (rank(a) >= rank(b) ? a : b)

/** The column `tipos`. */
export const joinTipos = (tipos: Iterable<string>): string => `|${[...new Set(tipos)].toSorted().join('|')}|`
export const splitTipos = (tipos: string): string[] => tipos.split('|').filter((tipo) => tipo !== '')

/** An incidente with the pictures of its cover. */
export type IncidenteWithCover = IncidenteRow & {
  readonly capa_quadro_path: string | null
  readonly capa_crop_path: string | null
  /** null: the cover is gone. */
  readonly capa_tipo: string | null
  readonly capa_detalhes_json: string | null
}

const joined = (db: Database) =>
  db
    .selectFrom('incidentes')
    .leftJoin('eventos', 'eventos.id', 'incidentes.capa_evento_id')
    .selectAll('incidentes')
    .select(['eventos.quadro_path as capa_quadro_path', 'eventos.crop_path as capa_crop_path'])
    .select(['eventos.tipo as capa_tipo', 'eventos.detalhes_json as capa_detalhes_json'])

/** Incidentes by id, newest first. */
export const findIncidentes = async (db: Database, ids: readonly number[]): Promise<IncidenteWithCover[]> =>
  ids.length === 0
    ? []
    : joined(db)
        .where('incidentes.id', 'in', ids)
        .orderBy('incidentes.inicio', 'desc')
        .orderBy('incidentes.id', 'desc')
        .execute()

/** Incidentes of these Empresas (null: all); undefined: none of them has this id. */
export const findIncidente = (
  db: Database,
  id: number,
  empresas: readonly number[] | null,
): Promise<IncidenteWithCover | undefined> =>
  joined(db)
    .where('incidentes.id', '=', id)
    .$if(empresas !== null, (qb) => qb.where('incidentes.empresa_id', 'in', empresas ?? []))
    .executeTakeFirst()
