import { randomUUID } from 'node:crypto'
import type { Gravidade } from '@vigia/contracts/ias'
import type { SituacaoPlaca } from '@vigia/contracts/passagens'
import type { NewEvento } from '../../../db/rows.ts'
import type { PlannedPassagem } from './plan-passagem.ts'

interface Matched {
  /** Id of the passage. */
  readonly id: number
  readonly situacao: SituacaoPlaca | null
  readonly gravidade: Gravidade
  readonly fotoPath: string | null
}

/** The event of a passage whose plate a list names, or that the camera alerts on. */
export const eventOf = (
  { registro, camera, retroativo }: PlannedPassagem,
  { id, situacao, fotoPath, gravidade }: Matched,
  { edgeId, now }: { readonly edgeId: number; readonly now: number },
): Omit<NewEvento, 'id'> => ({
  uuid: randomUUID(),
  empresa_id: camera.empresa_id,
  camera_id: camera.id,
  camera_nome: camera.nome,
  edge_id: edgeId,
  seq: registro.seq,
  tipo: 'placa',
  gravidade,
  ocorrido_em: registro.ocorrido_em,
  recebido_em: now,
  relogio_json: JSON.stringify(registro.relogio),
  confianca: registro.confianca,
  rotulos_json: JSON.stringify([registro.caixa.rotulo]),
  caixas_json: JSON.stringify([registro.caixa]),
  zona: null,
  crop_path: fotoPath,
  quadro_path: null,
  calibracao_json: JSON.stringify({ conf: registro.conf_placa }),
  instrucoes_json: camera.instrucoes_json,
  modelo: registro.modelo,
  detalhes_json: JSON.stringify({
    passagem_id: id,
    placa: registro.placa?.placa,
    confianca_placa: registro.placa?.confianca,
    lista: situacao,
  }),
  trajeto_json: null,
  retroativo: retroativo ? 1 : 0,
  trilha: registro.trilha,
})
