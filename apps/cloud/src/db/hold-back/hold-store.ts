import type { TipoFixo, TipoPorPrazo, TipoRetencao } from '@vigia/contracts/retencao'
import { type AliasedRawBuilder, sql } from 'kysely'
import { type Due, isDue } from '../due.ts'
import { withoutCamera } from '../lacunas.ts'
import type { Database } from '../open.ts'

/** Records of a kind: all, and those that a sweep deletes. */
export interface Counts {
  readonly all: number
  readonly due: number
}

type Counted = Promise<{ readonly all: number; readonly due: number | null }>
type Columns = [AliasedRawBuilder<number, 'all'>, AliasedRawBuilder<number | null, 'due'>]

/** Counts of rows by the stamps in these columns. */
const counts = (due: Due, ...columns: readonly string[]): Columns => {
  const isOld = sql.join(
    columns.map((column) => isDue(column, due)),
    sql` and `,
  )
  return [sql<number>`count(*)`.as('all'), sql<number | null>`sum(case when ${isOld} then 1 else 0 end)`.as('due')]
}

type OfEmpresa = (db: Database, empresaId: number, due: Due) => Counted
type OfAll = (db: Database, due: Due) => Counted

const eventosOf = (db: Database, empresaId: number, due: Due) =>
  db.selectFrom('eventos').select(counts(due, 'recebido_em')).where('empresa_id', '=', empresaId)
const countEventos: OfEmpresa = (db, empresaId, due) => eventosOf(db, empresaId, due).executeTakeFirstOrThrow()

const ofEmpresa: { readonly [T in TipoRetencao]: OfEmpresa } = {
  eventos: countEventos,
  alertas: countEventos,
  imagens: (db, empresaId, due) =>
    eventosOf(db, empresaId, due)
      .where((eb) => eb.or([eb('crop_path', 'is not', null), eb('quadro_path', 'is not', null)]))
      .executeTakeFirstOrThrow(),
  clipes: (db, empresaId, due) =>
    db
      .selectFrom('clipes')
      .select(counts(due, 'recebido_em'))
      .where('empresa_id', '=', empresaId)
      .executeTakeFirstOrThrow(),
  auditoria: (db, empresaId, due) =>
    db.selectFrom('auditoria').select(counts(due, 'em')).where('empresa_id', '=', empresaId).executeTakeFirstOrThrow(),
  quedas: (db, empresaId, due) =>
    db.selectFrom('quedas').select(counts(due, 'fim')).where('empresa_id', '=', empresaId).executeTakeFirstOrThrow(),
  lacunas: (db, empresaId, due) =>
    db
      .selectFrom('lacunas')
      .innerJoin('cameras', 'cameras.id', 'lacunas.camera_id')
      .select(counts(due, 'registrada_em'))
      .where('cameras.empresa_id', '=', empresaId)
      .executeTakeFirstOrThrow(),
  passagens: (db, empresaId, due) =>
    db
      .selectFrom('passagens')
      .select(counts(due, 'recebida_em'))
      .where('empresa_id', '=', empresaId)
      .executeTakeFirstOrThrow(),
}

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

export async function countKind(db: Database, kind: Kind, due: Due): Promise<Counts> {
  const counted = 'empresaId' in kind ? ofEmpresa[kind.tipo](db, kind.empresaId, due) : ofAll[kind.tipo](db, due)
  const { all, due: old } = await counted
  return { all: Number(all), due: Number(old) }
}

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
