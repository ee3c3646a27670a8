import { createHash, randomInt } from 'node:crypto'

/** Crockford's base 32: without I, L, O, U, so that a code can be read aloud or typed from paper. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16
/** Validity of a code (decisions, Edges). */
export const CODIGO_VALIDO_MS = 24 * 3_600_000

/** A fresh one-time code of 80 random bits, written `XXXX-XXXX-XXXX-XXXX`. */
export function newActivationCode(): string {
  const symbols = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)))
  return symbols.join('').replace(/.{4}(?=.)/g, '$&-')
}

/**
 * SHA-256 (hex) under which a code is stored; null: not in the form of a code. Case, spaces and dashes are ignored; O
 * counts as 0, I and L as 1. A plain hash is enough for 80 random bits.
 */
export function hashActivationCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  if (code.length !== LENGTH || [...code].some((symbol) => !ALPHABET.includes(symbol))) return null
  return createHash('sha256').update(code).digest('hex')
}
