import { porLimite } from '@vigia/contracts/limites'
import type { EmpresaRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

/** Writes a change of an Empresa to the audit log of that Empresa. */
export const auditEmpresa = auditOf('empresa', (row: EmpresaRow) => ({
  id: row.id,
  nome: row.nome,
  empresaId: row.id,
  campos: {
    nome: row.nome,
    empresa_pai_id: row.empresa_pai_id,
    fuso_horario: row.fuso_horario,
    ...porLimite((campo) => row[campo]),
    limite_bytes: row.limite_bytes,
    exigir_segundo_fator: row.exigir_segundo_fator === null ? null : row.exigir_segundo_fator === 1,
    esconder_placas_vigilante: row.esconder_placas_vigilante === 1,
    usa_edge_local: row.usa_edge_local === 1,
    host: row.host,
    redes_permitidas: JSON.parse(row.redes_permitidas_json),
    feriados: JSON.parse(row.feriados_json),
    verificador_externo: row.vlm_servidor,
    verificador_externo_chamadas_mes: row.vlm_chamadas_mes,
    ...(row.demonstracao === 1 && { demonstracao: true }),
  },
}))
