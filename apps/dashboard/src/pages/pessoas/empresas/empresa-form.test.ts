import { expect, it } from 'vitest'
import { checkEmpresa, empresaChangeOf, empresaFormOf, fusosOffered } from './empresa-form.ts'

const empresa = {
  id: 7,
  nome: 'Loja',
  empresa_pai_id: 3,
  fuso_horario: 'America/Manaus',
  exigir_segundo_fator: null,
  criada_em: '2026-01-01T00:00:00Z',
  host: 'loja.exemplo.br',
} as never

it('sends only the fields that differ, and null for an emptied host', () => {
  const form = empresaFormOf(empresa)
  expect(empresaChangeOf(empresa, form)).toBeNull()
  expect(empresaChangeOf(empresa, { ...form, nome: ' Loja 2 ', host: ' ' })).toEqual({ nome: 'Loja 2', host: null })
  expect(empresaChangeOf(empresa, { ...form, host: 'Loja.Exemplo.BR' })).toBeNull()
})

it('finds a missing name and a host that is no domain', () => {
  const form = empresaFormOf(null)
  expect(checkEmpresa({ ...form, host: 'https://x' })).toEqual({ nome: 'nomeFalta', host: 'hostErrado' })
  expect(checkEmpresa({ ...form, nome: 'Loja', host: 'loja.exemplo.br' })).toEqual({})
})

it('offers a stored zone outside Brazil', () => {
  expect(fusosOffered('Europe/Lisbon').at(-1)).toBe('Europe/Lisbon')
  expect(fusosOffered('America/Manaus')).toHaveLength(16)
})

it('knows all its zones in this runtime', () => {
  const zoneOf = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  for (const fuso of fusosOffered('America/Manaus')) expect(zoneOf(fuso)).toContain('/')
})
