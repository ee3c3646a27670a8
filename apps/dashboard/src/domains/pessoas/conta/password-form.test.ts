import { expect, it } from 'vitest'
import { checkPassword } from './password-form.ts'

const form = { atual: 'senha-de-agora', nova: 'outra-senha', repetida: 'outra-senha' }

it('accepts a long new password that was typed twice', () => {
  expect(checkPassword(form)).toEqual({})
})

it.each([
  [{ atual: '' }, { atual: 'faltaAtual' }],
  [{ nova: 'curta', repetida: 'curta' }, { nova: 'curta' }],
  [{ nova: form.atual, repetida: form.atual }, { nova: 'igual' }],
  [{ repetida: 'outra' }, { repetida: 'diferente' }],
])('names the problem of %j', (change, problems) => {
  expect(checkPassword({ ...form, ...change })).toEqual(problems)
})
