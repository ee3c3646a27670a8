import type { Database } from '../../db/open.ts'

/** Keeps a secret whose enrolment begins, in place of one that was never confirmed. False: a factor is on. */
export async function saveUnconfirmed(db: Database, usuarioId: number, sealed: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('usuarios')
    .set({ segundo_fator_cifrado: sealed, segundo_fator_em: now, segundo_fator_passo: 0 })
    .where('id', '=', usuarioId)
    .where('segundo_fator_ativo', '=', 0)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Turns the factor on, its first code used. False: another secret stands there now, or it is on already. */
export async function confirmFactor(
  tx: Database,
  usuarioId: number,
  { sealed, step, now }: { readonly sealed: string; readonly step: number; readonly now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('usuarios')
    .set({ segundo_fator_ativo: 1, segundo_fator_em: now, segundo_fator_passo: step })
    .where('id', '=', usuarioId)
    .where('segundo_fator_ativo', '=', 0)
    .where('segundo_fator_cifrado', '=', sealed)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Removes the factor and its recovery codes. False: none was on. */
export async function clearFactor(tx: Database, usuarioId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('usuarios')
    .set({ segundo_fator_cifrado: null, segundo_fator_ativo: 0, segundo_fator_em: null, segundo_fator_passo: 0 })
    .where('id', '=', usuarioId)
    .where('segundo_fator_ativo', '=', 1)
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('codigos_recuperacao').where('usuario_id', '=', usuarioId).execute()
  return numUpdatedRows > 0n
}

/** Uses a time step up: of two that present its code at once, one gets it. False: it, or a later one, was used before. */
export async function useStep(db: Database, usuarioId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('usuarios')
    .set({ segundo_fator_passo: step })
    .where('id', '=', usuarioId)
    .where('segundo_fator_ativo', '=', 1)
    .where('segundo_fator_passo', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Whether the login's factor is on at this moment; locks its row until the transaction ends. */
export async function lockFactor(tx: Database, usuarioId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('usuarios')
    .set({ segundo_fator_ativo: 1 })
    .where('id', '=', usuarioId)
    .where('segundo_fator_ativo', '=', 1)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

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
