import { randomBytes } from 'node:crypto'
import { senhaSchema } from '@vigia/contracts/usuarios'
import { systemClock } from '../../adapters/clock.ts'
import { sistema } from '../../audit/audit-change.ts'
import type { Database } from '../../db/open.ts'
import { openInstallation } from '../../db/place.ts'
import { transact } from '../../db/transaction.ts'
import { findOperator, findUsuarioByChave } from '../../db/usuarios.ts'
import { endFactor } from '../../domains/pessoas/segundo-fator/reset-factor.ts'
import { createPasswords } from '../../domains/pessoas/usuarios/passwords.ts'
import { resetPassword } from '../../domains/pessoas/usuarios/reset-password.ts'
import { usernameKey } from '../../domains/pessoas/usuarios/username.ts'
import { type Command, CommandError, type Context } from '../command.ts'

/** Commands about one login, by name. The service may run. */
export const usuario: Command = async (context, { names: [action, username], flags }) => {
  const db = await openInstallation(context.config())
  try {
    if (action === 'redefinir-senha') await setPassword(context, { db, username, asks: flags.has('perguntar') })
    else await endSecondFactor(context, db, username)
    return 0
  } finally {
    await db.destroy()
  }
}

interface NewPassword {
  readonly db: Database
  readonly username: string | undefined
  readonly asks: boolean
}

/** Sets a random password, or one that the person types twice. */
async function setPassword({ ask, print }: Context, { db, username, asks }: NewPassword): Promise<void> {
  if (username === undefined) throw new CommandError('Use: vigia usuario redefinir-senha <nome> [--perguntar]')
  const typed = asks ? await ask('Senha nova: ') : null
  if (typed !== null && !senhaSchema.safeParse(typed).success)
    throw new CommandError('A senha precisa de pelo menos 8 caracteres. Nada foi mudado.')
  if (typed !== null && (await ask('A mesma senha outra vez: ')) !== typed)
    throw new CommandError('As duas senhas são diferentes. Nada foi mudado.')
  const senha = typed ?? randomBytes(18).toString('base64url')
  const hash = await createPasswords().hash(senha)
  const changed = await resetPassword({ db, clock: systemClock }, username, hash)
  if (!changed) throw new CommandError('Não há login com este nome.')
  print(`Senha de "${changed.username}" redefinida e sessões encerradas. Os agentes dele perderam o acesso.`)
  if (typed === null) print(`Senha nova: ${senha}`)
  if (changed.ativo === 0) print('Atenção: este login está desativado, e assim continua.')
}

/** Turns off the second factor of an operator (default: the first one) after the loss of phone and recovery codes. */
async function endSecondFactor({ print }: Context, db: Database, username: string | undefined): Promise<void> {
  const found = username === undefined ? await findOperator(db) : await findUsuarioByChave(db, usernameKey(username))
  if (!found) throw new CommandError('Não há login com este nome.')
  if (found.empresa_id !== null)
    throw new CommandError('Este login é de uma Empresa: quem administra acima dele redefine o segundo fator.')
  const ended = await transact(db, (tx) => endFactor({ tx, clock: systemClock }, sistema, found))
  print(
    ended
      ? `Segundo fator de "${found.username}" desligado e sessões encerradas. Entre com a senha e ligue-o outra vez.`
      : `O login "${found.username}" não tem segundo fator ligado.`,
  )
}
