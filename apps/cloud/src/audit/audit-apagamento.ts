import type { ApagamentoRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

/** Writes the request, or the end, of a deletion by period to the audit log: numbers, no contents. */
export const auditApagamento = auditOf('apagamento', (row: ApagamentoRow) => ({
  id: row.id,
  nome: null,
  empresaId: row.empresa_id,
  campos: {
    cameras: row.cameras_json ?? 'todas',
    inicio: new Date(row.inicio).toISOString(),
    fim: new Date(row.fim).toISOString(),
    motivo: row.motivo,
    estado: row.concluido_em === null ? 'em_curso' : 'concluido',
    eventos_contados: row.total,
    eventos: row.eventos,
    gravacoes: row.gravacoes,
    descartados: row.descartados,
    preservados: row.preservados,
    passagens: row.passagens,
    passagens_preservadas: row.passagens_preservadas,
    // The audit log cannot forget a plate.
    so_uma_placa: row.placa !== null,
  },
}))
