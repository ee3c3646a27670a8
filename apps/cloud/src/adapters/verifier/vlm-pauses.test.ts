import { expect, it } from 'vitest'
import { CANDIDATES_IN_A_ROW, createVlmPauses } from './vlm-pauses.ts'

const PAUSE = { minMs: 1_000, maxMs: 8_000, jitter: [1, 1] } as const
const clock = { now: 0 }
const pauses = () => {
  clock.now = 1
  return createVlmPauses(PAUSE, () => clock.now)
}

it.each(['pedido', 'resposta', 'recusa'] as const)('%s never pauses another Empresa', (erro) => {
  const all = pauses()
  for (let candidate = 0; candidate < 50; candidate += 1) all.failed(1, erro, null)
  expect([all.isPaused(1), all.isPaused(2)]).toEqual([true, false])
})

it('a candidate that fails alone pauses nothing, and an answer ends the count', () => {
  const all = pauses()
  for (let round = 0; round < 10; round += 1) {
    for (let candidate = 1; candidate < CANDIDATES_IN_A_ROW; candidate += 1) all.failed(1, 'pedido', null)
    expect(all.isPaused(1)).toBe(false)
    all.answered(1)
  }
})

it.each(['conexao', 'redirecionou', 'chave', 'endereco', 'limite', 'servico'] as const)('%s pauses all', (erro) => {
  const all = pauses()
  expect(all.failed(1, erro, null)).toEqual({ of: 'servico', pauseMs: expect.any(Number) })
  expect([all.isPaused(1), all.isPaused(2)]).toEqual([true, true])
  clock.now += 8_001
  expect(all.isPaused(2)).toBe(false)
})

it('time-outs of one Empresa pause it alone; those of two in a row pause all', () => {
  const all = pauses()
  for (let round = 0; round < 3; round += 1) {
    all.failed(1, 'tempo', null)
    clock.now += 8_001
  }
  all.failed(1, 'tempo', null)
  expect([all.isPaused(1), all.isPaused(2)]).toEqual([true, false])
  all.failed(2, 'tempo', null)
  expect(all.isPaused(3)).toBe(true)
})

it('waits as long as the service asks for, up to the longest pause', () => {
  const all = pauses()
  expect(all.failed(1, 'limite', 5_000).pauseMs).toBe(5_000)
  clock.now += 5_001
  expect(all.failed(1, 'limite', 3_600_000).pauseMs).toBe(8_000)
})
