import { type CanalNotificacao, canalNotificacaoSchema } from '@vigia/contracts/notificacoes'
import type { Tally } from './delivery-store.ts'
import type { CanalRow } from './store.ts'

const { agenda, destinatarios, tipos_evento } = canalNotificacaoSchema.shape
const instant = (epochMs: number): string => new Date(epochMs).toISOString()

/** What a caller decides about a channel, whole. */
export type CanalFields = Omit<CanalNotificacao, 'id' | 'entregas' | 'criado_em' | 'atualizado_em'>

export const canalFields = (row: CanalRow): CanalFields => ({
  empresa_id: row.empresa_id,
  tipo: row.tipo,
  destino: row.destino,
  destinatarios: destinatarios.parse(JSON.parse(row.destinatarios_json)),
  ativo: row.ativo === 1,
  camera_id: row.camera_id,
  tipos_evento: tipos_evento.parse(JSON.parse(row.tipos_evento_json)),
  agenda: agenda.parse(JSON.parse(row.agenda_json)),
  avisar_quedas: row.avisar_quedas === 1,
})

/** Where a channel sends to: `destino` and `destinatarios`, each once. */
export function destinationsOf(canal: CanalRow): string[] {
  const { destino, destinatarios } = canalFields(canal)
  return [...new Set([destino, ...destinatarios])].filter((text) => text !== '')
}

/** The channel as it is answered: without its signing secret. */
export const viewCanal = (row: CanalRow, tally: Tally): CanalNotificacao => ({
  id: row.id,
  ...canalFields(row),
  entregas: {
    pendentes: tally.pendentes,
    entregues: tally.entregues,
    desistidas: tally.desistidas,
    ultimo_erro: tally.erro,
    ultimo_erro_em: tally.erroEm === null ? null : instant(tally.erroEm),
  },
  criado_em: instant(row.criado_em),
  atualizado_em: instant(row.atualizado_em),
})
