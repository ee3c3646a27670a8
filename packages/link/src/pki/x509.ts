import { createPrivateKey, createPublicKey, randomBytes, webcrypto } from 'node:crypto'

/** Algorithm of every key and signature of an installation: ECDSA on P-256 with SHA-256. */
export const SIGNING = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

export type X509 = typeof import('@peculiar/x509')

/** Loads the library on first use, because only few processes create certificates. */
export async function loadX509(): Promise<X509> {
  // tsyringe, a dependency of x509, does not load without the Reflect metadata proposal.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto)
  return x509
}

/** A new private key and its PKCS#8 PEM. */
export async function createKeyPair(): Promise<{ keys: webcrypto.CryptoKeyPair; privateKeyPem: string }> {
  const keys = await webcrypto.subtle.generateKey(SIGNING, true, ['sign', 'verify'])
  return { keys, privateKeyPem: toPem('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)) }
}

/** Imports the key pair of a PKCS#8 PEM. Throws for any text but a private key on P-256. */
export function importKeyPair(privateKeyPem: string): webcrypto.CryptoKeyPair {
  const privateKey = createPrivateKey(privateKeyPem)
  return {
    privateKey: privateKey.toCryptoKey(SIGNING, false, ['sign']),
    publicKey: createPublicKey(privateKey).toCryptoKey(SIGNING, true, ['verify']),
  }
}

/** 158 random bits in 20 bytes, positive and without a leading zero: the maximum of RFC 5280 section 4.1.2.2. */
export function randomSerial(): string {
  const bytes = randomBytes(20)
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0)
  return bytes.toString('hex')
}

export function toPem(label: string, der: ArrayBuffer): string {
  const lines = Buffer.from(der)
    .toString('base64')
    .match(/.{1,64}/g)
  return `-----BEGIN ${label}-----\n${lines?.join('\n')}\n-----END ${label}-----\n`
}
