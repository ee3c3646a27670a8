import type { UsuarioRow } from '../db/rows.ts'
import { recordingOf } from './audit-change.ts'

/** Writes a change of a login into the audit log. */
export const recordUsuario = recordingOf('usuario', (row: UsuarioRow) => ({
  id: row.id,
  nome: row.username,
  empresaId: row.empresa_id,
  campos: { username: row.username, papel: row.papel, empresa_id: row.empresa_id, ativo: row.ativo === 1 },
}))
