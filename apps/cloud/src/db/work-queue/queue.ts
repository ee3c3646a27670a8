import { rootOf } from '../empresas.ts'
import type { Database } from '../open.ts'
import { makeReady, type Place, readyByLane } from './lanes.ts'
import type { TipoTrabalho } from './turns.ts'

export interface NewWork {
  readonly tipo: TipoTrabalho
  /** Unique within `tipo`: what is there already stays as it is. */
  readonly chave: string
  readonly empresaId: number
  /** At most one item of a lane is under way, over all processes. */
  readonly faixa?: string
  /** Items that `holdGroup` puts off together. */
  readonly grupo?: string
  /** The lowest comes first within its Empresa. */
  readonly prioridade: number
  /** Not before this time, epoch ms. */
  readonly em?: number
}

/** A statement of SQLite takes 32,766 values. */
const ROWS_AT_ONCE = 1_000

/** Adds work in the caller's transaction: with what it is about, or not at all. */
export async function enqueueWork(tx: Database, works: readonly NewWork[], now: number): Promise<void> {
  const roots = new Map<number, number>()
  for (const { empresaId } of works) if (!roots.has(empresaId)) roots.set(empresaId, await rootOf(tx, empresaId))
  const rows = works.map(({ tipo, chave, empresaId, faixa = null, grupo = null, prioridade, em = 0 }) => ({
    tipo,
    chave,
    raiz_id: roots.get(empresaId) ?? empresaId,
    empresa_id: empresaId,
    faixa,
    grupo,
    prioridade,
    ...(em > now ? { estado: 'recuo' as const, em } : { estado: readyState(faixa), em: null }),
    criado_em: now,
    posse: null,
    erro: null,
    erro_em: null,
  }))
  for (let i = 0; i < rows.length; i += ROWS_AT_ONCE)
    await tx
      .insertInto('trabalhos')
      .values(rows.slice(i, i + ROWS_AT_ONCE))
      .onConflict((conflict) => conflict.columns(['tipo', 'chave']).doNothing())
      .execute()
  await makeReady(
    tx,
    rows.filter(({ estado }) => estado !== 'recuo'),
  )
}

/** What `makeReady` takes as ready. */
const readyState = (faixa: string | null) => (faixa === null ? ('pronto' as const) : ('atras' as const))

/** A claimed item. Everything that ends the claim is refused once `posse` is no longer the item's. */
export interface Claim extends Place {
  readonly id: number
  readonly chave: string
  readonly tentativas: number
  readonly criado_em: number
  readonly posse: string
}

const claimed = (tx: Database, { id, posse }: Claim) =>
  tx.updateTable('trabalhos').where('id', '=', id).where('posse', '=', posse)

/** Makes the next item of each lane ready, as these items are out of the way. */
const releaseLanes = (tx: Database, slots: readonly Place[]) =>
  makeReady(
    tx,
    slots.filter(({ faixa }) => faixa !== null),
  )

/**
 * Removes an item that is done, in the transaction that writes its result. False: the claim is over, another process has the item, and
 * the caller writes nothing.
 */
export async function finishWork(tx: Database, claim: Claim): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('trabalhos')
    .where('id', '=', claim.id)
    .where('posse', '=', claim.posse)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  await releaseLanes(tx, [claim])
  return true
}

/** What a try that failed leaves. */
export interface Failure {
  /** Portuguese. */
  readonly erro: string
  readonly now: number
  /** `recuo`: tried again at `em`. `parado`: shown to a person; tried again at `em`, or by that person alone (null). */
  readonly next:
    | { readonly estado: 'recuo'; readonly em: number }
    | { readonly estado: 'parado'; readonly em: number | null }
  /** The kind, and so the worker, that makes the next try. */
  readonly tipo?: TipoTrabalho
}

/** Ends a claim whose try failed. False as in `finishWork`. */
export async function failWork(tx: Database, claim: Claim, { erro, now, next, tipo }: Failure): Promise<boolean> {
  const { numUpdatedRows } = await claimed(tx, claim)
    .set((eb) => ({
      ...next,
      ...(tipo !== undefined && { tipo }),
      tentativas: eb('tentativas', '+', 1),
      posse: null,
      erro,
      erro_em: now,
    }))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await releaseLanes(tx, [claim])
  return true
}

/** Ends a claim without a try. */
export async function giveBackWork(tx: Database, claim: Claim): Promise<void> {
  const { numUpdatedRows } = await claimed(tx, claim)
    .set({ estado: readyState(claim.faixa), em: null, posse: null })
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await makeReady(tx, [claim])
}

/** False: the claim is over. */
export async function extendLease(db: Database, claim: Claim, until: number): Promise<boolean> {
  const { numUpdatedRows } = await claimed(db, claim).set({ em: until }).executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Removes items that nobody works on, and returns their `chave`. */
export async function withdrawWork(
  tx: Database,
  tipos: readonly TipoTrabalho[],
  chaves: readonly string[],
): Promise<string[]> {
  if (chaves.length === 0) return []
  const gone = await tx
    .deleteFrom('trabalhos')
    .where('tipo', 'in', tipos)
    .where('chave', 'in', chaves)
    .where('estado', '<>', 'em_curso')
    .returning(['chave', 'tipo', 'raiz_id', 'empresa_id', 'faixa'])
    .execute()
  await releaseLanes(tx, gone)
  return gone.map(({ chave }) => chave)
}

/** Puts off what is ready in a group until `em`, and hands it to the worker of `tipo`. */
export async function holdGroup(tx: Database, grupo: string, tipo: TipoTrabalho, em: number): Promise<void> {
  const held = await tx
    .updateTable('trabalhos')
    .set({ estado: 'recuo', em, tipo })
    .where('grupo', '=', grupo)
    .where('estado', 'in', ['pronto', 'atras'])
    .returning(['tipo', 'raiz_id', 'empresa_id', 'faixa'])
    .execute()
  await releaseLanes(tx, held)
}

/** Ends what `holdGroup` put off: it is due now, for the worker of `tipo`. Items that failed keep their own time. */
export const resumeGroup = async (tx: Database, grupo: string, tipo: TipoTrabalho, now: number): Promise<void> => {
  await tx
    .updateTable('trabalhos')
    .set({ em: now, tipo })
    .where('grupo', '=', grupo)
    .where('estado', '=', 'recuo')
    .where('tentativas', '=', 0)
    .execute()
}

/** Makes a stopped item ready anew, as if it had just been added. undefined: it is not stopped (any more). */
export async function reviveWork(tx: Database, id: number, now: number) {
  const row = await tx
    .updateTable('trabalhos')
    .set((eb) => ({
      estado: readyByLane(eb),
      em: null,
      tentativas: 0,
      criado_em: now,
    }))
    .where('id', '=', id)
    .where('estado', '=', 'parado')
    .returning(['id', 'tipo', 'chave', 'raiz_id', 'empresa_id', 'faixa'])
    .executeTakeFirst()
  if (row) await makeReady(tx, [row])
  return row
}
