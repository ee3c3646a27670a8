import { existsSync } from 'node:fs'
import { keyFile, secretKeys } from '../../adapters/key-file.ts'
import { createSecretBox } from '../../adapters/secret-box.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/open.ts'
import { checkSeals } from '../../domains/locais/segredos/check-seals.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

const SHOWN = 3

/** Whether the key opens all stored secrets. */
export async function checkSecrets(config: Config, db: Database): Promise<Finding> {
  if (config.chave === null && !existsSync(keyFile(config)))
    return failure(`Falta ${keyFile(config)}. Restaure a chave da cópia de segurança, ou defina VIGIA_CHAVE.`)
  const [key, ...previous] = secretKeys(config)
  const { opened, unopened } = await checkSeals(db, createSecretBox(key, previous))
  if (unopened.length > 0)
    return failure(
      `A chave não abre ${unopened.length} de ${opened + unopened.length} segredos ` +
        `(${unopened.slice(0, SHOWN).join(', ')}). Devolva a chave original, ou entre com esses segredos outra vez.`,
    )
  if (previous.length > 0) return warning(`A chave abre ${opened} segredos. Uma chave anterior ainda está guardada.`)
  return ok(`abre ${opened} segredos`)
}
