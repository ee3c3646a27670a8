import type { Database } from '../../db/open.ts'

/** The login's row while its factor is on (1) or off (0). */
const updateFactor = (db: Database, usuarioId: number, ativo: 0 | 1) =>
  db.updateTable('usuarios').where('id', '=', usuarioId).where('segundo_fator_ativo', '=', ativo)

/** False: no row was as the update expects it. */
const hasUpdated = async (update: { executeTakeFirstOrThrow(): Promise<{ readonly numUpdatedRows: bigint }> }) =>
  (await update.executeTakeFirstOrThrow()).numUpdatedRows > 0n

/** Keeps a secret whose enrolment begins, in place of one that was never confirmed. False: a factor is on. */
export const saveUnconfirmed = (db: Database, usuarioId: number, sealed: string, now: number): Promise<boolean> =>
  hasUpdated(
    updateFactor(db, usuarioId, 0).set({
      segundo_fator_cifrado: sealed,
      segundo_fator_em: now,
      segundo_fator_passo: 0,
    }),
  )

/** Turns the factor on, its first code used. False: another secret stands there now, or it is on already. */
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

/** Removes the factor and its recovery codes. False: none was on. */
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

/** Uses a time step up: of two that present its code at once, one gets it. False: it, or a later one, was used before. */
export const useStep = (db: Database, usuarioId: number, step: number): Promise<boolean> =>
  hasUpdated(updateFactor(db, usuarioId, 1).set({ segundo_fator_passo: step }).where('segundo_fator_passo', '<', step))

/** Whether the login's factor is on at this moment; locks its row until the transaction ends. */
export const lockFactor = (tx: Database, usuarioId: number): Promise<boolean> =>
  hasUpdated(updateFactor(tx, usuarioId, 1).set({ segundo_fator_ativo: 1 }))

/** Puts `hashes` in place of all recovery codes of the login. */
export async function replaceRecoveryCodes(tx: Database, usuarioId: number, hashes: readonly string[]): Promise<void> {
  await tx.deleteFrom('codigos_recuperacao').where('usuario_id', '=', usuarioId).execute()
  const rows = hashes.map((codigo_hash) => ({ usuario_id: usuarioId, codigo_hash }))
  await tx.insertInto('codigos_recuperacao').values(rows).execute()
}

/** Uses a recovery code up. False: unknown, or used before. */
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
