import { currentTraceparent } from '@vigia/runtime/activity'
import { rootOf } from '../empresas.ts'
import type { Database } from '../open.ts'
import { type LanePosition, makeReady, readyByLane } from './lanes.ts'
import type { TipoTrabalho } from './turns.ts'

export interface NewWork {
  readonly tipo: TipoTrabalho
  /** Unique within `tipo`; an existing item stays unchanged. */
  readonly chave: string
  readonly empresaId: number
  /** At most one item of a lane is claimed, across all processes. */
  readonly faixa?: string
  /** Items that `holdGroup` defers together. */
  readonly grupo?: string
  /** Lowest first within an Empresa. */
  readonly prioridade: number
  /** Earliest time in epoch ms. */
  readonly em?: number
  /** Trace that the work continues; default: that of the current activity. */
  readonly traceparent?: string | null
}

/** An SQLite statement accepts 32,766 values. */
const ROWS_AT_ONCE = 1_000

/** Adds work in the transaction that writes its subject. */
export async function enqueueWork(tx: Database, works: readonly NewWork[], now: number): Promise<void> {
  const roots = new Map<number, number>()
  for (const { empresaId } of works) if (!roots.has(empresaId)) roots.set(empresaId, await rootOf(tx, empresaId))
  const trace = currentTraceparent()
  const rows = works.map(({ tipo, chave, empresaId, faixa = null, grupo = null, prioridade, em = 0, traceparent }) => ({
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
    traceparent: traceparent ?? trace,
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

/** Columns that `makeReady` needs. */
const readyState = (faixa: string | null) => (faixa === null ? ('pronto' as const) : ('atras' as const))

/** A claimed item. A claim ends only while `posse` is still the item's token. */
export interface Claim extends LanePosition {
  readonly id: number
  readonly chave: string
  readonly tentativas: number
  readonly criado_em: number
  readonly posse: string
  readonly traceparent: string | null
}

const claimed = (tx: Database, { id, posse }: Claim) =>
  tx.updateTable('trabalhos').where('id', '=', id).where('posse', '=', posse)

/** Makes the next item of each lane ready after these items left it. */
const releaseLanes = (tx: Database, slots: readonly LanePosition[]) =>
  makeReady(
    tx,
    slots.filter(({ faixa }) => faixa !== null),
  )

/**
 * Removes a finished item in the transaction that writes its result. Returns false if the claim was lost to another
 * process; the caller must then write nothing.
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

/** Result of a failed attempt. */
export interface Failure {
  /** Portuguese. */
  readonly erro: string
  readonly now: number
  /** `recuo`: retried at `em`. `parado`: shown to a person; retried at `em`, or only by that person (null). */
  readonly next:
    | { readonly estado: 'recuo'; readonly em: number }
    | { readonly estado: 'parado'; readonly em: number | null }
  /** Kind, and therefore worker, of the next attempt. */
  readonly tipo?: TipoTrabalho
}

/** Ends a claim after a failed attempt. False as in `finishWork`. */
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

/** Ends a claim without counting an attempt. */
export async function giveBackWork(tx: Database, claim: Claim): Promise<void> {
  const { numUpdatedRows } = await claimed(tx, claim)
    .set({ estado: readyState(claim.faixa), em: null, posse: null })
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await makeReady(tx, [claim])
}

/** Ends a claim without counting an attempt; the item is due at `em`. False as in `finishWork`. */
export async function deferWork(tx: Database, claim: Claim, em: number): Promise<boolean> {
  const { numUpdatedRows } = await claimed(tx, claim)
    .set({ estado: 'recuo', em, posse: null })
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await releaseLanes(tx, [claim])
  return true
}

/** Returns false if the claim was lost. */
export async function extendLease(db: Database, claim: Claim, until: number): Promise<boolean> {
  const { numUpdatedRows } = await claimed(db, claim).set({ em: until }).executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Removes unclaimed items and returns their `chave`. */
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

/** Items of a group; with `empresaId` only those of this Empresa. */
interface GroupOfWork {
  readonly grupo: string
  readonly empresaId?: number
}

/** Defers the ready items of a group until `em` and assigns them to the worker of `tipo`. */
export async function holdGroup(
  tx: Database,
  { grupo, empresaId }: GroupOfWork,
  tipo: TipoTrabalho,
  em: number,
): Promise<void> {
  const held = await tx
    .updateTable('trabalhos')
    .set({ estado: 'recuo', em, tipo })
    .where('grupo', '=', grupo)
    .$if(empresaId !== undefined, (qb) => qb.where('empresa_id', '=', empresaId ?? 0))
    .where('estado', 'in', ['pronto', 'atras'])
    .returning(['tipo', 'raiz_id', 'empresa_id', 'faixa'])
    .execute()
  await releaseLanes(tx, held)
}

/**
 * Ends the deferral of `holdGroup`: the items are due now, for the worker of `tipo`. Failed items keep their own retry
 * time.
 */
export const resumeGroup = async (
  tx: Database,
  { grupo, empresaId }: GroupOfWork,
  tipo: TipoTrabalho,
  now: number,
): Promise<void> => {
  await tx
    .updateTable('trabalhos')
    .set({ em: now, tipo })
    .where('grupo', '=', grupo)
    .$if(empresaId !== undefined, (qb) => qb.where('empresa_id', '=', empresaId ?? 0))
    .where('estado', '=', 'recuo')
    .where('tentativas', '=', 0)
    .execute()
}

/**
 * Makes a deferred item due now. Returns false if there is none. The update locks the item in every state, so that it
 * waits for a claim that ends at the same time.
 */
export async function wakeWork(
  tx: Database,
  { tipo, chave }: Pick<NewWork, 'tipo' | 'chave'>,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('trabalhos')
    .set((eb) => ({ em: eb.case().when('estado', '=', 'recuo').then(now).else(eb.ref('em')).end() }))
    .where('tipo', '=', tipo)
    .where('chave', '=', chave)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Makes a stopped item ready as if it were new. undefined: it is not stopped. */
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

/**
 * Removes the work of an Empresa, also claimed work, in the transaction that removes its subjects. Orders to brokers
 * stay: they are about what is gone.
 */
export async function removeWork(tx: Database, empresaId: number): Promise<void> {
  const slots = await tx
    .deleteFrom('trabalhos')
    .where('empresa_id', '=', empresaId)
    .where('tipo', '<>', 'recolhimento')
    .returning(['tipo', 'faixa', 'raiz_id', 'empresa_id'])
    .execute()
  await releaseLanes(tx, slots)
}
