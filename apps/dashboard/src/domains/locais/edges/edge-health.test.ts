import { describe, expect, it } from 'vitest'
import { certificateState, clockState, formatBytes, usedShare } from './edge-health.ts'

describe('the health of an edge', () => {
  it('returns the used share, or null if it is unknown', () => {
    expect(usedShare({ total: 200, livre: 50 })).toBe(0.75)
    expect(usedShare({ total: 100, livre: 120 })).toBe(0)
    expect(usedShare({ total: 0, livre: 0 })).toBeNull()
    expect(usedShare(null)).toBeNull()
  })

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_400_000_000, '1,4 GB'],
    [999_600, '1 MB'],
    [32_000_000_000, '32 GB'],
    [9_960, '10 kB'],
  ])('formats %i bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })

  it('accepts a small clock offset as right', () => {
    const off = (desvio_ms: number | null) => clockState({ desvio_ms, sincronizado: true })
    expect(off(1_999)).toEqual({ kind: 'certo' })
    expect(off(-90_000)).toEqual({ kind: 'atrasado', ms: 90_000 })
    expect(off(2_000)).toEqual({ kind: 'adiantado', ms: 2_000 })
    expect(off(null)).toEqual({ kind: 'desconhecido' })
    expect(clockState(null)).toEqual({ kind: 'desconhecido' })
  })

  it('warns about a certificate that was not renewed', () => {
    const now = Date.parse('2026-11-21T00:00:00Z')
    expect(certificateState('2027-11-21T00:00:00Z', now)).toBe('em_dia')
    expect(certificateState('2026-12-20T00:00:00Z', now)).toBe('vence_logo')
    expect(certificateState('2026-11-21T00:00:00Z', now)).toBe('vencido')
  })
})
