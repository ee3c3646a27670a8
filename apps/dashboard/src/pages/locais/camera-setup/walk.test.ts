import type { AndamentoProva } from '@vigia/contracts/provas'
import { describe, expect, it } from 'vitest'
import { nothingSeen } from './live-hits.ts'
import { isOver } from './walk.ts'

const walk = { startedAt: 1_000, endedAt: null, lastEvento: 0, seen: nothingSeen, telaMs: null }
const nobody: AndamentoProva = { desfecho: 'ninguem', passo_falho: 'entrega' }

describe('a walk', () => {
  it.each(['outra_tela', 'navegador'] as const)('ends at once as %s', (desfecho) => {
    const andamento = { desfecho, passo_falho: null }
    expect(isOver({ ...walk, seenAt: 1_500, andamento }, 2_000)).toBe(true)
  })

  it('ends two minutes after its first detection, without one after its start', () => {
    const over = (seenAt: number | null, now: number) => isOver({ ...walk, seenAt, andamento: nobody }, now)
    expect([over(null, 120_999), over(null, 121_000)]).toEqual([false, true])
    expect([over(60_000, 179_999), over(60_000, 180_000)]).toEqual([false, true])
  })

  it('goes on without an answer of the server', () => {
    expect(isOver({ ...walk, seenAt: null, andamento: null }, 500_000)).toBe(false)
  })
})
