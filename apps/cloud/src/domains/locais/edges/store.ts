import { updateCamera } from '../../../db/cameras.ts'
import { revokeCertificates } from '../../../db/certificados.ts'
import { raiseDesiredVersion } from '../../../db/desired-version.ts'
import { expectNothing } from '../../../db/lacunas.ts'
import type { Database } from '../../../db/open.ts'
import type { CameraRow, GravadorRow } from '../../../db/rows.ts'
import { readSnapshot } from '../../../db/transaction.ts'
import { masksDrawn } from '../../../scope/unmasked.ts'
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

/** Edges of the Empresas `empresas` (null: all edges, including the local one), ordered by id. */
export function listEdges(db: Database, empresas: number[] | null) {
  const query = withShown(db).orderBy('edges.id')
  return (empresas === null ? query : query.where('edges.empresa_id', 'in', empresas)).execute()
}

/** Part of `listEdges` behind the id `after`; null: from the first. */
export const listEdgesAfter = (db: Database, empresas: number[] | null, after: number | null, limit: number) =>
  withShown(db)
    .$if(empresas !== null, (qb) => qb.where('edges.empresa_id', 'in', empresas ?? []))
    .$if(after !== null, (qb) => qb.where('edges.id', '>', after))
    .orderBy('edges.id')
    .limit(limit)
    .execute()

/** @param empresas null: all edges, also those without an Empresa */
export const countEdges = async (db: Database, empresas: number[] | null): Promise<number> => {
  const { n } = await db
    .selectFrom('edges')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .$if(empresas !== null, (qb) => qb.where('empresa_id', 'in', empresas ?? []))
    .executeTakeFirstOrThrow()
  return Number(n)
}

export const findEdge = (db: Database, id: number) => withShown(db).where('edges.id', '=', id).executeTakeFirst()

export const findLocalEdge = (db: Database) => withShown(db).where('edges.local', '=', 1).executeTakeFirst()

/** Reads the edge in the transaction that created or changed it. @throws Error if it does not exist. */
export async function storedEdge(tx: Database, id: number): Promise<EdgeRow> {
  const row = await findEdge(tx, id)
  if (!row) throw new Error(`edge ${id} is missing in the transaction that changed it`)
  return row
}

/** Inserts an edge that is not yet activated and returns its id. */
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

/** Assigns the Empresa's cameras without an edge to this edge. Returns the changed rows. */
export const adoptCameras = (db: Database, empresaId: number, edgeId: number): Promise<CameraRow[]> =>
  db
    .updateTable('cameras')
    .set({ edge_id: edgeId })
    .where('empresa_id', '=', empresaId)
    .where('edge_id', 'is', null)
    .returningAll()
    .execute()

/** Assigns the cameras without an edge to the local edge, of Empresas that use it. Returns the changed rows. */
export const adoptOrphans = (db: Database, edgeId: number): Promise<CameraRow[]> =>
  db
    .updateTable('cameras')
    .set({ edge_id: edgeId })
    .where('edge_id', 'is', null)
    .where('empresa_id', 'in', (qb) => qb.selectFrom('empresas').select('id').where('usa_edge_local', '=', 1))
    .returningAll()
    .execute()

/**
 * Changes the given fields within the caller's transaction. Raises the desired version if the desired state contains
 * the change.
 */
export async function updateEdge(
  tx: Database,
  id: number,
  { nome, ...desired }: { readonly nome?: string } & Partial<DesiredColumns>,
): Promise<void> {
  if (nome !== undefined) await tx.updateTable('edges').set({ nome }).where('id', '=', id).execute()
  if (Object.keys(desired).length === 0) return
  await tx.updateTable('edges').set(desired).where('id', '=', id).execute()
  await raiseDesiredVersion(tx, id)
}

/** Columns of an edge in its desired state that a person sets. */
type DesiredColumns = Pick<EdgeRow, 'gravacao_continua_mb' | 'limite_reenvio_kbps'>

/** Replaces the activation code; the previous code becomes invalid. */
export const saveCode = (db: Database, id: number, codigo: { codigo_hash: string; codigo_expira_em: number }) =>
  db
    .updateTable('edges')
    .set((eb) => ({ ...codigo, codigo_anterior_hash: eb.ref('codigo_hash') }))
    .where('id', '=', id)
    .execute()

/**
 * Finds the edge whose current or previous activation code this is. `codigo_expira_em` is null if the code was used.
 */
export const findEdgeByCode = (db: Database, codigoHash: string) =>
  db
    .selectFrom('edges')
    .select(['id', 'codigo_expira_em', 'ativado_em', 'chave_cifra_json'])
    .select((eb) => eb('codigo_hash', '=', codigoHash).as('atual'))
    .where((eb) => eb.or([eb('codigo_hash', '=', codigoHash), eb('codigo_anterior_hash', '=', codigoHash)]))
    .executeTakeFirst()

/** How long a box gets another certificate for the code that it has just used: its answer may be lost. */
const AGAIN_MS = 15 * 60_000

/** Whether the code of an edge was used a moment ago by the box with this key. */
export const isUsedBy = (
  { ativado_em, chave_cifra_json }: { readonly ativado_em: number | null; readonly chave_cifra_json: string | null },
  key: string,
  now: number,
): boolean => chave_cifra_json === key && ativado_em !== null && ativado_em > now - AGAIN_MS

/**
 * Consumes the code, stores the edge's key and certificate and revokes earlier certificates, within the caller's
 * transaction. Returns the highest sequence number by camera, from which the edge continues. null: the code was used
 * by another box, replaced or has expired. The version grows, because values sealed for the old key must be sealed
 * again.
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
    .where((eb) =>
      eb.or([
        eb('codigo_expira_em', '>', now),
        eb.and([
          eb('codigo_expira_em', 'is', null),
          eb('chave_cifra_json', '=', box.chave_cifra_json),
          eb('ativado_em', '>', now - AGAIN_MS),
        ]),
      ]),
    )
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

/** Edges that received cameras, and the cameras before and after. */
interface MovedCameras {
  readonly heirs: number[]
  readonly moved: { readonly antes: CameraRow; readonly depois: CameraRow }[]
}

/**
 * Removes an edge and revokes its certificates within the caller's transaction. Its cameras move to the Empresa's other
 * edge with the fewest cameras, else to the local edge, else to none. Cameras of one gravador stay together, because
 * they share a network. Returns the edges that received cameras, and the cameras before and after.
 */
export async function removeEdge(tx: Database, id: number, now: number): Promise<MovedCameras> {
  const cameras = await tx.selectFrom('cameras').selectAll().where('edge_id', '=', id).orderBy('id').execute()
  await tx.deleteFrom('sequencias').where('edge_id', '=', id).execute()
  await closeAccount(tx, id)
  await expectNothing(tx, { edgeId: id })
  await revokeCertificates(tx, id, now)
  await tx.deleteFrom('edges').where('id', '=', id).execute()
  return await serveCameras(tx, cameras, now)
}

/** Moves cameras to the edge that may serve their Empresa, or to none; see `removeEdge`. */
export async function serveCameras(tx: Database, cameras: readonly CameraRow[], now: number): Promise<MovedCameras> {
  const groups = Map.groupBy(cameras, ({ id: camera, gravador_id }) => gravador_id ?? `camera ${camera}`)
  const heirs = new Set<number>()
  const moved: { readonly antes: CameraRow; readonly depois: CameraRow }[] = []
  for (const group of groups.values()) {
    const heir = await leastLoadedEdge(tx, group[0]?.empresa_id ?? 0)
    for (const camera of group) {
      const edge_id = heir?.id ?? null
      await updateCamera(tx, camera.id, { edge_id, ...unreported, ...masksDrawn(camera.mascaras_json, now) })
      moved.push({ antes: camera, depois: { ...camera, edge_id } })
    }
    if (heir) heirs.add(heir.id)
  }
  for (const heir of heirs) await raiseDesiredVersion(tx, heir)
  return { heirs: [...heirs], moved }
}

/** Resets the report of the previous edge. */
const unreported = {
  relato_estado: null,
  relato_motivo: null,
  relato_complemento: null,
  relato_em: null,
  ultimo_frame_em: null,
  ias_sem_suporte_json: '[]',
  ias_indisponiveis_json: '[]',
  relato_mascarada: null,
  relato_gravacao_json: null,
  relato_audio: null,
  relato_leitura: null,
  relato_perdas_json: null,
  relato_periodo_s: null,
  relato_conexoes: null,
  relato_secundario_json: null,
  sem_quadro_chave_ms: null,
}

/** Raises the desired version above `versao`. */
export const raiseVersion = (db: Database, id: number, versao: number) =>
  db
    .updateTable('edges')
    .set({ desejado_versao: versao + 1 })
    .where('id', '=', id)
    .where('desejado_versao', '<=', versao)
    .execute()

/**
 * Marks the desired state of `versao` as too large for the link, or clears the mark (`bytes` null). Does nothing if the
 * state is newer by now.
 */
export const markOversized = (db: Database, id: number, versao: number, bytes: number | null) =>
  db
    .updateTable('edges')
    .set({ desejado_grande_bytes: bytes })
    .where('id', '=', id)
    .where('desejado_versao', '=', versao)
    .$if(bytes === null, (qb) => qb.where('desejado_grande_bytes', 'is not', null))
    .execute()

/**
 * Stores the time of a scan unless one took place less than `pauseMs` ago, also by another process. A time after `now`
 * comes from a clock that was ahead and does not count. Returns whether it was stored.
 */
export async function beginScan(tx: Database, id: number, now: number, pauseMs: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('edges')
    .set({ varrido_em: now })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([eb('varrido_em', 'is', null), eb('varrido_em', '<=', now - pauseMs), eb('varrido_em', '>', now)]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function listActivatedEdges(db: Database): Promise<number[]> {
  const rows = await db.selectFrom('edges').select('id').where('ativado_em', 'is not', null).execute()
  return rows.map(({ id }) => id)
}

/** The version of the desired state of each activated edge. */
export const listVersions = (db: Database): Promise<{ id: number; desejado_versao: number }[]> =>
  db.selectFrom('edges').select(['id', 'desejado_versao']).where('ativado_em', 'is not', null).execute()

/** Reads the rows of an edge's desired state in one snapshot; null: no activated edge has that id. */
export const readDesired = (db: Database, edgeId: number) =>
  readSnapshot(db, async (tx) => {
    const edge = await tx
      .selectFrom('edges')
      .select(['desejado_versao', 'chave_cifra_json', 'limite_reenvio_kbps', 'gravacao_continua_mb', 'duplicado_em'])
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
      .leftJoin('gravadores', 'gravadores.id', 'cameras.gravador_id')
      .selectAll('cameras')
      .select(['empresas.fuso_horario', 'empresas.feriados_json', 'sequencias.ultimo_seq', 'gravadores.max_conexoes'])
      .where('cameras.edge_id', '=', edgeId)
      .orderBy('cameras.id')
      .execute()
    return {
      versao: edge.desejado_versao,
      chaveCifraJson: edge.chave_cifra_json,
      limiteReenvioKbps: edge.limite_reenvio_kbps,
      gravacaoContinuaMb: edge.gravacao_continua_mb,
      duplicado: edge.duplicado_em !== null,
      cameras,
    }
  })

export const findEdgeOwner = (db: Database, edgeId: number) =>
  db.selectFrom('edges').select(['id', 'empresa_id', 'local']).where('id', '=', edgeId).executeTakeFirst()

/**
 * The edges that may serve an Empresa: its own, and the local edge if the operator allows it. Order: own edges before
 * the local edge, activated ones first, then by number of cameras.
 */
export const listServingEdges = (db: Database, empresaId: number) =>
  db
    .selectFrom('edges')
    .select(['edges.id', 'edges.local', 'edges.ativado_em', 'edges.presente', 'edges.visto_em'])
    .where((eb) =>
      eb.or([
        eb('edges.empresa_id', '=', empresaId),
        eb.and([
          eb('edges.local', '=', 1),
          eb.exists(
            eb
              .selectFrom('empresas')
              .select('empresas.id')
              .where('empresas.id', '=', empresaId)
              .where('empresas.usa_edge_local', '=', 1),
          ),
        ]),
      ]),
    )
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

/** The edge for a new camera of the Empresa; undefined: no edge exists. */
export const leastLoadedEdge = async (db: Database, empresaId: number) => (await listServingEdges(db, empresaId))[0]

/** Gravadores of this edge, ordered by id. */
export const listGravadoresOfEdge = (db: Database, edgeId: number): Promise<GravadorRow[]> =>
  db.selectFrom('gravadores').selectAll().where('edge_id', '=', edgeId).orderBy('id').execute()

/** Deletes the id reservations of a removed edge; its id is never reused. */
async function closeAccount(tx: Database, edgeId: number): Promise<void> {
  await tx.deleteFrom('reservas_de_ids').where('dono', '=', 'edge').where('dono_id', '=', edgeId).execute()
}
