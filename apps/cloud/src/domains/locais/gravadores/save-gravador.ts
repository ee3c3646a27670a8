import { changedSources, openSources, sealSources } from '../../../adapters/camera-sources.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { auditCamera } from '../../../audit/audit-camera.ts'
import type { Autor } from '../../../audit/audit-change.ts'
import { auditGravador } from '../../../audit/audit-gravador.ts'
import { listGravadorCameras, updateCamera } from '../../../db/cameras.ts'
import type { Database } from '../../../db/open.ts'
import type { GravadorRow } from '../../../db/rows.ts'
import type { Caller } from '../../../http/caller.ts'
import {
  coveredMasks,
  readMaskedCameras,
  requireKeepsView,
  requireMayMask,
  viewsOf,
} from '../../../scope/masked-views.ts'
import { newMasks } from '../../../scope/unmasked.ts'
import { desiredCameraBytes } from '../edges/desired-camera.ts'
import { requireCameraFits, requireDesiredFits } from '../edges/desired-limits.ts'
import { type GravadorAccess, gravadorSources, movedSources, openGravador, sealPassword } from './gravador-sources.ts'
import { insertGravador, updateGravador } from './store.ts'

/** Fields of a gravador to store. */
export interface GravadorSettings {
  readonly access: GravadorAccess
  readonly nome: string
  readonly num_canais: number
  readonly max_conexoes: number | null
  readonly edge_id: number | null
}

/** Inserts a gravador within the caller's transaction and returns its id. */
export async function addGravador(
  tx: Database,
  box: SecretBox,
  autor: Autor,
  empresaId: number,
  { access, ...rest }: GravadorSettings,
  now: number,
): Promise<number> {
  const { senha, ...columns } = access
  // The seal of the password includes the id, so that it is stored in a second step.
  const id = await insertGravador(tx, {
    ...columns,
    ...rest,
    empresa_id: empresaId,
    senha_cifrada: '',
    criado_em: now,
    atualizado_em: now,
  })
  const created = await updateGravador(tx, id, { senha_cifrada: sealPassword(box, id, senha) })
  await auditGravador(tx, now, autor, { antes: null, depois: created, segredos: ['senha'] })
  return id
}

/**
 * Updates the stored gravador `row` to `wanted` within the caller's transaction, including the addresses of all its
 * cameras. An unchanged gravador is not written.
 * @throws VigiaError `conflito` if a camera, or the Empresa's share of its edge, becomes too large. `proibido` if a
 * camera leaves a picture that it masks, or gets one that another camera masks
 * @returns edges with another configuration; the caller must raise their desired version
 */
export async function saveGravador(
  tx: Database,
  box: SecretBox,
  caller: Caller,
  row: GravadorRow,
  wanted: GravadorSettings,
  now: number,
): Promise<Set<number>> {
  const before = openGravador(box, row)
  const { senha, ...columns } = wanted.access
  const { nome, num_canais, max_conexoes, edge_id } = wanted
  const rest = { nome, num_canais, max_conexoes, edge_id }
  const moved = differs(before, wanted.access)
  if (!moved && !differs(row, rest)) return new Set()
  const saved = await updateGravador(tx, row.id, {
    ...columns,
    ...rest,
    ...(senha !== before.senha && { senha_cifrada: sealPassword(box, row.id, senha) }),
    ...(moved && { sem_sincronia: 0 as const }),
    atualizado_em: now,
  })
  const segredos = senha === before.senha ? [] : ['senha']
  await auditGravador(tx, now, caller, { antes: row, depois: saved, segredos })
  if (moved) return await propagate(tx, box, caller, row, before, wanted.access, now)
  return max_conexoes === row.max_conexoes ? new Set() : await edgesOf(tx, row.id)
}

async function edgesOf(tx: Database, gravadorId: number): Promise<Set<number>> {
  const cameras = await listGravadorCameras(tx, gravadorId)
  return new Set(cameras.flatMap(({ edge_id }) => edge_id ?? []))
}

/** Updates the addresses of every camera of the gravador. A manually removed substream stays removed. */
async function propagate(
  tx: Database,
  box: SecretBox,
  caller: Caller,
  { id: gravadorId, empresa_id: empresaId }: GravadorRow,
  before: GravadorAccess,
  after: GravadorAccess,
  now: number,
): Promise<Set<number>> {
  const edges = new Set<number>()
  const grown = new Set<number>()
  const masked = await readMaskedCameras(tx, empresaId)
  for (const camera of await listGravadorCameras(tx, gravadorId)) {
    const canal = camera.canal ?? 0
    const had = openSources(box, camera)
    const derived = gravadorSources(after, canal) ?? movedSources(had, after)
    const withoutSub = had.sub_rtsp_url === null && gravadorSources(before, canal)?.sub_rtsp_url !== null
    const fontes = withoutSub ? { ...derived, sub_rtsp_url: null } : derived
    requireKeepsView(caller, camera, fontes)
    const viewing = { id: camera.id, empresaId, edgeId: camera.edge_id, views: viewsOf(fontes) }
    const mascaras_json = coveredMasks(masked, caller, viewing, camera.mascaras_json)
    requireMayMask(caller, camera, mascaras_json)
    const changed = { ...sealSources(box, camera.id, fontes), ...newMasks(camera, mascaras_json, now) }
    const desejado_bytes = desiredCameraBytes({ ...camera, ...changed }, fontes)
    requireCameraFits(camera.nome, desejado_bytes, camera.desejado_bytes)
    const atualizada_em = Math.max(now, camera.atualizada_em + 1)
    await updateCamera(tx, camera.id, { ...changed, desejado_bytes, atualizada_em })
    const segredos = changedSources(had, fontes)
    await auditCamera(tx, now, caller, { antes: camera, depois: { ...camera, ...changed }, segredos })
    if (camera.edge_id === null) continue
    edges.add(camera.edge_id)
    if (desejado_bytes > (camera.desejado_bytes ?? 0)) grown.add(camera.edge_id)
  }
  for (const edgeId of grown) await requireDesiredFits(tx, empresaId, edgeId)
  return edges
}

const differs = <T extends object>(stored: T, wanted: { [K in keyof T]?: T[K] }): boolean =>
  Object.entries(wanted).some(([field, value]) => stored[field as keyof T] !== value)
