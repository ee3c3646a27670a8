if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `O Vigia precisa do Node 24 ou mais novo (este é o ${process.versions.node}): use o mesmo que o serviço usa.`,
  )
  process.exit(1)
}

const { keyFile, prependKey } = await import('./adapters/key-file.ts')
const { ConfigError, loadConfig } = await import('./config.ts')

/**
 * Inserts a new key before the current one in the key file of this data folder, and ends. At its next start the service
 * uses the new key and seals all secrets again; until then nothing changes.
 */
try {
  const config = loadConfig(process.env)
  if (config.chave)
    throw new ConfigError(
      'A chave vem de VIGIA_CHAVE, e não do arquivo. Ponha a de agora em VIGIA_CHAVE_ANTERIOR, ' +
        'uma nova em VIGIA_CHAVE (openssl rand -base64 32) e reinicie o serviço.',
    )
  prependKey(keyFile(config))
  console.log(
    `Chave nova em ${keyFile(config)}. Faça cópia dela e reinicie o serviço: ` +
      `ele cifra tudo de novo e avisa quando a chave anterior pode ser removida.`,
  )
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT')
    return 'Ainda não há chave nesta pasta: ela é feita na primeira partida. Confira VIGIA_DATA_DIR.'
  if (code === 'EEXIST')
    return (
      'Outra troca de chave está em andamento ou foi interrompida. ' +
      'Se não há outra, apague o arquivo chave.nova ao lado da chave e tente de novo.'
    )
  return `Não foi possível trocar a chave. ${error instanceof Error ? error.message : String(error)}`
}
