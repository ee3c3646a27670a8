import type { Database } from '../../db/open.ts'
import type { PassagemRow } from '../../db/rows.ts'

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

export const findPassageOf = (db: Database, id: number): Promise<PassagemRow | undefined> =>
  db.selectFrom('passagens').selectAll().where('id', '=', id).executeTakeFirst()

/** Settings of Mode B as stored; null: the camera is gone or has none. */
export async function readGateSettings(db: Database, cameraId: number): Promise<string | null> {
  const row = await db.selectFrom('cameras').select('modo_b_config_json').where('id', '=', cameraId).executeTakeFirst()
  return row?.modo_b_config_json ?? null
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
