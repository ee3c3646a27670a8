import { expect, it } from 'vitest'
import { datesOf, textOf } from './feriados-text.ts'

it('reads the dates that it writes, sorted and each once', () => {
  expect(datesOf('21/04/2027\n1/1/2027; 21/04/2027\n')).toEqual(['2027-01-01', '2027-04-21'])
  expect(textOf(['2027-01-01', '2027-04-21'])).toBe('01/01/2027\n21/04/2027')
  expect(datesOf('')).toEqual([])
})

it.each(['30/02/2027', '2027-01-01', '1/13/2027', 'natal', '1/1/27'])('refuses %s', (text) => {
  expect(datesOf(text)).toBeNull()
})
