import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../adapters/clock.ts'
import { createSecretFile } from '../../../adapters/secret-file.ts'
import { sistema } from '../../../audit/audit-change.ts'
import { auditUsuario } from '../../../audit/audit-usuario.ts'
import type { Config } from '../../../config.ts'
import { lockName } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { findOperator } from '../../../db/usuarios.ts'
import type { Passwords } from './passwords.ts'
import { insertUsuario } from './store.ts'
import { usernameKey } from './username.ts'

interface OperatorDeps {
  readonly db: Database
  readonly clock: Clock
  readonly passwords: Passwords
  readonly config: Pick<Config, 'admin' | 'cloudDir'>
  readonly announce: Announce
}

/** Prints a line on the console. `secret` is shown only on a terminal, never in a log file or journal. */
export type Announce = (line: string, secret?: string) => void

/**
 * Creates the operator of the installation on the first start. Without VIGIA_ADMIN_PASSWORD it generates a password,
 * shows it once on a terminal and stores it in `senha-inicial` (0600). An existing operator stays unchanged: the
 * environment never changes a stored password. A different VIGIA_ADMIN_PASSWORD is announced. If two
 * replicas start at the same time, one creates the operator.
 */
export async function ensureOperator(deps: OperatorDeps): Promise<void> {
  const { password } = deps.config.admin
  const existing = (await findOperator(deps.db)) ?? (await createOperator(deps))
  if (existing && password && !(await deps.passwords.verify(existing.senha_hash, password.reveal())))
    deps.announce(
      `VIGIA_ADMIN_PASSWORD não é a senha do operador "${existing.username}" e foi ignorada: a senha criada na ` +
        'primeira partida continua valendo.',
    )
}

/** @returns the operator that another replica has created in the meantime; undefined: this call has created it */
async function createOperator(deps: OperatorDeps): Promise<UsuarioRow | undefined> {
  const { username, password } = deps.config.admin
  const file = join(deps.config.cloudDir, 'senha-inicial')
  let initial = password?.reveal() ?? ''
  const existing = await transact(deps.db, async (tx) => {
    await lockName(tx, 'partida')
    const other = await findOperator(tx)
    if (other) return other
    if (!password) {
      // Under the lock, so that only the replica that creates the operator has a password file.
      createSecretFile(file, () => `${randomBytes(18).toString('base64url')}\n`)
      initial = readFileSync(file, 'utf8').trim()
    }
    const values = {
      username,
      username_chave: usernameKey(username),
      senha_hash: await deps.passwords.hash(initial),
      papel: 'administrador' as const,
      empresa_id: null,
      criado_em: deps.clock.now(),
    }
    const created = await insertUsuario(tx, values)
    await auditUsuario(tx, values.criado_em, sistema, { antes: null, depois: created, segredos: ['senha'] })
    return undefined
  })
  if (!existing && !password)
    deps.announce(`Operador criado. Usuário: ${username}  Senha: em ${file}`, `Senha: ${initial}`)
  return existing
}
