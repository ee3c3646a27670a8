import type { CanalNotificacao } from '@vigia/contracts/notificacoes'
import { canalNotificacaoSchema, singleCamera } from '@vigia/contracts/notificacoes'
import type { CanalRow } from './rows.ts'

const { agenda, camera_ids, destinatarios, tipos_evento } = canalNotificacaoSchema.shape

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
  camera_ids: camerasNamed(row),
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

/** The cameras that a canal is limited to; empty: it is about all cameras of its Empresa. */
export const camerasNamed = ({ camera_id, cameras_json }: Pick<CanalRow, 'camera_id' | 'cameras_json'>): number[] =>
  camera_id === null ? camera_ids.parse(JSON.parse(cameras_json)) : [camera_id]

/** Columns of a canal that is limited to these cameras; a removed camera takes a canal along that names no other. */
export const camerasColumns = (ids: readonly number[]) =>
  ({
    camera_id: singleCamera(ids),
    cameras_json: JSON.stringify(ids.length > 1 ? ids : []),
  }) satisfies Partial<CanalRow>

/** Destinations of a canal: `destino` and `destinatarios`, without duplicates. */
export function destinationsOf(canal: CanalRow): string[] {
  const { destino, destinatarios } = canalFields(canal)
  return [...new Set([destino, ...destinatarios])].filter((text) => text !== '')
}
