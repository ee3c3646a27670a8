import type { Camera, CameraCreate } from '@vigia/contracts/cameras'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import type { NomeIa } from '@vigia/contracts/ias'
import { perfil as perfilOf } from '@vigia/contracts/perfis'
import { type Caller, notFound, requireScope, requireWrite } from '../../http/caller.ts'
import { findEmpresa } from '../empresas/store.ts'
import { chooseEdge } from './choose-edge.ts'
import type { CamerasDeps } from './deps.ts'
import { resolveUrl } from './resolve-url.ts'
import { sealSources } from './sources.ts'
import { countCameras, findCamera, insertCamera, raiseDesiredVersion, updateCamera } from './store.ts'
import { viewCamera } from './view-camera.ts'

/** What a camera watches for when neither IAs nor a Perfil are given. */
const IAS_PADRAO: readonly NomeIa[] = ['invasao']

/**
 * Registers a camera. A Perfil sets IAs, calibration and Agenda; IAs named beside it win over the Perfil's.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa or edge), `validacao`, `conflito` (quota).
 */
export async function createCamera(deps: CamerasDeps, caller: Caller, input: CameraCreate): Promise<Camera> {
  requireWrite(caller)
  const empresaId = empresaFor(caller, input.empresa_id)
  const sources = {
    rtsp_url: resolveUrl('rtsp_url', input.rtsp_url ?? '', []),
    sub_rtsp_url: input.sub_rtsp_url == null ? null : resolveUrl('sub_rtsp_url', input.sub_rtsp_url, []),
  }
  const perfil = input.perfil == null ? null : perfilOf(input.perfil)
  const ias = input.eventos_habilitados ?? input.ias_habilitadas ?? perfil?.ias ?? IAS_PADRAO
  const now = deps.clock.now()

  const row = await deps.db.transaction().execute(async (trx) => {
    const empresa = await findEmpresa(trx, empresaId)
    if (!empresa) throw notFound('Empresa não encontrada.')
    if ((await countCameras(trx, empresaId)) >= empresa.limite_cameras)
      throw new VigiaError('conflito', {
        detalhe: `A Empresa já usa as ${empresa.limite_cameras} câmeras do seu limite. Remova uma ou amplie o limite.`,
      })
    const edgeId = await chooseEdge(trx, caller, empresaId, input.edge_id)
    // The id is part of what the addresses are sealed to, so they come in a second step.
    const id = await insertCamera(trx, {
      empresa_id: empresaId,
      edge_id: edgeId,
      gravador_id: null,
      canal: null,
      nome: input.nome,
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
      ativa: 1,
      modo_b_config_json: null,
      instrucoes_json: '[]',
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
    })
    await updateCamera(trx, id, sealSources(deps.box, id, sources))
    if (edgeId !== null) await raiseDesiredVersion(trx, edgeId)
    const created = await findCamera(trx, id)
    if (!created) throw new Error(`camera ${id} vanished in the transaction that made it`)
    return created
  })
  if (row.edge_id !== null) deps.desired.changed(row.edge_id)
  return viewCamera(row, now)
}

/** Left out: the caller's own Empresa. The operator has none and must name one. */
function empresaFor(caller: Caller, asked: number | null | undefined): number {
  const empresaId = asked ?? caller.empresaId
  if (empresaId === null) throw invalid(['body', 'empresa_id'], 'Diga de qual Empresa é a câmera', 'missing')
  requireScope(caller, empresaId)
  return empresaId
}
