import type { LacunaVista } from '@vigia/contracts/eventos'
import { describe, expect, it } from 'vitest'
import { countMissing, missingCount, newestGapFirst } from './gaps.ts'

const gap = (over: Partial<LacunaVista>) =>
  ({
    id: 1,
    de_seq: 1,
    ate_seq: 1,
    motivo: 'cota_de_disco',
    registrada_em: '2026-11-21T00:00:00Z',
    ...over,
  }) as LacunaVista

describe('events that are missing', () => {
  it('counts both ends, and does not invent a number that nobody knows', () => {
    expect(missingCount({ de_seq: 5, ate_seq: 5, faltam: null })).toBe(1)
    expect(missingCount({ de_seq: 5, ate_seq: 14, faltam: null })).toBe(10)
    expect(missingCount({ de_seq: 5, ate_seq: 14, faltam: 3 })).toBe(3)
    expect(missingCount({ de_seq: 5, ate_seq: 4, faltam: null })).toBeNull()
  })

  it('tells what is lost from what is on its way', () => {
    const gaps = [
      gap({ de_seq: 1, ate_seq: 3 }),
      gap({ de_seq: 4, ate_seq: 9, motivo: 'a_caminho' }),
      gap({ de_seq: 10, ate_seq: 9, motivo: 'fila_recomecada' }),
    ]
    expect(countMissing(gaps)).toEqual({ lost: 3, arriving: 6 })
  })

  it('shows what is on its way first, then the newest', () => {
    const old = gap({ id: 1 })
    const young = gap({ id: 2, registrada_em: '2026-11-22T00:00:00Z' })
    const arriving = gap({ id: 3, motivo: 'a_caminho', registrada_em: '2026-11-20T00:00:00Z' })
    expect([old, young, arriving].sort(newestGapFirst).map(({ id }) => id)).toEqual([3, 2, 1])
  })
})
