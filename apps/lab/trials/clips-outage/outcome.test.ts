import { expect, it } from 'vitest'
import { outcomeOf } from './outcome.ts'

it.each([
  ['stored', 'guardado', null, false],
  ['reason', 'nunca', 'Sem clipe.', false],
  ['lost', 'nunca', null, true],
  ['held', 'na_caixa', 'Na caixa.', true],
  [null, 'na_caixa', 'Na caixa.', false],
  [null, 'sem_noticia', 'Ainda não.', true],
  [null, 'a_caminho', 'Enviando.', true],
] as const)('%s: clip_estado %s, clip_detalhe %s, refuted %s', (outcome, clip_estado, clip_detalhe, isRefuted) => {
  expect(outcomeOf({ clip_estado, clip_detalhe }, isRefuted)).toBe(outcome)
})
