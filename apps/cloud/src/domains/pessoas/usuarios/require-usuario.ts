import type { Database } from '../../../db/open.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import { findUsuario } from '../../../db/usuarios.ts'
import { type Caller, inScope, notFound } from '../../../http/caller.ts'

/** Logins without an Empresa are only in the operator's scope. @throws VigiaError `nao_encontrado` */
export async function requireUsuario(db: Database, caller: Caller, id: number): Promise<UsuarioRow> {
  const row = await findUsuario(db, id)
  const seen = row && (row.empresa_id === null ? caller.escopo === 'tudo' : inScope(caller, row.empresa_id))
  if (!seen) throw notFound('Login não encontrado.')
  return row
}
