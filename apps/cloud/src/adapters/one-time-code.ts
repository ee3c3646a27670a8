import { createHash, randomInt } from 'node:crypto'

/** Crockford's base 32: no I, L, O, U, so that a code survives being read out or typed from paper. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16
/** How long a code can be used (decisions, Edges). */
export const CODIGO_VALIDO_MS = 24 * 3_600_000

/** A fresh one-time code of 80 random bits, written `XXXX-XXXX-XXXX-XXXX`. */
export function newActivationCode(): string {
  const symbols = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)))
  return symbols.join('').replace(/.{4}(?=.)/g, '$&-')
}

/**
 * SHA-256 (hex) under which a code is stored; null when what was typed cannot be one. Case, spaces and dashes do not
 * count; O is read as 0, I and L as 1. A plain hash is enough: 80 random bits cannot be tried out.
 */
export function hashActivationCode(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  if (code.length !== LENGTH || [...code].some((symbol) => !ALPHABET.includes(symbol))) return null
  return createHash('sha256').update(code).digest('hex')
}
