import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits, base64url (43 characters). */
export const newToken = (): string => randomBytes(32).toString('base64url')

/**
 * SHA-256 in hex, stored in place of the token. A token has 256 random bits, so it needs neither salt nor a slow hash.
 * null: not in the form of a token.
 */
export const tokenHash = (token: string): string | null =>
  /^[A-Za-z0-9_-]{43}$/.test(token) ? createHash('sha256').update(token).digest('hex') : null
