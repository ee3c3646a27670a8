import webPush from 'web-push'
import type { Clock } from '../../../adapters/clock.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { secretPurposes } from '../../../adapters/secret-purposes.ts'
import type { ChaveVapid } from '../../../adapters/senders/push-sender.ts'
import type { Database } from '../../../db/open.ts'
import { addVapidAfter, newestVapid } from './store.ts'

export interface VapidKeys {
  /** The key pair of the installation; created by the first call. */
  current(): Promise<ChaveVapid>
}

interface VapidDeps {
  readonly db: Database
  readonly clock: Clock
  readonly box: SecretBox
}

/**
 * The VAPID key pair (RFC 8292), kept in the database so that all replicas share it. A subscription is valid for one
 * public key only: a pair that cannot be decrypted is replaced, and its subscriptions are removed.
 */
export function createVapidKeys({ db, clock, box }: VapidDeps): VapidKeys {
  async function read(): Promise<{ readonly id: number; readonly chave: ChaveVapid | null }> {
    const row = await newestVapid(db)
    if (!row) return { id: 0, chave: null }
    try {
      return {
        id: row.id,
        chave: { publica: row.publica, privada: box.open(row.privada_cifrada, secretPurposes.chaveVapid(row.id)) },
      }
    } catch {
      return { id: row.id, chave: null }
    }
  }

  const add = (newestId: number) => {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys()
    return addVapidAfter(db, newestId, { publica: publicKey, criada_em: clock.now() }, (id) =>
      box.seal(privateKey, secretPurposes.chaveVapid(id)),
    )
  }

  return {
    async current() {
      const found = await read()
      if (found.chave) return found.chave
      await add(found.id)
      const { chave } = await read()
      if (!chave) throw new Error('no VAPID key')
      return chave
    },
  }
}
