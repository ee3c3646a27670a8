import { describe, expect, it } from 'vitest'
import { afterFailure } from './retry-policy.ts'

const HOUR = 3_600_000

describe('afterFailure', () => {
  it('increases the delay up to five minutes, and shows a notice after three attempts', () => {
    const waits = [1, 2, 3, 8, 9, 500].map((attempts) => afterFailure('indisponivel', attempts, 0.5).esperaMs)
    expect(waits).toEqual([2000, 4000, 8000, 256_000, 300_000, 300_000])
    expect(afterFailure('indisponivel', 2, 0.5)).toMatchObject({ aviso: false, parado: false })
    const third = { aviso: true, parado: false, erro: expect.stringContaining('indisponível') }
    expect(afterFailure('indisponivel', 3, 0.5)).toMatchObject(third)
  })

  it('retries an unreadable picture three times soon, then rarely', () => {
    expect(afterFailure('imagem_ilegivel', 2, 0.5)).toMatchObject({ esperaMs: 4000, aviso: false, parado: false })
    expect(afterFailure('imagem_ilegivel', 3, 0.5)).toMatchObject({ esperaMs: 6 * HOUR, aviso: true, parado: true })
  })

  it.each(['sem_imagem', 'sem_suporte'] as const)('stops on %s at once', (falha) => {
    expect(afterFailure(falha, 1, 0.5)).toMatchObject({ esperaMs: 6 * HOUR, aviso: true, parado: true })
  })

  it('spreads the retries', () => {
    expect(afterFailure('indisponivel', 4, 0).esperaMs).toBe(12_000)
    expect(afterFailure('indisponivel', 4, 1).esperaMs).toBe(20_000)
  })
})
