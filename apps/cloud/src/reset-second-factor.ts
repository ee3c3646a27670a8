import { transact } from './db/transaction.ts'

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `O Vigia precisa do Node 24 ou mais novo (este é o ${process.versions.node}): use o mesmo que o serviço usa.`,
  )
  process.exit(1)
}

const { systemClock } = await import('./adapters/clock.ts')
const { ConfigError, loadConfig } = await import('./config.ts')
const { DataError } = await import('./db/errors.ts')
const { openInstallation } = await import('./db/place.ts')
const { sistema } = await import('./audit/audit-change.ts')
const { endFactor } = await import('./features/segundo-fator/reset-factor.ts')
const { findOperator, findUsuarioByChave } = await import('./db/usuarios.ts')
const { usernameKey } = await import('./features/usuarios/username.ts')

/**
 * Turns off the second factor of an operator after the loss of phone and recovery codes, and ends its sessions.
 * Requires write access to the data folder; the service may run. Argument: the username; default: the first operator.
 */
async function run(username: string | undefined): Promise<string> {
  const db = await openInstallation(loadConfig(process.env))
  try {
    const usuario =
      username === undefined ? await findOperator(db) : await findUsuarioByChave(db, usernameKey(username))
    if (!usuario) throw new ConfigError('Não há login com este nome.')
    if (usuario.empresa_id !== null)
      throw new ConfigError('Este login é de uma Empresa: quem administra acima dele redefine o segundo fator.')
    const ended = await transact(db, (tx) => endFactor({ tx, clock: systemClock }, sistema, usuario))
    return ended
      ? `Segundo fator de "${usuario.username}" desligado e sessões encerradas. Entre com a senha e ligue-o outra vez.`
      : `O login "${usuario.username}" não tem segundo fator ligado.`
  } finally {
    await db.destroy()
  }
}

try {
  console.log(await run(process.argv[2]))
} catch (error) {
  console.error(
    error instanceof ConfigError || error instanceof DataError ? error.message : `Não foi possível. ${String(error)}`,
  )
  process.exitCode = 1
}
