if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `O Vigia precisa do Node 24 ou mais novo (este é o ${process.versions.node}): use o mesmo que o serviço usa.`,
  )
  process.exit(1)
}

const { existsSync } = await import('node:fs')
const { join } = await import('node:path')
const { systemClock } = await import('./adapters/clock.ts')
const { ConfigError, loadConfig } = await import('./config.ts')
const { openDatabase } = await import('./db/open.ts')
const { sistema } = await import('./audit/audit-change.ts')
const { endFactor } = await import('./features/segundo-fator/reset-factor.ts')
const { findOperator, findUsuarioByChave } = await import('./db/usuarios.ts')
const { usernameKey } = await import('./features/usuarios/username.ts')

/**
 * Turns off the second factor of an operator after the loss of phone and recovery codes, and ends its sessions.
 * Requires write access to the data folder; the service may run. Argument: the username; default: the first operator.
 */
async function run(username: string | undefined): Promise<string> {
  const file = join(loadConfig(process.env).cloudDir, 'vigia.db')
  if (!existsSync(file)) throw new ConfigError(`Não há banco em ${file}. Confira VIGIA_DATA_DIR.`)
  const db = await openDatabase(file)
  try {
    const usuario =
      username === undefined ? await findOperator(db) : await findUsuarioByChave(db, usernameKey(username))
    if (!usuario) throw new ConfigError('Não há login com este nome.')
    if (usuario.empresa_id !== null)
      throw new ConfigError('Este login é de uma Empresa: quem administra acima dele redefine o segundo fator.')
    const ended = await db.transaction().execute((tx) => endFactor({ tx, clock: systemClock }, sistema, usuario))
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
  console.error(error instanceof ConfigError ? error.message : `Não foi possível. ${String(error)}`)
  process.exitCode = 1
}
