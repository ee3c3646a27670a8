import type { Database } from '../../../db/open.ts'

/** Notes the opening of a passage. Returns false if it had opened the gate before. */
export async function claimOpening(tx: Database, passagemId: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passagens')
    .set({ portao_em: now })
    .where('id', '=', passagemId)
    .where('portao_em', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** `dono` of a listed plate; null: none. */
export async function findOwner(db: Database, empresaId: number, placa: string): Promise<string | null> {
  const row = await db
    .selectFrom('placas')
    .select('dono')
    .where('empresa_id', '=', empresaId)
    .where('placa', '=', placa)
    .executeTakeFirst()
  return row?.dono ?? null
}
