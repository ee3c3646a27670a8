import { createHash, randomBytes } from 'node:crypto'
import { CHAVE_PREFIXO } from '@vigia/contracts/chaves'

/** Stored prefix that identifies a key to users; reveals 24 of its 256 random bits. */
const SHOWN = CHAVE_PREFIXO.length + 4

interface NewKey {
  readonly chave: string
  readonly hash: string
  readonly inicio: string
}

/** A key of 256 random bits: `vigia_` and 43 characters of base64url. */
export function newKey(): NewKey {
  const chave = CHAVE_PREFIXO + randomBytes(32).toString('base64url')
  return { chave, hash: sha256(chave), inicio: chave.slice(0, SHOWN) }
}

/** SHA-256 (hex) under which a key is stored; null: not in the form of a key. */
export const keyHash = (token: string): string | null =>
  token.startsWith(CHAVE_PREFIXO) && /^[A-Za-z0-9_-]{43}$/.test(token.slice(CHAVE_PREFIXO.length))
    ? sha256(token)
    : null

// A key has 256 random bits, so its hash needs neither salt nor stretching.
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
