import { VigiaError } from '@vigia/contracts/errors'
import type { Usuario, UsuarioCreate } from '@vigia/contracts/usuarios'
import { auditUsuario } from '../../audit/audit-usuario.ts'
import { findEmpresa } from '../../db/empresas.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { lockLineage } from '../../db/lineage.ts'
import type { Database } from '../../db/open.ts'
import { type Caller, notFound, requireScope, requireWrite } from '../../http/caller.ts'
import { requireQuota } from '../quotas/require-quota.ts'
import type { UsuariosDeps } from './deps.ts'
import { insertUsuario } from './store.ts'
import { usernameKey } from './username.ts'
import { viewUsuario } from './view-usuario.ts'

/**
 * Creates a login in the caller's scope. `empresa_id` absent: the caller's Empresa; null: none, allowed only for the
 * operator.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of scope), `conflito` (username taken, limit reached)
 */
export async function createUsuario(
  deps: Pick<UsuariosDeps, 'db' | 'clock' | 'passwords'>,
  caller: Caller,
  input: UsuarioCreate,
): Promise<Usuario> {
  requireWrite(caller)
  const empresaId = await empresaOf(deps.db, caller, input)
  const values = {
    username: input.username,
    username_chave: usernameKey(input.username),
    senha_hash: await deps.passwords.hash(input.senha),
    papel: input.papel,
    empresa_id: empresaId,
    criado_em: deps.clock.now(),
  }
  const insert = async (tx: Database) => {
    if (empresaId !== null) {
      const lineage = await lockLineage(tx, empresaId)
      if (!lineage) throw notFound('Empresa não encontrada.')
      await requireQuota(tx, lineage, { tipo: 'usuarios', quantos: 1, quem: caller, now: values.criado_em })
    }
    const created = await insertUsuario(tx, values)
    await auditUsuario(tx, values.criado_em, caller, { antes: null, depois: created, segredos: ['senha'] })
    return created
  }
  try {
    return viewUsuario(await deps.db.transaction().execute(insert))
  } catch (error) {
    if (isUniqueViolation(error))
      throw new VigiaError('conflito', { detalhe: 'Este nome de usuário já existe. Escolha outro.', cause: error })
    throw error
  }
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
