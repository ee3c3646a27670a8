import { type Ativar, ativarSchema } from '@vigia/contracts/edges'
import { VigiaError } from '@vigia/contracts/errors'
import { CompactEncrypt, compactDecrypt, exportJWK, generateKeyPair, importJWK } from 'jose'

/**
 * Encryption to one edge's key (RFC 7516 compact JWE). Only that edge can read the passwords in a desired state; the
 * broker that retains the message cannot. There is one algorithm pair, so a downgrade is impossible.
 */
const ALGORITHM = 'ECDH-ES+A256KW'
const ENCRYPTION = 'A256GCM'

const publicJwkSchema = ativarSchema.shape.chave_cifra
const privateJwkSchema = publicJwkSchema.extend({ d: publicJwkSchema.shape.x })
export type SealPublicJwk = Ativar['chave_cifra']
export type SealPrivateJwk = SealPublicJwk & { d: string }

/** A new EC P-256 key pair as plain JWKs. Store the private key in a file with mode 0600; never log it. */
export async function createSealKeyPair(): Promise<{ publicJwk: SealPublicJwk; privateJwk: SealPrivateJwk }> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { crv: 'P-256', extractable: true })
  const privateJwk = privateJwkSchema.parse(await exportJWK(privateKey))
  return { publicJwk: publicJwkSchema.parse(privateJwk), privateJwk }
}

/**
 * Encrypts `value` (JSON) for the holder of the private key.
 * @throws VigiaError `validacao` when the key is not a point on P-256
 */
export async function seal(publicJwk: SealPublicJwk, value: object): Promise<string> {
  const key = await importJWK(publicJwkSchema.parse(publicJwk), ALGORITHM).catch((cause: unknown) => {
    throw new VigiaError('validacao', { detalhe: 'A chave de cifra da caixa não é uma chave EC P-256 válida.', cause })
  })
  return new CompactEncrypt(Buffer.from(JSON.stringify(value), 'utf8'))
    .setProtectedHeader({ alg: ALGORITHM, enc: ENCRYPTION })
    .encrypt(key)
}

/** Characters of a JWE besides its ciphertext: header with the ephemeral key, wrapped key, nonce, tag, four dots. */
const JWE_OVERHEAD = 327

/** Length of a sealed value of `bytes` bytes (JSON, UTF-8), in ASCII characters. */
export const sealedLength = (bytes: number): number => JWE_OVERHEAD + Math.ceil((bytes * 4) / 3)

/**
 * Decrypts a sealed value and returns the parsed JSON, unchecked by any schema.
 * @throws VigiaError `interno`, without any content, for another key, altered text or text that is no JWE
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
    // The error has no cause, because a JSON error quotes the unreadable text, which may be a password.
    throw new VigiaError('interno', { detalhe: 'O conteúdo cifrado não foi feito para a chave desta caixa.' })
  }
}
