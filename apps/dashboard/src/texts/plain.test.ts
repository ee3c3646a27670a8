import { expect, it } from 'vitest'
import { hasWords } from './plain.ts'

it.each([
  ['', true],
  ['patio', true],
  ['PÁTIO norte', true],
  ['norte acme', true],
  ['pátio sul', false],
])('finds %j without case and accents: %j', (search, expected) => {
  expect(hasWords(search, ['Pátio Norte 3', 'Acme'])).toBe(expected)
})
