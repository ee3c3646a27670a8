import { updateCamera } from '../../db/cameras.ts'
import { revokeCertificates } from '../../db/certificados.ts'
import { raiseDesiredVersion } from '../../db/desired-version.ts'
import { expectNothing } from '../../db/lacunas.ts'
import type { Database } from '../../db/open.ts'
import type { CameraRow, GravadorRow } from '../../db/rows.ts'
import { type IssuedCertificate, insertCertificate } from './certificates-store.ts'

export type EdgeRow = NonNullable<Awaited<ReturnType<typeof findEdge>>>

const withShown = (db: Database) =>
  db
    .selectFrom('edges')
    .leftJoin('empresas', 'empresas.id', 'edges.empresa_id')
    .selectAll('edges')
    .select((eb) => [
      'empresas.fuso_horario',
      eb
        .selectFrom('cameras')
        .whereRef('cameras.edge_id', '=', 'edges.id')
        .select((count) => count.fn.countAll<number>().as('n'))
        .$asScalar()
        .$notNull()
        .as('cameras'),
      eb
        .selectFrom('certificados_edge')
        .whereRef('certificados_edge.edge_id', '=', 'edges.id')
        .where('revogado_em', 'is', null)
        .select((newest) => newest.fn.max('vence_em').as('ate'))
        .as('certificado_vence_em'),
    ])

/** Edges of the Empresas `empresas` (null: all, the local edge too), in order of id. */
export function listEdges(db: Database, empresas: number[] | null) {
  const query = withShown(db).orderBy('edges.id')
  return (empresas === null ? query : query.where('edges.empresa_id', 'in', empresas)).execute()
}

export const findEdge = (db: Database, id: number) => withShown(db).where('edges.id', '=', id).executeTakeFirst()

export const findLocalEdge = (db: Database) => withShown(db).where('edges.local', '=', 1).executeTakeFirst()

/** The edge in the transaction that has made or changed it. @throws Error when there is none. */
export async function storedEdge(tx: Database, id: number): Promise<EdgeRow> {
  const row = await findEdge(tx, id)
  if (!row) throw new Error(`edge ${id} vanished in the transaction that changed it`)
  return row
}

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
      visto_em: null,
      relato_json: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Edges of all Empresas. */
export async function countEdges(db: Database): Promise<number> {
  const { n } = await db
    .selectFrom('edges')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Cameras of the Empresa that no edge serves yet; returns them as they are then. */
export const adoptCameras = (db: Database, empresaId: number, edgeId: number): Promise<CameraRow[]> =>
  db
    .updateTable('cameras')
    .set({ edge_id: edgeId })
    .where('empresa_id', '=', empresaId)
    .where('edge_id', 'is', null)
    .returningAll()
    .execute()

/** Cameras that no edge serves, of whatever Empresa: they go to the local edge. Returns them as they are then. */
export const adoptOrphans = (db: Database, edgeId: number): Promise<CameraRow[]> =>
  db.updateTable('cameras').set({ edge_id: edgeId }).where('edge_id', 'is', null).returningAll().execute()

/** Changes what is given, within the caller's transaction. The desired state grows newer when the box has to learn of it. */
export async function updateEdge(
  tx: Database,
  id: number,
  { nome, limite_reenvio_kbps }: { readonly nome?: string; readonly limite_reenvio_kbps?: number | null },
): Promise<void> {
  if (nome !== undefined) await tx.updateTable('edges').set({ nome }).where('id', '=', id).execute()
  if (limite_reenvio_kbps === undefined) return
  await tx.updateTable('edges').set({ limite_reenvio_kbps }).where('id', '=', id).execute()
  await raiseDesiredVersion(tx, id)
}

/** Replaces the activation code; the one before it stops working. */
export const saveCode = (db: Database, id: number, codigo: { codigo_hash: string; codigo_expira_em: number }) =>
  db
    .updateTable('edges')
    .set((eb) => ({ ...codigo, codigo_anterior_hash: eb.ref('codigo_hash') }))
    .where('id', '=', id)
    .execute()

/** The edge whose last code this is (`codigo_expira_em` is null when it was used), or whose last code replaced it. */
export const findEdgeByCode = (db: Database, codigoHash: string) =>
  db
    .selectFrom('edges')
    .select(['id', 'codigo_expira_em'])
    .select((eb) => eb('codigo_hash', '=', codigoHash).as('atual'))
    .where((eb) => eb.or([eb('codigo_hash', '=', codigoHash), eb('codigo_anterior_hash', '=', codigoHash)]))
    .executeTakeFirst()

/**
 * Uses the code up and puts the box's key and certificate in force, within the caller's transaction; every certificate
 * before it is revoked. Returns the highest sequence number of each camera, from which the box goes on; null when the code
 * was used, replaced or ran out in the meantime. The version grows because what is sealed to the old key is of no use to the new one.
 */
export async function activateEdge(
  tx: Database,
  id: number,
  codigoHash: string,
  box: { readonly chave_cifra_json: string; readonly certificado: IssuedCertificate },
  now: number,
): Promise<Record<string, number> | null> {
  const { numUpdatedRows } = await tx
    .updateTable('edges')
    .set((eb) => ({
      codigo_expira_em: null,
      ativado_em: now,
      chave_cifra_json: box.chave_cifra_json,
      desejado_versao: eb('desejado_versao', '+', 1),
      presente: 0,
      instancia: null,
      instancia_anterior: null,
      duplicado_em: null,
    }))
    .where('id', '=', id)
    .where('codigo_hash', '=', codigoHash)
    .where('codigo_expira_em', '>', now)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return null
  await revokeCertificates(tx, id, now)
  await insertCertificate(tx, id, box.certificado, now)
  const counted = await tx
    .selectFrom('sequencias')
    .select(['camera_id', 'ultimo_seq'])
    .where('edge_id', '=', id)
    .orderBy('camera_id')
    .execute()
  return Object.fromEntries(counted.map(({ camera_id, ultimo_seq }) => [String(camera_id), ultimo_seq]))
}

/**
 * Removes an edge and revokes its certificates, within the caller's transaction. Its cameras go to the Empresa's other edge
 * with the fewest cameras, else to the local edge, else to none; those of one recorder stay together, as one network reaches
 * them. Returns the edges that got cameras, and the cameras as they were and as they are.
 */
export async function removeEdge(
  tx: Database,
  id: number,
  now: number,
): Promise<{ readonly heirs: number[]; readonly moved: { readonly antes: CameraRow; readonly depois: CameraRow }[] }> {
  const cameras = await tx.selectFrom('cameras').selectAll().where('edge_id', '=', id).orderBy('id').execute()
  await tx.deleteFrom('sequencias').where('edge_id', '=', id).execute()
  await closeAccount(tx, id)
  await expectNothing(tx, { edgeId: id })
  await revokeCertificates(tx, id, now)
  await tx.deleteFrom('edges').where('id', '=', id).execute()
  const groups = Map.groupBy(cameras, ({ id: camera, gravador_id }) => gravador_id ?? `camera ${camera}`)
  const heirs = new Set<number>()
  const moved: { readonly antes: CameraRow; readonly depois: CameraRow }[] = []
  for (const group of groups.values()) {
    const heir = await leastLoadedEdge(tx, group[0]?.empresa_id ?? 0)
    for (const camera of group) {
      const edge_id = heir?.id ?? null
      await updateCamera(tx, camera.id, { edge_id, ...unreported })
      moved.push({ antes: camera, depois: { ...camera, edge_id } })
    }
    if (heir) heirs.add(heir.id)
  }
  for (const heir of heirs) await raiseDesiredVersion(tx, heir)
  return { heirs: [...heirs], moved }
}

/** What the edge before had reported says nothing of the next one. */
const unreported = {
  relato_estado: null,
  relato_motivo: null,
  relato_complemento: null,
  relato_em: null,
  ultimo_frame_em: null,
  ias_sem_suporte_json: '[]',
  ias_indisponiveis_json: '[]',
}

/** Makes the desired state newer than `versao`. */
export const raiseVersion = (db: Database, id: number, versao: number) =>
  db
    .updateTable('edges')
    .set({ desejado_versao: versao + 1 })
    .where('id', '=', id)
    .where('desejado_versao', '<=', versao)
    .execute()

/**
 * Marks an edge whose desired state of `versao` is too large for the link, or takes the mark away (`bytes` null). A state that is newer
 * by now gets its own mark.
 */
export const markOversized = (db: Database, id: number, versao: number, bytes: number | null) =>
  db
    .updateTable('edges')
    .set({ desejado_grande_bytes: bytes })
    .where('id', '=', id)
    .where('desejado_versao', '=', versao)
    .$if(bytes === null, (qb) => qb.where('desejado_grande_bytes', 'is not', null))
    .execute()

export async function listActivatedEdges(db: Database): Promise<number[]> {
  const rows = await db.selectFrom('edges').select('id').where('ativado_em', 'is not', null).execute()
  return rows.map(({ id }) => id)
}

/** What the desired state of an edge is made of, of one moment; null when there is no such activated edge. */
export const readDesired = (db: Database, edgeId: number) =>
  db.transaction().execute(async (tx) => {
    const edge = await tx
      .selectFrom('edges')
      .select(['desejado_versao', 'chave_cifra_json', 'limite_reenvio_kbps', 'duplicado_em'])
      .where('id', '=', edgeId)
      .where('ativado_em', 'is not', null)
      .executeTakeFirst()
    if (!edge || edge.chave_cifra_json === null) return null
    const cameras = await tx
      .selectFrom('cameras')
      .innerJoin('empresas', 'empresas.id', 'cameras.empresa_id')
      .leftJoin('sequencias', (join) =>
        join.onRef('sequencias.camera_id', '=', 'cameras.id').on('sequencias.edge_id', '=', edgeId),
      )
      .selectAll('cameras')
      .select(['empresas.fuso_horario', 'sequencias.ultimo_seq'])
      .where('cameras.edge_id', '=', edgeId)
      .orderBy('cameras.id')
      .execute()
    return {
      versao: edge.desejado_versao,
      chaveCifraJson: edge.chave_cifra_json,
      limiteReenvioKbps: edge.limite_reenvio_kbps,
      duplicado: edge.duplicado_em !== null,
      cameras,
    }
  })

export const findEdgeOwner = (db: Database, edgeId: number) =>
  db.selectFrom('edges').select(['id', 'empresa_id', 'local']).where('id', '=', edgeId).executeTakeFirst()

/**
 * The edges that may serve an Empresa: its own, activated ones first, then those with the fewest cameras; last the local
 * edge of the installation.
 */
export const listServingEdges = (db: Database, empresaId: number) =>
  db
    .selectFrom('edges')
    .select(['edges.id', 'edges.local', 'edges.ativado_em', 'edges.presente', 'edges.visto_em'])
    .where((eb) => eb.or([eb('edges.empresa_id', '=', empresaId), eb('edges.local', '=', 1)]))
    .orderBy('edges.local')
    .orderBy((eb) => eb('edges.ativado_em', 'is', null))
    .orderBy((eb) =>
      eb
        .selectFrom('cameras')
        .whereRef('cameras.edge_id', '=', 'edges.id')
        .select(({ fn }) => fn.countAll<number>().as('n')),
    )
    .orderBy('edges.id')
    .execute()

/** The edge for a new camera of the Empresa; undefined: there is none at all. */
export const leastLoadedEdge = async (db: Database, empresaId: number) => (await listServingEdges(db, empresaId))[0]

/** Recorders that name this edge as theirs, in order of id. */
export const listGravadoresOfEdge = (db: Database, edgeId: number): Promise<GravadorRow[]> =>
  db.selectFrom('gravadores').selectAll().where('edge_id', '=', edgeId).orderBy('id').execute()

/** The edge is removed, and its id is never given again. */
async function closeAccount(tx: Database, edgeId: number): Promise<void> {
  await tx.deleteFrom('reservas_de_ids').where('dono', '=', 'edge').where('dono_id', '=', edgeId).execute()
}
