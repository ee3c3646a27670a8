import { VigiaError } from '@vigia/contracts/errors'
import type { Usuario, UsuarioCreate } from '@vigia/contracts/usuarios'
import { findEmpresa } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, notFound, requireScope, requireWrite } from '../../../http/caller.ts'
import { requireReach } from '../../../scope/require-reach.ts'
import { addUsuario } from './add-usuario.ts'
import type { UsuariosDeps } from './deps.ts'

/**
 * Creates a login in the caller's scope. `empresa_id` absent: the caller's Empresa; null: none, allowed only for the
 * operator.
 * @throws VigiaError `proibido` (also a reach beyond the caller's), `nao_encontrado` (Empresa out of scope), `conflito`
 * (username taken, limit reached)
 */
export async function createUsuario(
  deps: Pick<UsuariosDeps, 'db' | 'clock' | 'passwords'>,
  caller: Caller,
  input: UsuarioCreate,
): Promise<Usuario> {
  requireWrite(caller)
  const empresaId = await empresaOf(deps.db, caller, input)
  const { username, papel } = input
  const alcance = await requireReach(deps.db, caller, { papel, empresa_id: empresaId, alcance: input.alcance })
  const senha_hash = await deps.passwords.hash(input.senha)
  const login = { username, papel, senha_hash, empresa_id: empresaId, alcance }
  return await addUsuario(deps, login, { autor: caller, quem: caller })
}

async function empresaOf(db: Database, caller: Caller, input: UsuarioCreate): Promise<number | null> {
  const empresaId = input.empresa_id === undefined ? caller.empresaId : input.empresa_id
  if (empresaId === null) {
    if (caller.escopo === 'tudo') return null
    throw new VigiaError('proibido', { detalhe: 'Só o operador da instalação cria logins sem Empresa.' })
  }
  requireScope(caller, empresaId)
  if (!(await findEmpresa(db, empresaId))) throw notFound('Empresa não encontrada.')
  return empresaId
}
