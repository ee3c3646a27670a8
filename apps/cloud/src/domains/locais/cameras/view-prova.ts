import { type Prova, provaSchema } from '@vigia/contracts/provas'
import type { ProvaRow } from '../../../db/rows.ts'

const { configuracao, eventos, rotulos, zonas } = provaSchema.shape

export const viewProva = (row: ProvaRow): Prova => ({
  id: row.id,
  empresa_id: row.empresa_id,
  camera_id: row.camera_id,
  camera_nome: row.camera_nome,
  inicio: new Date(row.inicio).toISOString(),
  fim: new Date(row.fim).toISOString(),
  aprovada: row.aprovada === 1,
  alcance: row.alcance,
  nota: row.nota,
  feita_por: row.feita_por,
  rotulos: rotulos.parse(JSON.parse(row.rotulos_json)),
  zonas: zonas.parse(JSON.parse(row.zonas_json)),
  tela_ms: row.tela_ms,
  desfecho: row.desfecho,
  passo_falho: row.passo_falho,
  eventos: eventos.parse(JSON.parse(row.eventos_json)),
  configuracao: configuracao.parse(JSON.parse(row.configuracao_json)),
})
