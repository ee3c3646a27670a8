import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newInstallationMark, replaceAuthority } from '@vigia/link/pki/authority'
import { keyFile } from '../../adapters/key-file.ts'
import { createSecretBox } from '../../adapters/secret-box.ts'
import { createSecretFile } from '../../adapters/secret-file.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/open.ts'
import { readAuthority } from '../../replicas/share-authority.ts'
import { CommandError } from '../command.ts'

type Place = Pick<Config, 'dataDir' | 'cloudDir' | 'chave' | 'chavesAnteriores'>

/** Keys of an installation: one base64 key per line, the one in use first; and its CA in PEM. */
export interface PrivateFiles {
  readonly chaves: string
  readonly autoridade: { readonly certificado: string; readonly chave: string } | null
}

const authorityPath = (dataDir: string, name: 'ca.pem' | 'ca.key'): string => join(dataDir, 'pki', name)

/** Keys that open the stored secrets: those of the environment, else those of the key file; null: there are none. */
function readKeys({ chave, chavesAnteriores, cloudDir }: Place): string | null {
  const file = keyFile({ cloudDir })
  const own = chave?.reveal() ?? (existsSync(file) ? readFileSync(file, 'utf8') : null)
  if (own === null) return null
  return linesOf([own, ...chavesAnteriores.map((key) => key.reveal())].join('\n')).join('\n')
}

const linesOf = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || [])

/**
 * Reads the keys of the data folder. A folder without the CA gets it from the database, where replicas share it.
 * @throws CommandError if the key is missing
 */
export async function readPrivateFiles(config: Place, db: Database): Promise<PrivateFiles> {
  const { dataDir, cloudDir } = config
  const chaves = readKeys(config)
  if (chaves === null)
    throw new CommandError(`Não há chave em ${keyFile({ cloudDir })}. Confira VIGIA_DATA_DIR, ou defina VIGIA_CHAVE.`)
  if (existsSync(authorityPath(dataDir, 'ca.key')))
    return {
      chaves,
      autoridade: {
        certificado: readFileSync(authorityPath(dataDir, 'ca.pem'), 'utf8'),
        chave: readFileSync(authorityPath(dataDir, 'ca.key'), 'utf8'),
      },
    }
  const [first = Buffer.alloc(0), ...others] = linesOf(chaves).map((line) => Buffer.from(line, 'base64'))
  return { chaves, autoridade: await readAuthority({ db, box: createSecretBox(first, others) }) }
}

/** @throws CommandError if the folder holds another key or another CA, or if VIGIA_CHAVE is another key */
export function requireAcceptable(config: Place, { chaves, autoridade }: PrivateFiles): void {
  requireKeysGiven(config, chaves)
  const key = authorityPath(config.dataDir, 'ca.key')
  if (autoridade === null || !existsSync(key) || existsSync(newInstallationMark(config.dataDir))) return
  if (readFileSync(key, 'utf8').trim() !== autoridade.chave.trim())
    throw new CommandError(
      `A pasta ${config.dataDir} tem a autoridade certificadora de outra instalação (${key}). ` +
        'Use uma pasta vazia em VIGIA_DATA_DIR. Nada foi mudado.',
    )
}

/**
 * Checks that the service with this configuration will open the secrets that these keys seal.
 * @throws CommandError
 */
export function requireKeysGiven(config: Place, chaves: string): void {
  const own = readKeys(config)
  if (own === null) return
  const known = new Set(linesOf(own))
  if (linesOf(chaves).every((key) => known.has(key))) return
  throw new CommandError(
    config.chave
      ? 'VIGIA_CHAVE é outra chave: com ela as senhas guardadas não se abrem. Ponha nela a chave da instalação, ' +
          'e em VIGIA_CHAVE_ANTERIOR as mais antigas, se houver. Nada foi mudado.'
      : `A pasta ${config.dataDir} tem a chave de outra instalação. ` +
          'Use uma pasta vazia em VIGIA_DATA_DIR. Nada foi mudado.',
  )
}

/** Keys of the key file of the data folder, for a configuration that gives another one; null: no file. */
export function readKeyFile({ cloudDir }: Pick<Config, 'cloudDir'>): string | null {
  const file = keyFile({ cloudDir })
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** Writes what is missing. A second call changes nothing. @returns whether the key file is in use */
export async function writePrivateFiles(config: Place, { chaves, autoridade }: PrivateFiles): Promise<boolean> {
  const { dataDir } = config
  const isThere = existsSync(authorityPath(dataDir, 'ca.key')) && existsSync(authorityPath(dataDir, 'ca.pem'))
  if (autoridade !== null && (!isThere || existsSync(newInstallationMark(dataDir))))
    await replaceAuthority(dataDir, { certificatePem: autoridade.certificado, privateKeyPem: autoridade.chave })
  if (config.chave) return false
  createSecretFile(keyFile(config), () => `${chaves}\n`)
  return true
}
