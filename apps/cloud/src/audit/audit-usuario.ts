import { unpackAlcance } from '../db/alcance.ts'
import type { UsuarioRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

/** Writes a change of a login to the audit log. */
export const auditUsuario = auditOf('usuario', (row: UsuarioRow) => ({
  id: row.id,
  nome: row.username,
  empresaId: row.empresa_id,
  campos: {
    username: row.username,
    papel: row.papel,
    empresa_id: row.empresa_id,
    alcance: unpackAlcance(row.alcance, row.papel),
    ativo: row.ativo === 1,
  },
}))
