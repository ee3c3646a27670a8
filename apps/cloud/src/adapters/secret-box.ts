import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/**
 * Encrypts stored secrets that the cloud must read again, such as passwords of gravadores and signing secrets.
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce. `purpose` (table/column/id) is the associated data, so that
 * a ciphertext copied to another row or column cannot be decrypted there.
 *
 * Form: `v1.<key id>.<base64url of nonce ‖ ciphertext ‖ tag>`. The key id identifies the encryption key, so that keys
 * can be rotated while old rows remain.
 */
export interface SecretBox {
  /** Id of the key that encrypts. */
  readonly keyId: string
  seal(plaintext: string, purpose: string): string
  /** Whether this box has the key of `sealed`. */
  holdsKeyOf(sealed: string): boolean
  /** @throws Error when the key is missing, the purpose differs, or the value was changed */
  open(sealed: string, purpose: string): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** @param key 32 random bytes, to encrypt and decrypt. @param previous keys only for decryption */
export function createSecretBox(key: Uint8Array, previous: readonly Uint8Array[] = []): SecretBox {
  const keyId = idOf(key)
  const keys = new Map([...previous, key].map((each) => [idOf(each), each]))

  return {
    keyId,
    seal(plaintext, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      cipher.setAAD(Buffer.from(purpose))
      const body = Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${keyId}.${body.toString('base64url')}`
    },
    holdsKeyOf: (sealed) => keys.has(sealedKeyId(sealed) ?? ''),
    open(sealed, purpose) {
      const [version, sealedWith = '', encoded = ''] = sealed.split('.')
      if (version !== 'v1') throw new Error('unknown form of sealed value')
      const opening = keys.get(sealedWith)
      if (!opening)
        throw new Error(`value was sealed with key ${sealedWith}, this box holds ${[...keys.keys()].join(', ')}`)
      const body = Buffer.from(encoded, 'base64url')
      if (body.length < NONCE_BYTES + TAG_BYTES) throw new Error('sealed value is too short')
      const decipher = createDecipheriv('aes-256-gcm', opening, body.subarray(0, NONCE_BYTES))
      decipher.setAAD(Buffer.from(purpose))
      decipher.setAuthTag(body.subarray(-TAG_BYTES))
      const plaintext = Buffer.concat([decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      return plaintext.toString('utf8')
    },
  }
}

function idOf(key: Uint8Array): string {
  if (key.length !== 32) throw new Error('the secret box needs a key of 32 bytes')
  return createHash('sha256').update('vigia secret box key id\0').update(key).digest('hex').slice(0, 8)
}

/** Key id of `sealed`; null: not a sealed value. */
export const sealedKeyId = (sealed: string): string | null => /^v1\.([0-9a-f]{8})\./.exec(sealed)?.[1] ?? null
