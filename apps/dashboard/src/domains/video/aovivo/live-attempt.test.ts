import { expect, it } from 'vitest'
import { firstAttempt, nextAttempt } from './live-attempt.ts'

const begun = firstAttempt('principal')
const sub = firstAttempt('secundario')

it('pauses longer after each end without a picture, and begins anew after a picture', () => {
  let attempt = begun
  const pauses: number[] = []
  for (let i = 0; i < 6; i++) {
    attempt = nextAttempt(attempt, 'offline', { hasSub: true, played: false })
    pauses.push(attempt.pauseMs)
  }
  expect(pauses).toEqual([1_000, 2_000, 5_000, 10_000, 10_000, 10_000])
  expect(nextAttempt(attempt, 'caiu', { hasSub: true, played: true })).toMatchObject({ pauseMs: 500, failures: 0 })
})

it('takes the sub stream of an undecodable or too heavy main stream', () => {
  for (const end of ['nao_decodifica', 'lento'] as const)
    expect(nextAttempt(begun, end, { hasSub: true, played: false })).toEqual(sub)
})

it.each([
  ['an older edge', begun, 'nao_suportado', true],
  ['an undecodable sub stream', sub, 'nao_decodifica', true],
  ['an undecodable stream of a camera with one stream', begun, 'nao_decodifica', false],
] as const)('shows frames of %s', (_name, attempt, end, hasSub) => {
  expect(nextAttempt(attempt, end, { hasSub, played: false }).quadros).toBe(true)
})

it.each(['sem_banda', 'sem_conexao_livre', 'sem_memoria', 'vistas_demais'] as const)(
  'waits after the end %s',
  (end) => {
    expect(nextAttempt(begun, end, { hasSub: true, played: false }).pauseMs).toBe(10_000)
  },
)
