import { type CanalNotificacao, canalNotificacaoSchema } from '@vigia/contracts/notificacoes'
import type { CanalRow } from './store.ts'

const { agenda, destinatarios, tipos_evento } = canalNotificacaoSchema.shape
const instant = (epochMs: number): string => new Date(epochMs).toISOString()

/** The channel as it is answered: without its signing secret. */
export const viewCanal = (row: CanalRow): CanalNotificacao => ({
  id: row.id,
  empresa_id: row.empresa_id,
  tipo: row.tipo,
  destino: row.destino,
  destinatarios: destinatarios.parse(JSON.parse(row.destinatarios_json)),
  ativo: row.ativo === 1,
  camera_id: row.camera_id,
  tipos_evento: tipos_evento.parse(JSON.parse(row.tipos_evento_json)),
  agenda: agenda.parse(JSON.parse(row.agenda_json)),
  criado_em: instant(row.criado_em),
  atualizado_em: instant(row.atualizado_em),
})
