import { expect, it } from 'vitest'
import { createHungCandidates } from './hung-candidates.ts'

let now = 0
const create = () => createHungCandidates(() => now, { minMs: 10, maxMs: 40, jitter: [1, 1] })

it('pauses an Empresa longer each time one of its candidates hangs', () => {
  const hung = create()
  for (const pauseMs of [20, 40, 40]) {
    expect(hung.hung(1)).toBe('imagem_ilegivel')
    hung.answered()
    expect([hung.isPaused(1), hung.isPaused(2)]).toEqual([true, false])
    now += pauseMs - 1
    expect(hung.isPaused(1)).toBe(true)
    now += 1
    expect(hung.isPaused(1)).toBe(false)
  }
})

it('takes candidates of two Empresas in a row for a fault of the service', () => {
  const hung = create()
  expect([hung.hung(1), hung.hung(2)]).toEqual(['imagem_ilegivel', 'indisponivel'])
  expect(hung.isPaused(2)).toBe(false)
  hung.answered()
  expect(hung.hung(2)).toBe('imagem_ilegivel')
})

it('pauses nobody for a candidate without an Empresa', () => {
  const hung = create()
  expect(hung.hung(undefined)).toBe('imagem_ilegivel')
  expect(hung.isPaused(undefined)).toBe(false)
})
