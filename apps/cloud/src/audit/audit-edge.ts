import type { EdgeRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** Writes a change of an edge to the audit log, with the expiry of its activation code but without the code. */
export const auditEdge = auditOf('edge', (row: EdgeRow) => ({
  id: row.id,
  nome: row.nome,
  empresaId: row.empresa_id,
  campos: {
    nome: row.nome,
    empresa_id: row.empresa_id,
    limite_reenvio_kbps: row.limite_reenvio_kbps,
    gravacao_continua_mb: row.gravacao_continua_mb,
    codigo_expira_em: instant(row.codigo_expira_em),
    ativado_em: instant(row.ativado_em),
  },
}))
