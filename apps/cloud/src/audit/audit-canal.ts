import { canalFields } from '../db/canal-fields.ts'
import type { CanalRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

/** Writes a change of a canal to the audit log. */
export const auditCanal = auditOf('canal_notificacao', (row: CanalRow) => {
  const fields = canalFields(row)
  // The query of a webhook's URL often holds the receiver's token.
  const shown = (destino: string) => (row.tipo === 'webhook' ? destino.replace(/\?.*/s, '?****') : destino)
  return {
    id: row.id,
    nome: row.nome || shown(row.destino) || null,
    empresaId: row.empresa_id,
    campos: { ...fields, destino: shown(fields.destino), destinatarios: fields.destinatarios.map(shown) },
  }
})
