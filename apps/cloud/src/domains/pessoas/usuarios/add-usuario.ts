import { VigiaError } from '@vigia/contracts/errors'
import type { Papel, Usuario } from '@vigia/contracts/usuarios'
import type { Clock } from '../../../adapters/clock.ts'
import type { Autor } from '../../../audit/audit-change.ts'
import { auditUsuario } from '../../../audit/audit-usuario.ts'
import { isUniqueViolation } from '../../../db/errors.ts'
import { lockLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Login, notFound } from '../../../http/caller.ts'
import { requireQuota } from '../../../scope/require-quota.ts'
import { insertUsuario } from './store.ts'
import { usernameKey } from './username.ts'
import { viewUsuario } from './view-usuario.ts'

interface NewLogin {
  readonly username: string
  readonly papel: Papel
  readonly senha_hash: string
  readonly empresa_id: number | null
  /** As stored. */
  readonly alcance: string | null
}

interface Addition {
  readonly autor: Autor
  /** Caller whose scope limits the names in the error of a limit. */
  readonly quem: Pick<Login, 'escopo'>
  /** Runs in the transaction, after the lock on the Empresa and before the login is added. */
  readonly first?: (tx: Database, now: number) => Promise<void>
}

/**
 * Adds a login within the limit of its Empresa and writes the audit record.
 * @throws VigiaError `nao_encontrado` (Empresa missing), `conflito` (username taken, limit reached)
 */
export async function addUsuario(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  login: NewLogin,
  { autor, quem, first }: Addition,
): Promise<Usuario> {
  const now = clock.now()
  const values = { ...login, username_chave: usernameKey(login.username), criado_em: now }
  const insert = async (tx: Database) => {
    const lineage = login.empresa_id === null ? null : await lockLineage(tx, login.empresa_id)
    if (lineage === undefined) throw notFound('Empresa não encontrada.')
    await first?.(tx, now)
    if (lineage) await requireQuota(tx, lineage, { tipo: 'usuarios', quantos: 1, quem, now })
    const created = await insertUsuario(tx, values)
    await auditUsuario(tx, now, autor, { antes: null, depois: created, segredos: ['senha'] })
    return created
  }
  try {
    return viewUsuario(await transact(db, insert))
  } catch (error) {
    if (isUniqueViolation(error))
      throw new VigiaError('conflito', { detalhe: 'Este nome de usuário já existe. Escolha outro.', cause: error })
    throw error
  }
}
