import type { Database } from './open.ts'

/** The certificates of an edge in force, ordered by id. */
export const selectInForce = (db: Database, edgeId: number) =>
  db
    .selectFrom('certificados_edge')
    .select(['id', 'sha256'])
    .where('edge_id', '=', edgeId)
    .where('revogado_em', 'is', null)
    .orderBy('id')

/** Revokes all certificates of an edge except `exceptId`. Returns their number. */
export async function revokeCertificates(
  db: Database,
  edgeId: number,
  now: number,
  exceptId: number | null = null,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('certificados_edge')
    .set({ revogado_em: now })
    .where('edge_id', '=', edgeId)
    .where('revogado_em', 'is', null)
    .$if(exceptId !== null, (qb) => qb.where('id', '!=', exceptId ?? 0))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Revokes the earlier certificates if the newest one is in use. Returns true if there were any. */
export async function revokeReplaced(db: Database, edgeId: number, sha256: string, now: number): Promise<boolean> {
  const certificates = await selectInForce(db, edgeId).execute()
  const newest = certificates.at(-1)
  if (certificates.length < 2 || newest?.sha256 !== sha256) return false
  return (await revokeCertificates(db, edgeId, now, newest.id)) > 0
}
