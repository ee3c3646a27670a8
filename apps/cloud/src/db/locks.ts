import { sql } from 'kysely'
import type { Database } from './open.ts'
import { isPostgres } from './postgres-dialect.ts'
import type { EmpresaRow, UsuarioRow } from './rows.ts'
import type { Tables } from './tables.ts'

/**
 * Locks a row until the transaction ends: other transactions that lock or change it wait. Later reads see the newest
 * state. On SQLite the transaction has the write lock from its begin on. A write of the row would also search every
 * table that refers to it.
 * @returns false: there is no such row
 */
export async function lockRow(tx: Database, tabela: Lockable, id: number): Promise<boolean> {
  // The columns that the statement uses are the same in every table.
  const row = tx
    .selectFrom(tabela as 'cameras')
    .select('id')
    .where('id', '=', id)
  return (await (isPostgres(tx) ? row.forNoKeyUpdate() : row).executeTakeFirst()) !== undefined
}

/** Locks the rows that the query chooses until the transaction ends. SQLite has one writer. */
export const lockChosen = <Query extends { forUpdate(): Query }>(tx: Database, query: Query): Query =>
  isPostgres(tx) ? query.forUpdate() : query

/** Tables with an `id`. */
type Lockable = {
  [T in keyof Tables]: 'id' extends keyof Tables[T] ? T : never
}[keyof Tables]

/**
 * Lets one transaction at a time run past this call, on all replicas, for a decision that no row stands for. SQLite has
 * one writer.
 */
export async function lockName(tx: Database, nome: LockName): Promise<void> {
  if (isPostgres(tx)) await sql`select pg_advisory_xact_lock(hashtext(${`vigia ${nome}`}))`.execute(tx)
}

export type LockName =
  | 'alertas'
  | 'chaves_oauth'
  | 'chaves_vapid'
  | 'clientes_oauth'
  | 'operadores'
  | 'partida'
  | 'presencas'
  | 'recolhimentos'

/** Locks the camera: other transactions that change it wait. */
export const lockCamera = (tx: Database, id: number): Promise<boolean> => lockRow(tx, 'cameras', id)

/** Locks the edge that serves the camera, then the camera: for a change that raises the edge's desired version. */
export async function lockCameraOnEdge(tx: Database, id: number): Promise<void> {
  if (isPostgres(tx)) {
    const edge = tx.selectFrom('cameras').select('edge_id').where('cameras.id', '=', id)
    await tx.selectFrom('edges').select('id').where('id', '=', edge).forNoKeyUpdate().execute()
  }
  await lockCamera(tx, id)
}

/** Locks the edge, so that only one process at a time writes its sequences, gaps and passages. */
export const lockEdge = (tx: Database, id: number): Promise<boolean> => lockRow(tx, 'edges', id)

/**
 * Locks the Empresa: other transactions that add cameras or gravadores wait, across processes. Quota and uniqueness are
 * therefore checked on the current state.
 * @returns the Empresa; undefined: it does not exist, or its removal is under way
 */
export async function lockEmpresa(tx: Database, id: number): Promise<EmpresaRow | undefined> {
  await lockRow(tx, 'empresas', id)
  const empresa = tx.selectFrom('empresas').selectAll().where('id', '=', id)
  return empresa.where('removida_em', 'is', null).executeTakeFirst()
}

/**
 * Locks the login's row until the transaction ends. Returns false if it was disabled, or its password or second factor
 * changed, since `seen` was read.
 */
export const lockAsSeen = async (tx: Database, seen: UsuarioRow): Promise<boolean> => {
  await lockRow(tx, 'usuarios', seen.id)
  const same = await tx
    .selectFrom('usuarios')
    .select('id')
    .where('id', '=', seen.id)
    .where('ativo', '=', 1)
    .where('senha_hash', '=', seen.senha_hash)
    .where('segundo_fator_ativo', '=', seen.segundo_fator_ativo)
    .executeTakeFirst()
  return same !== undefined
}
