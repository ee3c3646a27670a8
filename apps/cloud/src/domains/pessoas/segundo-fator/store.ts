import type { Database } from '../../../db/open.ts'

/** Update of the login's row if its factor is enabled (1) or disabled (0). */
const updateFactor = (db: Database, usuarioId: number, ativo: 0 | 1) =>
  db.updateTable('usuarios').where('id', '=', usuarioId).where('segundo_fator_ativo', '=', ativo)

/** false: no row matches the conditions of the update. */
const hasUpdated = async (update: { executeTakeFirstOrThrow(): Promise<{ readonly numUpdatedRows: bigint }> }) =>
  (await update.executeTakeFirstOrThrow()).numUpdatedRows > 0n

/** Stores the secret of a new enrolment and replaces an unconfirmed one. false: a factor is enabled. */
export const saveUnconfirmed = (db: Database, usuarioId: number, sealed: string, now: number): Promise<boolean> =>
  hasUpdated(
    updateFactor(db, usuarioId, 0).set({
      segundo_fator_cifrado: sealed,
      segundo_fator_em: now,
      segundo_fator_passo: 0,
    }),
  )

/**
 * Enables the factor and consumes its first code. false: the stored secret differs, or the factor is already enabled.
 */
export const confirmFactor = (
  tx: Database,
  usuarioId: number,
  { sealed, step, now }: { readonly sealed: string; readonly step: number; readonly now: number },
): Promise<boolean> =>
  hasUpdated(
    updateFactor(tx, usuarioId, 0)
      .set({ segundo_fator_ativo: 1, segundo_fator_em: now, segundo_fator_passo: step })
      .where('segundo_fator_cifrado', '=', sealed),
  )

/** Deletes the factor and its recovery codes. false: no factor was enabled. */
export async function clearFactor(tx: Database, usuarioId: number): Promise<boolean> {
  const wasOn = await hasUpdated(
    updateFactor(tx, usuarioId, 1).set({
      segundo_fator_cifrado: null,
      segundo_fator_ativo: 0,
      segundo_fator_em: null,
      segundo_fator_passo: 0,
    }),
  )
  await tx.deleteFrom('codigos_recuperacao').where('usuario_id', '=', usuarioId).execute()
  return wasOn
}

/** Consumes a time step; of two concurrent calls one succeeds. false: this or a later step was used before. */
export const useStep = (db: Database, usuarioId: number, step: number): Promise<boolean> =>
  hasUpdated(updateFactor(db, usuarioId, 1).set({ segundo_fator_passo: step }).where('segundo_fator_passo', '<', step))

/** Whether the login's factor is enabled. Locks its row until the transaction ends. */
export const lockFactor = (tx: Database, usuarioId: number): Promise<boolean> =>
  hasUpdated(updateFactor(tx, usuarioId, 1).set({ segundo_fator_ativo: 1 }))

/** Replaces all recovery codes of the login by `hashes`. */
export async function replaceRecoveryCodes(tx: Database, usuarioId: number, hashes: readonly string[]): Promise<void> {
  await tx.deleteFrom('codigos_recuperacao').where('usuario_id', '=', usuarioId).execute()
  const rows = hashes.map((codigo_hash) => ({ usuario_id: usuarioId, codigo_hash }))
  await tx.insertInto('codigos_recuperacao').values(rows).execute()
}

/** Consumes a recovery code. false: unknown, or used before. */
export async function useRecoveryCode(db: Database, usuarioId: number, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('codigos_recuperacao')
    .where('usuario_id', '=', usuarioId)
    .where('codigo_hash', '=', hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function countRecoveryCodes(db: Database, usuarioId: number): Promise<number> {
  const { n } = await db
    .selectFrom('codigos_recuperacao')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('usuario_id', '=', usuarioId)
    .executeTakeFirstOrThrow()
  return Number(n)
}
