import { describe, expect, it } from 'vitest'
import { hashActivationCode, newActivationCode } from './one-time-code.ts'

describe('activation code', () => {
  it('has four groups of four, without letters that resemble digits', () => {
    const codes = Array.from({ length: 200 }, newActivationCode)
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(new Set(codes).size).toBe(200)
  })

  it('ignores case, spaces and dashes', () => {
    const hash = hashActivationCode('01AB-CDEF-GH10-WXYZ')
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    for (const typed of ['01abcdefgh10wxyz', ' OIAB CDEF GHIO WXYZ ', 'olab-cdef-ghlo-wxyz'])
      expect(hashActivationCode(typed)).toBe(hash)
  })

  it.each(['', '01AB-CDEF-GH10', '01AB-CDEF-GH10-WXYZ-0', '01AB-CDEF-GH10-WXY!', '01AB-CDEF-GH10-WXYU'])(
    'cannot be %j',
    (typed) => {
      expect(hashActivationCode(typed)).toBeNull()
    },
  )
})
