import { type Ativar, ativarSchema } from '@vigia/contracts/edges'
import { VigiaError } from '@vigia/contracts/errors'
import { CompactEncrypt, compactDecrypt, exportJWK, generateKeyPair, importJWK } from 'jose'

/**
 * Encryption to one edge's key (RFC 7516 compact JWE): the passwords in a desired state are readable on that edge alone,
 * not by the broker that keeps the retained message. One algorithm pair, so that there is nothing to negotiate down.
 */
const ALGORITHM = 'ECDH-ES+A256KW'
const ENCRYPTION = 'A256GCM'

const publicJwkSchema = ativarSchema.shape.chave_cifra
const privateJwkSchema = publicJwkSchema.extend({ d: publicJwkSchema.shape.x })
export type SealPublicJwk = Ativar['chave_cifra']
export type SealPrivateJwk = SealPublicJwk & { d: string }

/** A new EC P-256 pair as plain JWKs. The private one is a secret: a file with mode 0600, never a log. */
export async function createSealKeyPair(): Promise<{ publicJwk: SealPublicJwk; privateJwk: SealPrivateJwk }> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { crv: 'P-256', extractable: true })
  const privateJwk = privateJwkSchema.parse(await exportJWK(privateKey))
  return { publicJwk: publicJwkSchema.parse(privateJwk), privateJwk }
}

/**
 * Encrypts `value` (JSON) so that only the holder of the private key can read it.
 * @throws VigiaError `validacao` when the key is not a point on P-256
 */
export async function seal(publicJwk: SealPublicJwk, value: object): Promise<string> {
  const key = await importJWK(publicJwkSchema.parse(publicJwk), ALGORITHM).catch((cause: unknown) => {
    throw new VigiaError('validacao', { detalhe: 'A chave de cifra do edge não é uma chave EC P-256 válida.', cause })
  })
  return new CompactEncrypt(Buffer.from(JSON.stringify(value), 'utf8'))
    .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION })
    .encrypt(key)
}

/** Characters of a JWE around its ciphertext: the header with the key of the sender, the wrapped key, nonce, tag and four dots. */
const JWE_OVERHEAD = 327

/** Length of what `seal` makes of a value of `bytes` bytes (JSON, UTF-8), characters; all ASCII. */
export const sealedLength = (bytes: number): number => JWE_OVERHEAD + Math.ceil((bytes * 4) / 3)

/**
 * Opens what `seal` made and returns the parsed JSON, unchecked: give it to its schema.
 * @throws VigiaError `interno` when it was sealed for another key, was altered, or is not a JWE; without any content
 */
export async function unseal(privateJwk: SealPrivateJwk, jwe: string): Promise<unknown> {
  try {
    const key = await importJWK(privateJwkSchema.parse(privateJwk), ALGORITHM)
    const { plaintext } = await compactDecrypt(jwe, key, {
      keyManagementAlgorithms: [ALGORITHM],
      contentEncryptionAlgorithms: [ENCRYPTION],
    })
    return JSON.parse(Buffer.from(plaintext).toString('utf8'))
  } catch {
    // The cause is dropped on purpose: a JSON error quotes the text that it could not read, here a password.
    throw new VigiaError('interno', { detalhe: 'O conteúdo cifrado não foi feito para a chave deste edge.' })
  }
}
