import type { Database } from '../../db/open.ts'
import { leastLoadedEdge, raiseDesiredVersion, updateCamera } from '../cameras/store.ts'

export type EdgeRow = NonNullable<Awaited<ReturnType<typeof findEdge>>>

const withCameraCount = (db: Database) =>
  db
    .selectFrom('edges')
    .selectAll('edges')
    .select((eb) =>
      eb
        .selectFrom('cameras')
        .whereRef('cameras.edge_id', '=', 'edges.id')
        .select((count) => count.fn.countAll<number>().as('n'))
        .$asScalar()
        .$notNull()
        .as('cameras'),
    )

/** Edges of the Empresas `empresas` (null: all, the local edge too), in order of id. */
export function listEdges(db: Database, empresas: number[] | null) {
  const query = withCameraCount(db).orderBy('edges.id')
  return (empresas === null ? query : query.where('edges.empresa_id', 'in', empresas)).execute()
}

export const findEdge = (db: Database, id: number) => withCameraCount(db).where('edges.id', '=', id).executeTakeFirst()

export const findLocalEdge = (db: Database) => withCameraCount(db).where('edges.local', '=', 1).executeTakeFirst()

/** Adds an edge that waits for its box, and returns its id. */
export async function insertEdge(
  db: Database,
  edge: { nome: string; empresa_id: number | null; local: 0 | 1; criado_em: number },
  codigo: { codigo_hash: string; codigo_expira_em: number },
): Promise<number> {
  const { id } = await db
    .insertInto('edges')
    .values({
      ...edge,
      ...codigo,
      ativado_em: null,
      chave_cifra_json: null,
      certificado_sha256: null,
      visto_em: null,
      relato_json: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Cameras of the Empresa that no edge serves yet. */
export const adoptCameras = (db: Database, empresaId: number, edgeId: number) =>
  db
    .updateTable('cameras')
    .set({ edge_id: edgeId })
    .where('empresa_id', '=', empresaId)
    .where('edge_id', 'is', null)
    .execute()

/** Cameras that no edge serves, of whatever Empresa: they go to the local edge. */
export const adoptOrphans = (db: Database, edgeId: number) =>
  db.updateTable('cameras').set({ edge_id: edgeId }).where('edge_id', 'is', null).execute()

export const renameEdge = (db: Database, id: number, nome: string) =>
  db.updateTable('edges').set({ nome }).where('id', '=', id).execute()

/** Replaces the activation code; the one before it stops working. */
export const saveCode = (db: Database, id: number, codigo: { codigo_hash: string; codigo_expira_em: number }) =>
  db.updateTable('edges').set(codigo).where('id', '=', id).execute()

/** The edge to which a code belongs, also a code that was used already (`codigo_expira_em` is null then). */
export const findEdgeByCode = (db: Database, codigoHash: string) =>
  db.selectFrom('edges').select(['id', 'codigo_expira_em']).where('codigo_hash', '=', codigoHash).executeTakeFirst()

/**
 * Uses the code up and puts the box's key and certificate in force, in one transaction. False when the code was used, replaced or ran out
 * in the meantime. The version grows because what is sealed to the old key is of no use to the new one; the sequence
 * numbers are forgotten because a new box counts from 1.
 */
export const activateEdge = (
  db: Database,
  id: number,
  codigoHash: string,
  box: { readonly chave_cifra_json: string; readonly certificado_sha256: string },
  agora: number,
): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('edges')
      .set((eb) => ({
        codigo_expira_em: null,
        ativado_em: agora,
        ...box,
        desejado_versao: eb('desejado_versao', '+', 1),
        presente: 0,
      }))
      .where('id', '=', id)
      .where('codigo_hash', '=', codigoHash)
      .where('codigo_expira_em', '>', agora)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    await tx.deleteFrom('sequencias').where('edge_id', '=', id).execute()
    return true
  })

/**
 * Removes an edge. Its cameras go to the Empresa's other edge with the fewest cameras, else to the local edge, else to
 * none. Returns the edges that got cameras.
 */
export const removeEdge = (db: Database, id: number): Promise<number[]> =>
  db.transaction().execute(async (tx) => {
    const cameras = await tx.selectFrom('cameras').select(['id', 'empresa_id']).where('edge_id', '=', id).execute()
    await tx.deleteFrom('sequencias').where('edge_id', '=', id).execute()
    await tx.deleteFrom('edges').where('id', '=', id).execute()
    const heirs = new Set<number>()
    for (const camera of cameras) {
      const heir = await leastLoadedEdge(tx, camera.empresa_id)
      await updateCamera(tx, camera.id, { edge_id: heir?.id ?? null, ...unreported })
      if (heir) heirs.add(heir.id)
    }
    for (const heir of heirs) await raiseDesiredVersion(tx, heir)
    return [...heirs]
  })

/** What the edge before had reported says nothing of the next one. */
const unreported = {
  relato_estado: null,
  relato_motivo: null,
  relato_complemento: null,
  relato_em: null,
  ultimo_frame_em: null,
  ias_sem_suporte_json: '[]',
}

/** Edges not heard since `desde` (epoch ms) are gone, also where the broker did not live to send their last will. */
export const forgetSilentEdges = (db: Database, desde: number) =>
  db
    .updateTable('edges')
    .set({ presente: 0 })
    .where('presente', '=', 1)
    .where((eb) => eb.or([eb('visto_em', 'is', null), eb('visto_em', '<', desde)]))
    .execute()

/** Makes the desired state newer than `versao`. */
export const raiseVersion = (db: Database, id: number, versao: number) =>
  db
    .updateTable('edges')
    .set({ desejado_versao: versao + 1 })
    .where('id', '=', id)
    .where('desejado_versao', '<=', versao)
    .execute()

/** The certificates in force, of every activated edge. */
export async function listCertificates(db: Database): Promise<{ edgeId: number; sha256: string }[]> {
  const rows = await db
    .selectFrom('edges')
    .select(['id', 'certificado_sha256'])
    .where('certificado_sha256', 'is not', null)
    .$narrowType<{ certificado_sha256: string }>()
    .execute()
  return rows.map(({ id, certificado_sha256 }) => ({ edgeId: id, sha256: certificado_sha256 }))
}

export async function listActivatedEdges(db: Database): Promise<number[]> {
  const rows = await db.selectFrom('edges').select('id').where('ativado_em', 'is not', null).execute()
  return rows.map(({ id }) => id)
}

/** What the desired state of an edge is made of, of one moment; null when there is no such activated edge. */
export const readDesired = (db: Database, edgeId: number) =>
  db.transaction().execute(async (tx) => {
    const edge = await tx
      .selectFrom('edges')
      .select(['desejado_versao', 'chave_cifra_json'])
      .where('id', '=', edgeId)
      .where('ativado_em', 'is not', null)
      .executeTakeFirst()
    if (!edge || edge.chave_cifra_json === null) return null
    const cameras = await tx
      .selectFrom('cameras')
      .innerJoin('empresas', 'empresas.id', 'cameras.empresa_id')
      .selectAll('cameras')
      .select('empresas.fuso_horario')
      .where('cameras.edge_id', '=', edgeId)
      .orderBy('cameras.id')
      .execute()
    return { versao: edge.desejado_versao, chaveCifraJson: edge.chave_cifra_json, cameras }
  })
