import type { EdgeOwner } from '@vigia/link/edge-lineage'
import { revokeCertificates, selectInForce } from '../../../db/certificados.ts'
import { lockEdge } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'

/** Stored properties of a certificate; only the edge keeps the certificate itself. */
export interface IssuedCertificate {
  /** SHA-256 of the DER, hex. */
  readonly sha256: string
  /** Hex. */
  readonly serial: string
  /** Epoch ms. */
  readonly vence_em: number
}

/** Certificates per edge that the broker accepts (contracts, edge-state.ts): the one in use and its replacement. */
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
/**
 * Each renewal adds a revoked certificate; brokers that read the revocation list restart for it, and all edges
 * reconnect.
 */
const RENEWALS_A_DAY = 4

/**
 * Puts a renewed certificate in force beside the one in use, which is the oldest in force. All others are revoked:
 * their answers never reached the edge. Returns false if no activated edge has that id, or after too many renewals.
 */
export const addRenewed = (
  db: Database,
  edgeId: number,
  certificate: IssuedCertificate,
  now: number,
): Promise<boolean> =>
  transact(db, async (tx) => {
    await lockEdge(tx, edgeId)
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

/** Fingerprints in force by edge, newest first, at most two each. */
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

/** The Empresa of each edge and its root; an edge without an Empresa serves several. @param edgeId absent: all edges */
export async function listOwners(db: Database, edgeId?: number): Promise<EdgeOwner[]> {
  const rows = await db
    .withRecursive('raizes(id, raiz_id)', (qb) =>
      qb
        .selectFrom('empresas')
        .select(['id', 'id as raiz_id'])
        .where('empresa_pai_id', 'is', null)
        .unionAll(
          qb
            .selectFrom('empresas')
            .innerJoin('raizes', 'raizes.id', 'empresas.empresa_pai_id')
            .select(['empresas.id', 'raizes.raiz_id']),
        ),
    )
    .selectFrom('edges')
    .leftJoin('raizes', 'raizes.id', 'edges.empresa_id')
    .select(['edges.id', 'edges.empresa_id', 'raizes.raiz_id'])
    .$if(edgeId !== undefined, (qb) => qb.where('edges.id', '=', edgeId ?? 0))
    .execute()
  return rows.map(({ id, empresa_id, raiz_id }) => ({
    edgeId: id,
    empresa: empresa_id === null ? null : { id: empresa_id, rootId: raiz_id ?? empresa_id },
  }))
}

/** Revoked certificates with a known serial number that expire after `desde` (epoch ms). */
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
