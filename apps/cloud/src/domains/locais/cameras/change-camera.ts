import type { Camera } from '@vigia/contracts/cameras'
import type { Fontes } from '@vigia/contracts/edge-state'
import type { Zonas } from '@vigia/contracts/geometria'
import { changedSources, openSources, openSourcesOrNull } from '../../../adapters/camera-sources.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { auditCamera } from '../../../audit/audit-camera.ts'
import { type CameraChanges, updateCamera } from '../../../db/cameras.ts'
import { raiseDesiredVersion } from '../../../db/desired-version.ts'
import { findGravador } from '../../../db/gravadores.ts'
import { lockLineage } from '../../../db/lineage.ts'
import { lockCameraOnEdge } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { CameraRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, requireWrite } from '../../../http/caller.ts'
import { requireEffect } from '../../../http/effects.ts'
import {
  coveredMasks,
  readMaskedCameras,
  requireKeepsView,
  requireMayMask,
  viewsOf,
} from '../../../scope/masked-views.ts'
import { opensGate, requireGateCanal } from '../../../scope/require-gate-canal.ts'
import { requireSimulated } from '../../../scope/require-simulated.ts'
import { uncovers } from '../../../scope/uncovers.ts'
import { masksDrawn } from '../../../scope/unmasked.ts'
import { desiredCameraBytes } from '../edges/desired-camera.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { requireCameraFits, requireDesiredFits } from '../edges/desired-limits.ts'
import { gravadorSources, openGravador } from '../gravadores/gravador-sources.ts'
import { type CameraChange, concernsEdge, patchColumns } from './patch-columns.ts'
import { requireFeriados } from './put-feriados.ts'
import { requireCamera } from './require-camera.ts'
import { requireUnchanged } from './require-unchanged.ts'
import { viewCamera } from './view-camera.ts'

/**
 * Changes only the given fields. Read and write share one transaction, so that concurrent changes are both kept.
 * @param ifMatch `atualizada_em` of the version that the caller read; null: any version
 * @throws VigiaError `proibido`, `nao_encontrado`, `validacao`, `conflito` (the configuration would be too large, or
 * the camera changed meanwhile).
 */
export async function changeCamera(
  deps: DesiredDeps,
  caller: Caller,
  id: number,
  patch: CameraChange,
  ifMatch: string | null = null,
): Promise<Camera> {
  requireWrite(caller)
  const { empresa_id } = await requireCamera(deps.db, caller, id)
  const { row, edgeId } = await transact(deps.db, async (tx) => {
    const lineage = await lockLineage(tx, empresa_id)
    for (const field of ['rtsp_url', 'sub_rtsp_url'] as const)
      if (lineage && patch[field] != null) requireSimulated(lineage.empresa, patch[field], field)
    await lockCameraOnEdge(tx, id)
    const before = await requireCamera(tx, caller, id)
    requireUnchanged(before.atualizada_em, ifMatch)
    await requireGateCanal(tx, before.empresa_id, patch.modo_b_config)
    if (lineage) requireFeriados(lineage.empresa, patch.horarios)
    const channel = await channelSources(tx, deps.box, before)
    const sent = patchColumns(before, patch, deps.box, channel)
    const mascaras = await coveredBy(tx, deps.box, caller, before, sent)
    const changes = mascaras === null ? sent : patchColumns(before, { ...patch, mascaras }, deps.box, channel)
    if (Object.keys(changes).length === 0) return { row: before, edgeId: null }
    requireEffects(caller, before, changes)
    const now = deps.clock.now()
    // It is also the version for If-Match, so that no two versions of a camera have the same value.
    const atualizada_em = Math.max(now, before.atualizada_em + 1)
    const drawn = changes.mascaras_json === undefined ? {} : masksDrawn(changes.mascaras_json, now)
    await updateCamera(tx, id, { ...changes, ...drawn, atualizada_em })
    const after = await requireCamera(tx, caller, id)
    const edge = concernsEdge(changes) ? before.edge_id : null
    if (edge !== null) await raiseDesiredVersion(tx, edge)
    if (concernsEdge(changes)) await requireFits(tx, deps.box, before, after)
    const moved = changes.rtsp_url_cifrada !== undefined
    const segredos = moved ? changedSources(openSources(deps.box, before), openSources(deps.box, after)) : []
    await auditCamera(tx, now, caller, { antes: before, depois: after, segredos })
    return { row: after, edgeId: edge }
  })
  if (edgeId !== null) deps.desired.changed(edgeId)
  return viewCamera(row, deps.clock.now())
}

/**
 * The masks of the camera, if its new addresses show a picture that other cameras mask; null: none to add.
 * @throws VigiaError `proibido`, `conflito`
 */
async function coveredBy(
  tx: Database,
  box: SecretBox,
  caller: Caller,
  before: CameraRow,
  changes: CameraChanges,
): Promise<Zonas | null> {
  const { rtsp_url_cifrada, sub_rtsp_url_cifrada = null } = changes
  if (rtsp_url_cifrada === undefined) return null
  const { id, empresa_id: empresaId, edge_id: edgeId } = before
  const fontes = openSources(box, { id, rtsp_url_cifrada, sub_rtsp_url_cifrada })
  requireKeepsView(caller, before, fontes)
  const masked = await readMaskedCameras(tx, empresaId)
  const viewing = { id, empresaId, edgeId, views: viewsOf(fontes) }
  const mascaras_json = coveredMasks(masked, caller, viewing, before.mascaras_json)
  return mascaras_json === before.mascaras_json ? null : JSON.parse(mascaras_json)
}

/**
 * Effects of a change (docs/privacy.md, docs/recordings.md): the edge deletes its recordings of a camera that is masked
 * or no longer recorded. @throws VigiaError `proibido`
 */
function requireEffects(caller: Caller, before: CameraRow, changes: CameraChanges): void {
  const { mascaras_json, gravacao_continua, audio, modo_b_config_json } = changes
  if (modo_b_config_json !== undefined && opensGate(before.modo_b_config_json, modo_b_config_json))
    requireEffect(caller, 'grants', 'Abrir um portão por placa')
  if (mascaras_json !== undefined && uncovers(JSON.parse(before.mascaras_json), JSON.parse(mascaras_json)))
    requireEffect(caller, 'reveals', 'Tirar ou diminuir uma máscara de privacidade')
  if (mascaras_json !== undefined) requireMayMask(caller, before, mascaras_json)
  if (before.gravacao_continua === 1 && gravacao_continua === 0)
    requireEffect(caller, 'destroys', 'Desligar a gravação contínua, que apaga o que a caixa gravou')
  if (audio === 1) requireEffect(caller, 'reveals', 'Ligar o som da câmera')
}

/** Counts the changed camera. @throws VigiaError `conflito` if it has grown above a limit */
async function requireFits(tx: Database, box: SecretBox, before: CameraRow, after: CameraRow): Promise<void> {
  const desejado_bytes = desiredCameraBytes(after, openSourcesOrNull(box, after))
  requireCameraFits(after.nome, desejado_bytes, before.desejado_bytes)
  await updateCamera(tx, after.id, { desejado_bytes })
  if (after.edge_id !== null && desejado_bytes > (before.desejado_bytes ?? 0))
    await requireDesiredFits(tx, after.empresa_id, after.edge_id)
}

/**
 * Returns the addresses of the camera's canal; its own addresses if no template applies. null: the camera has no canal.
 */
async function channelSources(tx: Database, box: SecretBox, camera: CameraRow): Promise<Fontes | null> {
  if (camera.gravador_id === null || camera.canal === null) return null
  const gravador = await findGravador(tx, camera.gravador_id)
  if (!gravador) return null
  return gravadorSources(openGravador(box, gravador), camera.canal) ?? openSources(box, camera)
}
