import { type Passagem, passagemSchema } from '@vigia/contracts/passagens'
import { viewUncertain } from './hora-incerta.ts'
import type { PassagemRow } from './rows.ts'

const { candidatas } = passagemSchema.shape
const instant = (epochMs: number): string => new Date(epochMs).toISOString()

export const viewPassagem = (row: PassagemRow): Passagem => ({
  id: row.id,
  empresa_id: row.empresa_id,
  camera_id: row.camera_id,
  camera_nome: row.camera_nome,
  local: row.local,
  placa: row.placa,
  pais: row.pais,
  forma: row.forma,
  confianca: row.confianca,
  candidatas: candidatas.parse(JSON.parse(row.candidatas_json)),
  situacao: row.situacao,
  correcao:
    row.corrigida_por === null || row.corrigida_em === null
      ? null
      : { placa_lida: row.placa_lida, por: row.corrigida_por, em: instant(row.corrigida_em) },
  portao_em: row.portao_em === null ? null : instant(row.portao_em),
  veiculo: row.veiculo,
  cor: row.cor,
  direcao: row.direcao,
  sentido: row.sentido,
  inicio: instant(row.inicio),
  ocorrido_em: instant(row.ocorrido_em),
  ...viewUncertain(row),
  fim: row.fim === null ? null : instant(row.fim),
  evento_id: row.evento_id,
  foto_url: row.foto_path === null ? null : `/api/v1/passagens/${row.id}/foto?papel=veiculo`,
  foto_placa_url: row.foto_placa_path === null ? null : `/api/v1/passagens/${row.id}/foto?papel=placa`,
})
