import { papelOfChave, unpackAlcance } from '../db/alcance.ts'
import type { ChaveRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

/** Writes the creation or the deletion of a chave to the audit log, without its hash. */
export const auditChave = auditOf('chave', ({ id, nome, empresa_id, alcance, escopo, inicio, validade }: ChaveRow) => ({
  id,
  nome,
  empresaId: empresa_id,
  campos: {
    nome,
    escopo,
    inicio,
    validade: validade === null ? null : new Date(validade).toISOString(),
    empresa_id,
    alcance: unpackAlcance(alcance, papelOfChave(escopo)),
  },
}))
