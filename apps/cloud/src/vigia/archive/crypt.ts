import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** Cost of the key from the passphrase (RFC 7914): 128 MiB, about 0.4 s. */
export interface ScryptCost {
  readonly N: number
  readonly r: number
  readonly p: number
}

export const COST: ScryptCost = { N: 131_072, r: 8, p: 1 }
/** A header may not ask for more memory. */
const MAX_MEMORY = 512 * 1024 * 1024
const SALT_BYTES = 16
export const TAG_BYTES = 16
export const MAC_BYTES = 32

export interface ArchiveKeys {
  readonly chunks: Buffer
  readonly header: Buffer
}

export const newSalt = (): Buffer => randomBytes(SALT_BYTES)

/** @throws RangeError if the cost is not acceptable */
export function deriveKeys(passphrase: string, salt: Buffer, { N, r, p }: ScryptCost): Promise<ArchiveKeys> {
  const memory = 128 * N * r * p
  if (!Number.isInteger(Math.log2(N)) || N < 2 || !(memory > 0 && memory <= MAX_MEMORY / 2))
    return Promise.reject(new RangeError('cost of scrypt refused'))
  // The same text in another Unicode composition is the same passphrase.
  const text = passphrase.normalize('NFKC')
  return new Promise((resolve, reject) =>
    scrypt(text, salt, 64, { N, r, p, maxmem: MAX_MEMORY }, (error, key) =>
      error ? reject(error) : resolve({ chunks: key.subarray(0, 32), header: key.subarray(32) }),
    ),
  )
}

export const macOf = (header: Buffer, { header: key }: ArchiveKeys): Buffer =>
  createHmac('sha256', key).update(header).digest()

export const isMac = (header: Buffer, keys: ArchiveKeys, mac: Buffer): boolean =>
  mac.length === MAC_BYTES && timingSafeEqual(macOf(header, keys), mac)

export interface ChunkPlace {
  /** From 0. */
  readonly number: number
  readonly isLast: boolean
  /** Binds the chunk to its archive. */
  readonly mac: Buffer
}

/**
 * The nonce holds the number of the chunk and a mark of the last one (STREAM, Hoang et al. 2015), so that a missing,
 * repeated or moved chunk does not open. Each archive has a key of its own.
 */
function nonceOf({ number, isLast }: ChunkPlace): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(isLast ? 1 : 0, 0)
  nonce.writeBigUInt64BE(BigInt(number), 4)
  return nonce
}

/** Ciphertext and tag. */
export function sealChunk(plain: Buffer, place: ChunkPlace, keys: ArchiveKeys): Buffer {
  const cipher = createCipheriv('aes-256-gcm', keys.chunks, nonceOf(place))
  cipher.setAAD(place.mac)
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** @throws Error if the chunk was changed or is at another place */
export function openChunk(sealed: Buffer, place: ChunkPlace, keys: ArchiveKeys): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', keys.chunks, nonceOf(place))
  decipher.setAAD(place.mac)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
}
