import { createHmac, timingSafeEqual } from 'node:crypto'

/** RFC 6238 with the parameters of all authenticator apps: HMAC-SHA-1, 30 s, 6 digits. */
const STEP_MS = 30_000
const DIGITS = 6
/** Tolerated clock difference of a phone, in steps. */
const DRIFT = 1

/** Time step of `now`. */
export const stepAt = (now: number): number => Math.floor(now / STEP_MS)

/** The code of one time step (RFC 4226 section 5.3). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The step around `now` with this code; null: none. Compares every step in constant time. */
export function matchingStep(secret: Uint8Array, code: string, now: number): number | null {
  const typed = Buffer.from(code)
  let matching: number | null = null
  for (let step = stepAt(now) - DRIFT; step <= stepAt(now) + DRIFT; step += 1) {
    const expected = Buffer.from(totpCode(secret, step))
    if (typed.length === expected.length && timingSafeEqual(typed, expected)) matching = step
  }
  return matching
}

/** RFC 4648 section 6. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** @param bytes a multiple of five, which needs no padding */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{5}/g, (five) => BASE32.charAt(Number.parseInt(five, 2)))
}

/** @throws Error for a character outside base 32 */
export function fromBase32(text: string): Buffer {
  const bits = [...text].map((symbol) => {
    const value = BASE32.indexOf(symbol)
    if (value < 0) throw new Error('not base 32')
    return value.toString(2).padStart(5, '0')
  })
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}

/** Content of the QR code, in the Key Uri Format of authenticator apps. @param secret base 32 */
export const otpauthUri = (username: string, secret: string): string =>
  `otpauth://totp/${encodeURIComponent(`Vigia:${username}`)}?secret=${secret}&issuer=Vigia`
