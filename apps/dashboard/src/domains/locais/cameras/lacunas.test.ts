import type { LacunaVista } from '@vigia/contracts/eventos'
import { describe, expect, it } from 'vitest'
import { countMissing, missingCount, newestLacunaFirst } from './lacunas.ts'

const lacuna = (over: Partial<LacunaVista>) =>
  ({
    id: 1,
    de_seq: 1,
    ate_seq: 1,
    motivo: 'cota_de_disco',
    registrada_em: '2026-11-21T00:00:00Z',
    ...over,
  }) as LacunaVista

describe('lacunas', () => {
  it('count both ends, and have no size if it is unknown', () => {
    expect(missingCount({ de_seq: 5, ate_seq: 5, faltam: null })).toBe(1)
    expect(missingCount({ de_seq: 5, ate_seq: 14, faltam: null })).toBe(10)
    expect(missingCount({ de_seq: 5, ate_seq: 14, faltam: 3 })).toBe(3)
    expect(missingCount({ de_seq: 5, ate_seq: 4, faltam: null })).toBeNull()
  })

  it('count lost events and arriving events separately', () => {
    const lacunas = [
      lacuna({ de_seq: 1, ate_seq: 3 }),
      lacuna({ de_seq: 4, ate_seq: 9, motivo: 'a_caminho' }),
      lacuna({ de_seq: 10, ate_seq: 9, motivo: 'fila_recomecada' }),
    ]
    expect(countMissing(lacunas)).toEqual({ lost: 3, arriving: 6 })
  })

  it('are sorted with arriving ones first, then the newest', () => {
    const old = lacuna({ id: 1 })
    const young = lacuna({ id: 2, registrada_em: '2026-11-22T00:00:00Z' })
    const arriving = lacuna({ id: 3, motivo: 'a_caminho', registrada_em: '2026-11-20T00:00:00Z' })
    expect([old, young, arriving].sort(newestLacunaFirst).map(({ id }) => id)).toEqual([3, 2, 1])
  })
})
