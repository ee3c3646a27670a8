import { expect, it } from 'vitest'
import { chooseIdioma, chosenIdioma, pickIdioma } from './idiomas.ts'

it.each([
  [['pt-BR', 'en'], { idioma: 'pt-BR', locale: 'pt-BR' }],
  [['pt-PT'], { idioma: 'pt-BR', locale: 'pt-BR' }],
  [['en-GB', 'pt-BR'], { idioma: 'en', locale: 'en-GB' }],
  [['es-AR', 'EN-us'], { idioma: 'en', locale: 'EN-us' }],
  [['es-AR'], { idioma: 'pt-BR', locale: 'pt-BR' }],
  [[], { idioma: 'pt-BR', locale: 'pt-BR' }],
])('chooses by the languages of the browser: %j', (languages, expected) => {
  expect(pickIdioma(null, languages)).toEqual(expected)
})

it('prefers the choice of this browser, and keeps the form of dates of its language', () => {
  expect(pickIdioma('en', ['pt-BR', 'en-US'])).toEqual({ idioma: 'en', locale: 'en-US' })
  expect(pickIdioma('en', ['pt-BR'])).toEqual({ idioma: 'en', locale: 'en' })
  expect(pickIdioma('pt-BR', ['en-US'])).toEqual({ idioma: 'pt-BR', locale: 'pt-BR' })
})

it('stores a choice, removes it, and ignores an unknown one', () => {
  const values = new Map<string, string>()
  const stored = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  }
  expect(chosenIdioma(stored)).toBeNull()
  chooseIdioma(stored, 'en')
  expect(chosenIdioma(stored)).toBe('en')
  chooseIdioma(stored, null)
  expect(chosenIdioma(stored)).toBeNull()
  for (const key of ['vigia.idioma']) values.set(key, 'klingon')
  expect(chosenIdioma(stored)).toBeNull()
})
