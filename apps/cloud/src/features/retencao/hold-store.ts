import type { TipoRetencao } from '@vigia/contracts/retencao'
import type { Database } from '../../db/open.ts'

/** Records of one kind and Empresa: all, and those that a sweep deletes. */
export async function countKind(db: Database, tipo: TipoRetencao, empresaId: number, before: number) {
  const { all, due } = await countsOf[tipo](db, empresaId, before)
  return { all: Number(all), due: Number(due ?? 0) }
}

type Counts = Promise<{ readonly all: number; readonly due: number | null }>

const ofEventos = (db: Database, empresaId: number, before: number) =>
  db
    .selectFrom('eventos')
    .select((eb) => [
      eb.fn.countAll<number>().as('all'),
      eb.fn.sum<number | null>(eb.case().when('recebido_em', '<', before).then(1).else(0).end()).as('due'),
    ])
    .where('empresa_id', '=', empresaId)

const countsOf: { readonly [T in TipoRetencao]: (db: Database, empresaId: number, before: number) => Counts } = {
  eventos: (db, empresaId, before) => ofEventos(db, empresaId, before).executeTakeFirstOrThrow(),
  alertas: (db, empresaId, before) => ofEventos(db, empresaId, before).executeTakeFirstOrThrow(),
  imagens: (db, empresaId, before) =>
    ofEventos(db, empresaId, before)
      .where((eb) => eb.or([eb('crop_path', 'is not', null), eb('quadro_path', 'is not', null)]))
      .executeTakeFirstOrThrow(),
  clipes: (db, empresaId, before) =>
    db
      .selectFrom('clipes')
      .select((eb) => [
        eb.fn.countAll<number>().as('all'),
        eb.fn.sum<number | null>(eb.case().when('recebido_em', '<', before).then(1).else(0).end()).as('due'),
      ])
      .where('empresa_id', '=', empresaId)
      .executeTakeFirstOrThrow(),
  auditoria: (db, empresaId, before) =>
    db
      .selectFrom('auditoria')
      .select((eb) => [
        eb.fn.countAll<number>().as('all'),
        eb.fn.sum<number | null>(eb.case().when('em', '<', before).then(1).else(0).end()).as('due'),
      ])
      .where('empresa_id', '=', empresaId)
      .executeTakeFirstOrThrow(),
  quedas: (db, empresaId, before) =>
    db
      .selectFrom('quedas')
      .select((eb) => [
        eb.fn.countAll<number>().as('all'),
        eb.fn.sum<number | null>(eb.case().when('fim', '<', before).then(1).else(0).end()).as('due'),
      ])
      .where('empresa_id', '=', empresaId)
      .executeTakeFirstOrThrow(),
  lacunas: (db, empresaId, before) =>
    db
      .selectFrom('lacunas')
      .innerJoin('cameras', 'cameras.id', 'lacunas.camera_id')
      .select((eb) => [
        eb.fn.countAll<number>().as('all'),
        eb.fn.sum<number | null>(eb.case().when('registrada_em', '<', before).then(1).else(0).end()).as('due'),
      ])
      .where('cameras.empresa_id', '=', empresaId)
      .executeTakeFirstOrThrow(),
  passagens: (db, empresaId, before) =>
    db
      .selectFrom('passagens')
      .select((eb) => [
        eb.fn.countAll<number>().as('all'),
        eb.fn.sum<number | null>(eb.case().when('recebida_em', '<', before).then(1).else(0).end()).as('due'),
      ])
      .where('empresa_id', '=', empresaId)
      .executeTakeFirstOrThrow(),
}

/** Days of the rule at the last sweep of a kind; undefined: there was none. */
export async function sweptDays(db: Database, empresaId: number, tipo: TipoRetencao): Promise<number | undefined> {
  const row = await db
    .selectFrom('regras_varridas')
    .select('dias')
    .where('empresa_id', '=', empresaId)
    .where('tipo', '=', tipo)
    .executeTakeFirst()
  return row?.dias
}

export const saveSwept = async (db: Database, empresa_id: number, tipo: TipoRetencao, dias: number): Promise<void> => {
  await db
    .insertInto('regras_varridas')
    .values({ empresa_id, tipo, dias })
    .onConflict((conflict) => conflict.columns(['empresa_id', 'tipo']).doUpdateSet({ dias }))
    .execute()
}

export const findHeld = (db: Database, empresaId: number, tipo: TipoRetencao) =>
  db
    .selectFrom('apagamentos_retidos')
    .selectAll()
    .where('empresa_id', '=', empresaId)
    .where('tipo', '=', tipo)
    .executeTakeFirst()

/** Notes that a deletion waits. Returns false if it waited already. */
export async function insertHeld(
  tx: Database,
  row: { empresa_id: number; tipo: TipoRetencao; desde: number; quantos: number; total: number },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('apagamentos_retidos')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('tipo')
    .executeTakeFirst()
  return inserted !== undefined
}

export const clearHeld = async (db: Database, empresaId: number, tipo: TipoRetencao): Promise<void> => {
  await db.deleteFrom('apagamentos_retidos').where('empresa_id', '=', empresaId).where('tipo', '=', tipo).execute()
}

/** Since when most boxes agree with the clock, in the time of ages; null: they do not. */
export async function agreedSince(db: Database): Promise<number | null> {
  const row = await db.selectFrom('relogio').select('acordo_desde').where('id', '=', 1).executeTakeFirstOrThrow()
  return row.acordo_desde
}
