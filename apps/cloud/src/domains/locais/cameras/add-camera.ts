import type { Fontes } from '@vigia/contracts/edge-state'
import type { NomeIa } from '@vigia/contracts/ias'
import { iasPadrao, type NomePerfil, perfil as perfilOf } from '@vigia/contracts/perfis'
import { hasPlaca, withPlaca } from '@vigia/contracts/plates-ia'
import { sealSources } from '../../../adapters/camera-sources.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { auditCamera } from '../../../audit/audit-camera.ts'
import { type CameraWithEdge, findCamera, updateCamera } from '../../../db/cameras.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { coveredMasks, type Viewed, viewsOf } from '../../../scope/masked-views.ts'
import { masksDrawn } from '../../../scope/unmasked.ts'
import { desiredCameraBytes } from '../edges/desired-camera.ts'
import { requireCameraFits } from '../edges/desired-limits.ts'
import { platesColumn } from './plate-state.ts'
import { insertCamera } from './store.ts'

export interface CameraToAdd {
  readonly empresaId: number
  readonly edgeId: number | null
  /** null: a camera without a gravador. */
  readonly gravador: { readonly id: number; readonly canal: number } | null
  readonly nome: string
  readonly fontes: Fontes
  readonly perfil: NomePerfil | null
  /** undefined: the IAs of the Perfil. */
  readonly ias: readonly NomeIa[] | undefined
  /** Whether the camera reads plates, where `ias` is undefined: a Perfil alone makes no camera read them. */
  readonly placas: boolean
  /** Cameras of the tree (`readMaskedCameras`): the camera gets the masks of those with the same picture. */
  readonly masked: readonly Viewed[]
}

/**
 * Inserts a camera within the caller's transaction. The caller locks the lineage, checks the quota, raises the edge's
 * version and calls `requireDesiredFits`. A Perfil sets IAs, calibration and Agenda; explicit IAs take precedence.
 * @throws VigiaError `conflito` if the camera exceeds its size limit; `proibido`: another camera masks this picture
 */
export async function addCamera(
  tx: Database,
  box: SecretBox,
  caller: Caller,
  camera: CameraToAdd,
  now: number,
): Promise<CameraWithEdge> {
  const perfil = camera.perfil === null ? null : perfilOf(camera.perfil)
  const { empresaId, edgeId, fontes } = camera
  const ias = camera.ias ?? withPlaca(perfil?.ias ?? iasPadrao, camera.placas)
  const mascaras_json = coveredMasks(camera.masked, caller, { id: null, empresaId, edgeId, views: viewsOf(fontes) })
  const values = {
    empresa_id: empresaId,
    edge_id: edgeId,
    gravador_id: camera.gravador?.id ?? null,
    canal: camera.gravador?.canal ?? null,
    nome: camera.nome,
    rtsp_url: '',
    rtsp_url_cifrada: '',
    sub_rtsp_url: null,
    sub_rtsp_url_cifrada: null,
    perfil: perfil?.nome ?? null,
    eventos_habilitados_json: JSON.stringify(ias),
    config_ia_json: JSON.stringify(perfil?.config_ia ?? {}),
    zonas_json: '[]',
    linha_json: '[]',
    agenda_json: JSON.stringify(perfil?.agenda ?? {}),
    horarios_json: '{}',
    ativa: 1 as const,
    modo_b_config_json: platesColumn(null, hasPlaca(ias)),
    instrucoes_json: '[]',
    mascaras_json,
    ...masksDrawn(mascaras_json, now),
    gravacao_continua: 0 as const,
    audio: 0 as const,
    transporte: 'automatico',
    gravacao_apagada_json: '[]',
    relato_estado: null,
    relato_motivo: null,
    relato_complemento: null,
    relato_em: null,
    ultimo_frame_em: null,
    codec: null,
    resolucao: null,
    fps: null,
    criada_em: now,
    atualizada_em: now,
  }
  // The seal of the addresses includes the id, so that they are stored in a second step.
  const id = await insertCamera(tx, values)
  const desejado_bytes = desiredCameraBytes({ ...values, id }, fontes)
  requireCameraFits(camera.nome, desejado_bytes, null)
  await updateCamera(tx, id, { ...sealSources(box, id, fontes), desejado_bytes })
  const created = await findCamera(tx, id)
  if (!created) throw new Error(`camera ${id} is missing in the transaction that created it`)
  await auditCamera(tx, now, caller, { antes: null, depois: created })
  return created
}
