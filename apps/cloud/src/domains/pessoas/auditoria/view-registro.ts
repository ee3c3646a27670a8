import { type RegistroAuditoria, registroAuditoriaSchema } from '@vigia/contracts/auditoria'
import type { RecordRow } from './store.ts'

const { acao, antes, depois, objeto } = registroAuditoriaSchema.shape
const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json))

export const viewRegistro = (row: RecordRow): RegistroAuditoria => ({
  id: row.id,
  em: new Date(row.em).toISOString(),
  empresa_id: row.empresa_id,
  usuario_id: row.usuario_id,
  username: row.username,
  canal: row.canal,
  cliente: row.cliente,
  endereco: row.endereco,
  pedido: row.pedido,
  acao: acao.parse(row.acao),
  objeto: objeto.parse(row.objeto),
  objeto_id: row.objeto_id,
  objeto_nome: row.objeto_nome,
  antes: antes.parse(parsed(row.antes_json)),
  depois: depois.parse(parsed(row.depois_json)),
})
