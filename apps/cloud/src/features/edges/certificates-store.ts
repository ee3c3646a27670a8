import { revokeCertificates, selectInForce } from '../../db/certificados.ts'
import type { Database } from '../../db/open.ts'

/** What is kept of a certificate; the certificate itself is the box's alone. */
export interface IssuedCertificate {
  /** Of the DER, hex. */
  readonly sha256: string
  /** Hex. */
  readonly serial: string
  /** Epoch ms. */
  readonly vence_em: number
}

/** The broker takes so many of one edge (contracts, edge-state.ts): the one in use, and the one that is to replace it. */
const MAX_IN_FORCE = 2

export const insertCertificate = async (
  db: Database,
  edgeId: number,
  certificate: IssuedCertificate,
  now: number,
): Promise<void> => {
  await db
    .insertInto('certificados_edge')
    .values({ edge_id: edgeId, ...certificate, emitido_em: now, revogado_em: null })
    .execute()
}

const DAY_MS = 86_400_000
/** Each puts another one on the revocation list, for which a broker that reads it starts anew: all edges connect again. */
const RENEWALS_A_DAY = 4

/**
 * Puts a renewed certificate in force beside the one in use, which is the oldest that still is: an answer that never
 * reached the box leaves one that nobody uses, and that one goes. False when no activated edge has that id, or when it had
 * its certificate renewed too often.
 */
export const addRenewed = (
  db: Database,
  edgeId: number,
  certificate: IssuedCertificate,
  now: number,
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const edge = await tx
      .selectFrom('edges')
      .select('id')
      .where('id', '=', edgeId)
      .where('ativado_em', 'is not', null)
      .executeTakeFirst()
    const { n } = await tx
      .selectFrom('certificados_edge')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('edge_id', '=', edgeId)
      .where('emitido_em', '>', now - DAY_MS)
      .executeTakeFirstOrThrow()
    if (!edge || Number(n) >= RENEWALS_A_DAY) return false
    const inUse = await selectInForce(tx, edgeId).executeTakeFirst()
    await revokeCertificates(tx, edgeId, now, inUse?.id ?? null)
    await insertCertificate(tx, edgeId, certificate, now)
    return true
  })

/** The fingerprints in force of each edge, the newest first, two at most. */
export async function listInForce(db: Database, now: number): Promise<Map<number, string[]>> {
  const rows = await db
    .selectFrom('certificados_edge')
    .innerJoin('edges', 'edges.id', 'certificados_edge.edge_id')
    .select(['edge_id', 'sha256'])
    .where('revogado_em', 'is', null)
    .where('vence_em', '>', now)
    .orderBy('certificados_edge.id', 'desc')
    .execute()
  const inForce = new Map<number, string[]>()
  for (const { edge_id, sha256 } of rows) {
    const known = inForce.get(edge_id) ?? []
    if (known.length < MAX_IN_FORCE) inForce.set(edge_id, [...known, sha256])
  }
  return inForce
}

/** Revoked certificates that did not end before `desde` (epoch ms), and whose number is known. */
export const listRevoked = (db: Database, desde: number) =>
  db
    .selectFrom('certificados_edge')
    .select(['serial', 'revogado_em'])
    .where('revogado_em', 'is not', null)
    .where('serial', 'is not', null)
    .where('vence_em', '>', desde)
    .orderBy('id')
    .$narrowType<{ serial: string; revogado_em: number }>()
    .execute()
