import { keyFile, prependKey } from '../../adapters/key-file.ts'
import { ConfigError } from '../../config.ts'
import { type Command, CommandError } from '../command.ts'

/**
 * Inserts a new key before the current one in the key file of this data folder. At its next start the service uses the
 * new key and seals all secrets again; until then nothing changes.
 */
export const rotateKey: Command = async ({ config: load, print }) => {
  const config = load()
  if (config.chave)
    throw new ConfigError(
      'A chave vem de VIGIA_CHAVE, e não do arquivo. Ponha a de agora em VIGIA_CHAVE_ANTERIOR, ' +
        'uma nova em VIGIA_CHAVE (openssl rand -base64 32) e reinicie o serviço.',
    )
  try {
    prependKey(keyFile(config))
  } catch (error) {
    throw explained(error) ?? error
  }
  print(
    `Chave nova em ${keyFile(config)}. Faça cópia dela e reinicie o serviço: ` +
      `ele cifra tudo de novo e avisa quando a chave anterior pode ser removida.`,
  )
  return 0
}

function explained(error: unknown): CommandError | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT')
    return new CommandError('Ainda não há chave nesta pasta: ela é feita na primeira partida. Confira VIGIA_DATA_DIR.')
  if (code === 'EEXIST')
    return new CommandError(
      'Outra troca de chave está em andamento ou foi interrompida. ' +
        'Se não há outra, apague o arquivo chave.nova ao lado da chave e tente de novo.',
    )
  return null
}
