import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/**
 * Signatures that the program `minisign` verifies (https://jedisct1.github.io/minisign, "Signature format" and "Public
 * key format"). The private key is an ordinary PKCS #8 file in PEM, which OpenSSL reads too, not minisign's own form.
 */

/** Signature of the BLAKE2b-512 of the file, and form of the public key. */
const PREHASHED = 'ED'
const KEY = 'Ed'
const RAW_BYTES = 32

const rawPublic = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES)
/** minisign's keys have a random name of eight bytes. Here it follows from the key, so that nothing else is stored. */
const keyId = (key: KeyObject): Buffer => createHash('sha512').update(rawPublic(key)).digest().subarray(0, 8)
const base64 = (...parts: (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))).toString('base64')
/** As minisign prints it: the eight bytes as one number, lowest byte first. */
const printedId = (key: KeyObject): string => Buffer.from(keyId(key)).reverse().toString('hex').toUpperCase()

/** Returns whether a text is a private key that can sign releases. */
export function isReleaseKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ed25519'
  } catch {
    return false
  }
}

/** Returns the file of the public key of a key in PEM. */
export const publicKeyFile = (pem: string): string => {
  const key = createPrivateKey(pem)
  return `untrusted comment: Vigia release key ${printedId(key)}\n${base64(KEY, keyId(key), rawPublic(key))}\n`
}

/** A new private key, in PEM. */
export const newPrivateKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()

/** Returns the signature file of `data`. The signature also covers `comment`, one line. */
export function signFile(pem: string, data: Buffer, comment: string): string {
  const key = createPrivateKey(pem)
  const signature = sign(null, createHash('blake2b512').update(data).digest(), key)
  const whole = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key)
  const lines = [
    `untrusted comment: signature of the Vigia release key ${printedId(key)}`,
    base64(PREHASHED, keyId(key), signature),
    `trusted comment: ${comment}`,
    base64(whole),
  ]
  return `${lines.join('\n')}\n`
}
