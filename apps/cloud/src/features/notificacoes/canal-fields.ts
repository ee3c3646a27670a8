import { invalid, VigiaError } from '@vigia/contracts/errors'
import { destinationProblems } from '@vigia/contracts/notificacoes'
import type { Database } from '../../db/open.ts'
import type { Caller } from '../../http/caller.ts'
import { cameraInScope } from '../cameras/read-camera.ts'
import { requireEmpresa } from '../empresas/narrow-scope.ts'
import type { CanalRow } from './store.ts'
import type { CanalFields } from './view-canal.ts'

export const canalColumns = (canal: CanalFields) =>
  ({
    empresa_id: canal.empresa_id,
    tipo: canal.tipo,
    destino: canal.destino,
    destinatarios_json: JSON.stringify(canal.destinatarios),
    ativo: canal.ativo ? 1 : 0,
    camera_id: canal.camera_id,
    tipos_evento_json: JSON.stringify(canal.tipos_evento),
    agenda_json: JSON.stringify(canal.agenda),
    avisar_quedas: canal.avisar_quedas ? 1 : 0,
  }) satisfies Partial<CanalRow>

/**
 * Checks a whole channel, new or changed, against what its fields refer to and against each other.
 * @throws VigiaError `nao_encontrado` (Empresa or camera), `validacao` (a camera of another Empresa; destinations that are
 * none of this `tipo`).
 */
export async function requireValidCanal(db: Database, caller: Caller, canal: CanalFields): Promise<void> {
  await requireEmpresa(db, caller, canal.empresa_id)
  if (canal.camera_id !== null) {
    const camera = await cameraInScope(db, caller, canal.camera_id)
    if (camera.empresa_id !== canal.empresa_id)
      throw invalid(['body', 'camera_id'], 'Esta câmera é de outra Empresa: escolha uma da Empresa do canal')
  }
  const itens = destinationProblems(canal).map(({ path, message }) => ({
    loc: ['body', ...path],
    msg: message,
    type: 'value_error',
  }))
  if (itens.length > 0) throw new VigiaError('validacao', { detalhe: 'Dados inválidos.', itens })
}
