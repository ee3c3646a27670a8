import type { TipoFixo, TipoPorPrazo, TipoRetencao } from '@vigia/contracts/retencao'
import { type AliasedRawBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Due, isDue } from '../due.ts'
import { heldClipeIds, heldEventoIds, heldPassagens } from '../held-eventos.ts'
import { withoutCamera } from '../lacunas.ts'
import type { Database } from '../open.ts'

/** Records of a kind: all, and those that a sweep deletes. */
export interface Counts {
  readonly all: number
  readonly due: number
}

type Counted = Promise<{ readonly all: number; readonly due: number | null }>
type Columns = [AliasedRawBuilder<number, 'all'>, AliasedRawBuilder<number | null, 'due'>]

/** Counts of rows: all, and those with this condition. */
const countsIf = (...goes: readonly RawBuilder<SqlBool>[]): Columns => {
  const all = sql.join([...goes], sql` and `)
  return [sql<number>`count(*)`.as('all'), sql<number | null>`sum(case when ${all} then 1 else 0 end)`.as('due')]
}

/** Counts of rows by the stamps in these columns. */
const counts = (due: Due, ...columns: readonly string[]): Columns =>
  countsIf(...columns.map((column) => isDue(column, due)))

/** A sweep of a kind of an Empresa. */
export interface Sweep {
  readonly due: Due
  /** Time of ages. */
  readonly now: number
  /** Events of unanswered incidentes go when they arrived before this time. */
  readonly unansweredBefore: number
}

interface OfEmpresa {
  /** Column with the stamp. */
  readonly stamp: string
  /** @param exactly whether only the rows count that a sweep may delete */
  count(db: Database, empresaId: number, columns: Columns, exactly: boolean): Counted
  /** Condition of the old rows that a sweep deletes; absent: of all. The others wait, or are preserved. */
  readonly goes?: (db: Database, sweep: Sweep) => RawBuilder<SqlBool>
}

const eventosOf = (db: Database, empresaId: number, columns: Columns) =>
  db.selectFrom('eventos').select(columns).where('empresa_id', '=', empresaId)
const isUnheld = (db: Database, { now }: Sweep) => sql<SqlBool>`eventos.id not in ${heldEventoIds(db, now)}`

const ofEmpresa: { readonly [T in TipoRetencao]: OfEmpresa } = {
  eventos: {
    stamp: 'recebido_em',
    count: (db, empresaId, columns) => eventosOf(db, empresaId, columns).executeTakeFirstOrThrow(),
    goes: (db, sweep) => sql`${isUnheld(db, sweep)} and (recebido_em < ${sweep.unansweredBefore} or not exists (
      select 1 from incidentes as i
      where i.id = eventos.incidente_id and i.resposta is null and i.situacao <> 'refutado'))`,
  },
  alertas: {
    stamp: 'recebido_em',
    count: (db, empresaId, columns, exactly) =>
      eventosOf(db, empresaId, columns)
        .$if(exactly, (qb) =>
          qb.where(({ exists, selectFrom }) =>
            exists(selectFrom('alertas').select('seq').whereRef('alertas.evento_id', '=', 'eventos.id')),
          ),
        )
        .executeTakeFirstOrThrow(),
  },
  imagens: {
    stamp: 'recebido_em',
    count: (db, empresaId, columns) =>
      eventosOf(db, empresaId, columns)
        .where((eb) => eb.or([eb('crop_path', 'is not', null), eb('quadro_path', 'is not', null)]))
        .executeTakeFirstOrThrow(),
    goes: isUnheld,
  },
  clipes: {
    stamp: 'recebido_em',
    count: (db, empresaId, columns) =>
      db.selectFrom('clipes').select(columns).where('empresa_id', '=', empresaId).executeTakeFirstOrThrow(),
    goes: (db, { now }) => sql`id not in ${heldClipeIds(db, now)}`,
  },
  auditoria: {
    stamp: 'em',
    count: (db, empresaId, columns) =>
      db.selectFrom('auditoria').select(columns).where('empresa_id', '=', empresaId).executeTakeFirstOrThrow(),
  },
  quedas: {
    stamp: 'fim',
    count: (db, empresaId, columns) =>
      db.selectFrom('quedas').select(columns).where('empresa_id', '=', empresaId).executeTakeFirstOrThrow(),
  },
  lacunas: {
    stamp: 'registrada_em',
    count: (db, empresaId, columns) =>
      db
        .selectFrom('lacunas')
        .innerJoin('cameras', 'cameras.id', 'lacunas.camera_id')
        .select(columns)
        .where('cameras.empresa_id', '=', empresaId)
        .executeTakeFirstOrThrow(),
    goes: () => sql`lacunas.motivo <> 'a_caminho'`,
  },
  passagens: {
    stamp: 'recebida_em',
    count: (db, empresaId, columns) =>
      db.selectFrom('passagens').select(columns).where('empresa_id', '=', empresaId).executeTakeFirstOrThrow(),
    goes: (db, { now }) => sql`id not in ${heldPassagens(db, now)}`,
  },
}

type OfAll = (db: Database, due: Due) => Counted

const ofAll: { readonly [T in Exclude<TipoFixo, 'arquivos'>]: OfAll } = {
  descartados: (db, due) => db.selectFrom('descartados').select(counts(due, 'recebido_em')).executeTakeFirstOrThrow(),
  presencas: (db, due) => db.selectFrom('presencas').select(counts(due, 'fim')).executeTakeFirstOrThrow(),
  entregas: (db, due) => db.selectFrom('entregas').select(counts(due, 'terminada_em')).executeTakeFirstOrThrow(),
  avisos: async (db, due) => {
    const eventos = db.selectFrom('avisos_evento').select(counts(due, 'criado_em'))
    const incidentes = db.selectFrom('avisos_incidente').select(counts(due, 'criado_em', 'ultima_em'))
    const [a, b] = [await eventos.executeTakeFirstOrThrow(), await incidentes.executeTakeFirstOrThrow()]
    return { all: Number(a.all) + Number(b.all), due: Number(a.due) + Number(b.due) }
  },
  envios_push: (db, due) => db.selectFrom('envios_push').select(counts(due, 'criado_em')).executeTakeFirstOrThrow(),
  lacunas_sem_camera: (db, due) =>
    db.selectFrom('lacunas').select(counts(due, 'registrada_em')).where(withoutCamera).executeTakeFirstOrThrow(),
}

type Kind = { readonly empresaId: number; readonly tipo: TipoRetencao } | { readonly tipo: keyof typeof ofAll }

/** Old records of a kind: at least those that a sweep deletes. */
export async function countOld(db: Database, kind: Kind, due: Due): Promise<Counts> {
  if (!('empresaId' in kind)) return numbers(await ofAll[kind.tipo](db, due))
  const { stamp, count } = ofEmpresa[kind.tipo]
  return numbers(await count(db, kind.empresaId, counts(due, stamp), false))
}

/** Records of a kind that a sweep deletes. This count costs more than that of old ones. */
export async function countKind(db: Database, kind: Kind, sweep: Sweep): Promise<Counts> {
  if (!('empresaId' in kind)) return countOld(db, kind, sweep.due)
  const { stamp, count, goes } = ofEmpresa[kind.tipo]
  const isGone = [isDue(stamp, sweep.due), ...(goes === undefined ? [] : [goes(db, sweep)])]
  return numbers(await count(db, kind.empresaId, countsIf(...isGone), true))
}

const numbers = ({ all, due }: Awaited<Counted>): Counts => ({ all: Number(all), due: Number(due) })

/** Maximum number of days in the rules at the last sweep of a kind; null: there was none. */
export async function sweptDays(db: Database, empresas: readonly number[], tipo: TipoPorPrazo): Promise<number | null> {
  if (empresas.length === 0) return null
  const rows = await db
    .selectFrom('regras_varridas')
    .select('dias')
    .where('empresa_id', 'in', empresas)
    .where('tipo', '=', tipo)
    .execute()
  return rows.length === 0 ? null : Math.max(...rows.map(({ dias }) => dias))
}

export const saveSwept = async (db: Database, empresa_id: number, tipo: TipoPorPrazo, dias: number): Promise<void> => {
  await db
    .insertInto('regras_varridas')
    .values({ empresa_id, tipo, dias })
    .onConflict((conflict) => conflict.columns(['empresa_id', 'tipo']).doUpdateSet({ dias }))
    .execute()
}

export const listHeldOf = async (db: Database, empresas: readonly number[], tipo: TipoPorPrazo) =>
  empresas.length === 0
    ? []
    : db
        .selectFrom('apagamentos_retidos')
        .selectAll()
        .where('empresa_id', 'in', empresas)
        .where('tipo', '=', tipo)
        .execute()

/** Notes that a deletion waits. Returns false if it waited already. */
export async function insertHeld(
  tx: Database,
  row: { empresa_id: number; tipo: TipoPorPrazo; desde: number; quantos: number; total: number },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('apagamentos_retidos')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('tipo')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function clearHeld(db: Database, empresas: readonly number[], tipo: TipoPorPrazo): Promise<void> {
  if (empresas.length === 0) return
  await db.deleteFrom('apagamentos_retidos').where('empresa_id', 'in', empresas).where('tipo', '=', tipo).execute()
}

/** Time since which most boxes agree with the clock, in the time of ages; null: they do not. */
export async function agreedSince(db: Database): Promise<number | null> {
  const row = await db.selectFrom('relogio').select('acordo_desde').where('id', '=', 1).executeTakeFirstOrThrow()
  return row.acordo_desde
}
