import { type ExpressionBuilder, sql } from 'kysely'
import type { Database } from '../open.ts'
import type { Tables } from '../tables.ts'
import { setReady, type TipoTrabalho, tiposTrabalho } from './turns.ts'

/** Kind, Empresa and lane of an item that may become ready. */
export interface LanePosition {
  readonly tipo: TipoTrabalho
  readonly raiz_id: number
  readonly empresa_id: number
  readonly faixa: string | null
}

/**
 * Makes items claimable that are `pronto` (without a lane) or `atras` (in a lane). In an idle lane one item of each
 * kind becomes `pronto`. A claim therefore never skips items of busy lanes.
 */
export async function makeReady(tx: Database, slots: readonly LanePosition[]): Promise<void> {
  const lanes = [...new Set(slots.flatMap(({ faixa }) => faixa ?? []))].sort()
  for (const faixa of lanes) await lockLane(tx, faixa)
  const heads: Omit<LanePosition, 'faixa'>[] = []
  for (const faixa of lanes) heads.push(...(await chooseHeads(tx, faixa)))
  await setReady(tx, [...slots.filter(({ faixa }) => faixa === null), ...heads])
}

/** The state that `makeReady` expects of a ready item; an item in a lane waits for its turn. */
export const readyByLane = (eb: ExpressionBuilder<Tables, 'trabalhos'>) =>
  eb
    .case()
    .when('faixa', 'is', null)
    .then('pronto' as const)
    .else('atras' as const)
    .end()

/** Serializes transactions that claim from, release or fill one lane, also in databases with row locks. */
export const lockLane = (tx: Database, faixa: string) =>
  tx
    .insertInto('faixas_trabalho')
    .values({ faixa })
    .onConflict((conflict) => conflict.column('faixa').doUpdateSet({ faixa }))
    .execute()

export async function isLaneBusy(tx: Database, faixa: string): Promise<boolean> {
  const row = await tx
    .selectFrom('trabalhos')
    .select('id')
    .where('faixa', '=', faixa)
    .where('estado', '=', 'em_curso')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function chooseHeads(tx: Database, faixa: string): Promise<Head[]> {
  if (await isLaneBusy(tx, faixa)) return []
  const ready = await tx
    .selectFrom('trabalhos')
    .select('tipo')
    .where('faixa', '=', faixa)
    .where('estado', '=', 'pronto')
    .execute()
  const heads: Head[] = []
  for (const tipo of tiposTrabalho) {
    const head = ready.some((item) => item.tipo === tipo) ? undefined : await nextOfLane(tx, faixa, tipo)
    if (head) heads.push(head)
  }
  const ids = heads.map(({ id }) => id)
  if (ids.length > 0) await tx.updateTable('trabalhos').set({ estado: 'pronto' }).where('id', 'in', ids).execute()
  return heads
}

interface Head extends Omit<LanePosition, 'faixa'> {
  readonly id: number
}

/**
 * Returns the waiting item of the lane whose Empresa has the next turn. Steps from Empresa to Empresa through the
 * index, independently of their number of items.
 */
async function nextOfLane(tx: Database, faixa: string, tipo: TipoTrabalho): Promise<Head | undefined> {
  const behind = sql`t.faixa = ${faixa} and t.estado = 'atras' and t.tipo = ${tipo}`
  const { rows } = await sql<Head>`
    with recursive passo(empresa_id) as (
      select min(t.empresa_id) from trabalhos t where ${behind}
      union all
      select (select min(t.empresa_id) from trabalhos t where ${behind} and t.empresa_id > passo.empresa_id)
      from passo where passo.empresa_id is not null)
    select i.id, i.tipo, i.raiz_id, i.empresa_id
    from passo
    join trabalhos i on i.id = (select t.id from trabalhos t
      where ${behind} and t.empresa_id = passo.empresa_id order by t.prioridade, t.id limit 1)
    left join turnos_trabalho r on r.tipo = i.tipo and r.acima = 0 and r.quem = i.raiz_id
    left join turnos_trabalho e on e.tipo = i.tipo and e.acima = i.raiz_id and e.quem = i.empresa_id
    order by coalesce(r.servido, 0), coalesce(e.servido, 0), i.prioridade, i.id
    limit 1`.execute(tx)
  return rows[0]
}

/** Removes the rows of lanes without an item. */
export async function pruneLanes(db: Database): Promise<void> {
  await db
    .deleteFrom('faixas_trabalho')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('trabalhos').select('id').whereRef('trabalhos.faixa', '=', 'faixas_trabalho.faixa').limit(1)),
      ),
    )
    .execute()
}
