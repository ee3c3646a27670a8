import type { CanalNotificacao } from '@vigia/contracts/notificacoes'
import { canalNotificacaoSchema } from '@vigia/contracts/notificacoes'
import type { CanalRow } from './rows.ts'

const { agenda, destinatarios, tipos_evento } = canalNotificacaoSchema.shape

/** Returns all fields of a canal that a caller sets. */
export type CanalFields = Omit<CanalNotificacao, 'id' | 'com_credenciais' | 'entregas' | 'criado_em' | 'atualizado_em'>

export const canalFields = (row: CanalRow): CanalFields => ({
  empresa_id: row.empresa_id,
  nome: row.nome,
  tipo: row.tipo,
  destino: row.destino,
  destinatarios: destinatarios.parse(JSON.parse(row.destinatarios_json)),
  ativo: row.ativo === 1,
  camera_id: row.camera_id,
  tipos_evento: tipos_evento.parse(JSON.parse(row.tipos_evento_json)),
  agenda: agenda.parse(JSON.parse(row.agenda_json)),
  avisar_quedas: row.avisar_quedas === 1,
  gravidade_min: row.gravidade_min,
  certeza_min: row.certeza_min,
  agrupar: row.agrupar === 1,
  intervalo_s: row.intervalo_s,
  continuacao: row.continuacao,
  resumo_hora: row.resumo_hora,
  politica: row.politica,
  placas: row.placas === 1,
})

/** Destinations of a canal: `destino` and `destinatarios`, without duplicates. */
export function destinationsOf(canal: CanalRow): string[] {
  const { destino, destinatarios } = canalFields(canal)
  return [...new Set([destino, ...destinatarios])].filter((text) => text !== '')
}
