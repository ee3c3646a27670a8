import { afterEach, expect, it } from 'vitest'
import { formatAge, formatDuration, formatFull, formatMoment } from '../base/tempo/format-time.ts'
import { textsOfIa } from './ia-texts.ts'
import { compareNames, formatNumber, setLocale } from './locale.ts'
import { textsOfPerfil } from './perfil-texts.ts'

afterEach(() => setLocale('pt-BR'))

const now = Date.parse('2026-11-21T15:00:00Z')

it('formats times and numbers in English', () => {
  setLocale('en-GB')
  expect(formatNumber(1234.5)).toBe('1,234.5')
  expect(formatAge('2026-11-21T14:58:00Z', now)).toBe('2 min ago')
  expect(formatAge('2026-11-19T14:58:00Z', now)).toBe('2 days ago')
  expect(formatDuration(90_000_000)).toBe('1 day 1 h')
  expect(formatMoment('2026-11-20T12:05:40Z', now, 'America/Sao_Paulo')).toBe('yesterday, 09:05')
  expect(formatFull('2026-11-21T02:30:05.000Z', 'America/Sao_Paulo')).toContain('20/11/2026, 23:30:05')
})

it('formats numbers in Portuguese, and sorts names with numbers', () => {
  expect(formatNumber(1234.5)).toBe('1.234,5')
  expect(['Câmera 10', 'Câmera 2', 'Ágora'].sort(compareNames)).toEqual(['Ágora', 'Câmera 2', 'Câmera 10'])
})

it('names IAs and Perfis in the language of the page', () => {
  expect([textsOfIa('invasao').titulo, textsOfPerfil('escola').titulo]).toEqual(['Invasão', 'Escola'])
  setLocale('en')
  expect([textsOfIa('invasao').titulo, textsOfPerfil('escola').titulo]).toEqual(['Intrusion', 'School'])
})
