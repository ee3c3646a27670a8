import { createHmac } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Lifetime of a code (RFC 6238), s. */
const STEP_S = 30

/** Returns the 6 digits of RFC 6238 (HMAC-SHA-1) for a secret in base32, at `now` (epoch ms). */
export function totp(secret: string, now: number): string {
  const bits = [...secret.replaceAll(/\s|=/g, '')].map((one) => ALPHABET.indexOf(one).toString(2).padStart(5, '0'))
  const bytes = (bits.join('').match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 1000 / STEP_S)))
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
