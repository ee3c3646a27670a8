import { expect, it } from 'vitest'
import { fromBase32, matchingStep, otpauthUri, stepAt, toBase32, totpCode } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

it.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('returns the code of RFC 6238, appendix B, at %i s', (seconds, eightDigits) => {
  expect(totpCode(secret, stepAt(seconds * 1000))).toBe(eightDigits.slice(-6))
})

it('accepts only the codes of the previous, current and next step', () => {
  const now = 1_790_000_010_000
  const taken = [-2, -1, 0, 1, 2].map((off) => matchingStep(secret, totpCode(secret, stepAt(now) + off), now))
  expect(taken).toEqual([null, stepAt(now) - 1, stepAt(now), stepAt(now) + 1, null])
  for (const typed of ['', '12345', '1234567', 'áéíóúç']) expect(matchingStep(secret, typed, now)).toBeNull()
})

it('encodes and decodes base 32 as in RFC 4648', () => {
  expect(toBase32(Buffer.from('fooba'))).toBe('MZXW6YTB')
  expect(toBase32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(fromBase32(toBase32(secret))).toEqual(secret)
  expect(() => fromBase32('M1')).toThrow('not base 32')
})

it('puts issuer and login into the address of the QR code', () => {
  expect(otpauthUri('ana souza', 'MZXW6YTB')).toBe('otpauth://totp/Vigia%3Aana%20souza?secret=MZXW6YTB&issuer=Vigia')
})
