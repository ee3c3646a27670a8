import { type Empresa, empresaSchema } from '@vigia/contracts/empresas'
import type { Limites } from '@vigia/contracts/limites'
import type { EmpresaRow } from '../../../db/rows.ts'

/** @param limites the effective limits (quotas/effective-limits.ts) */
export const viewEmpresa = (row: EmpresaRow, limites: Limites): Empresa => ({
  id: row.id,
  nome: row.nome,
  empresa_pai_id: row.empresa_pai_id,
  fuso_horario: row.fuso_horario,
  ...limites,
  limite_bytes: row.limite_bytes,
  exigir_segundo_fator: row.exigir_segundo_fator === null ? null : row.exigir_segundo_fator === 1,
  esconder_placas_vigilante: row.esconder_placas_vigilante === 1,
  usa_edge_local: row.usa_edge_local === 1,
  redes_permitidas: empresaSchema.shape.redes_permitidas.parse(JSON.parse(row.redes_permitidas_json)),
  ...(row.host !== null && { host: row.host }),
  ...(row.demonstracao === 1 && { demonstracao: true as const }),
  criada_em: new Date(row.criada_em).toISOString(),
})
