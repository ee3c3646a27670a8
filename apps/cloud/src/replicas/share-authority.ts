import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureAuthority, newInstallationMark, replaceAuthority } from '@vigia/link/pki/authority'
import { ensureCloudIdentity } from '@vigia/link/pki/installation'
import type { SecretBox } from '../adapters/secret-box.ts'
import { secretPurposes } from '../adapters/secret-purposes.ts'
import { DataError } from '../db/errors.ts'
import { lockName } from '../db/locks.ts'
import type { Database } from '../db/open.ts'
import { transact } from '../db/transaction.ts'
import { readInstallationSecret, saveInstallationSecret } from './secrets-store.ts'

/** Id of the CA among the secrets of the installation. */
const CA = 1

/**
 * Keeps the CA in the database, sealed, so that a replica starts with an empty data folder. The first replica stores
 * the CA of its folder. The others write it into theirs and issue their own certificate for the broker.
 * @throws DataError if the folder holds the CA of another installation
 */
export async function shareAuthority(
  { db, box, dataDir }: { readonly db: Database; readonly box: SecretBox; readonly dataDir: string },
  now: number,
): Promise<void> {
  await transact(db, async (tx) => {
    await lockName(tx, 'partida')
    const shared = await readAuthority({ db: tx, box })
    if (shared === null) {
      await ensureAuthority(dataDir, now)
      const files = await readFiles(dataDir)
      await saveInstallationSecret(tx, CA, box.seal(JSON.stringify(files), secretPurposes.segredoInstalacao(CA)))
      return
    }
    const own = existsSync(join(dataDir, 'pki/ca.key')) ? await readFiles(dataDir) : null
    if (own?.chave === shared.chave) return
    if (own !== null && !existsSync(newInstallationMark(dataDir)))
      throw new DataError(
        `A pasta ${dataDir} tem a autoridade certificadora de outra instalação. ` +
          'Use uma pasta vazia para esta réplica, ou o banco desta instalação em VIGIA_BANCO.',
      )
    await replaceAuthority(dataDir, { certificatePem: shared.certificado, privateKeyPem: shared.chave })
  })
  await ensureCloudIdentity({ dir: dataDir, now })
}

/** The CA in the database; null: none yet. */
export async function readAuthority(deps: {
  readonly db: Database
  readonly box: SecretBox
}): Promise<AuthorityFiles | null> {
  const sealed = await readInstallationSecret(deps.db, CA)
  if (sealed === undefined) return null
  return JSON.parse(deps.box.open(sealed, secretPurposes.segredoInstalacao(CA))) as AuthorityFiles
}

interface AuthorityFiles {
  /** PEM. */
  readonly certificado: string
  readonly chave: string
}

const readFiles = async (dataDir: string): Promise<AuthorityFiles> => ({
  certificado: await readFile(join(dataDir, 'pki/ca.pem'), 'utf8'),
  chave: await readFile(join(dataDir, 'pki/ca.key'), 'utf8'),
})
