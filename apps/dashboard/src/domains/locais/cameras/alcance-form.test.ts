import { expect, it } from 'vitest'
import { alcanceFormOf, checkAlcance, chosenAlcance, emptyAlcance, usualAlcance } from './alcance-form.ts'

it('sends nothing for the default, and the choice otherwise', () => {
  expect(chosenAlcance(emptyAlcance)).toEqual({})
  for (const alcance of ['propria', 'abaixo', [3, 7]] as const) {
    const given = typeof alcance === 'string' ? alcance : [...alcance]
    expect(chosenAlcance(alcanceFormOf(given))).toEqual({ alcance: given })
  }
})

it('asks for an Empresa of an empty list', () => {
  expect(checkAlcance({ alcance: 'lista', lista: '' })).toEqual({ alcance: 'listaFalta' })
  expect(checkAlcance({ alcance: 'lista', lista: '3' })).toEqual({})
  expect(checkAlcance(emptyAlcance)).toEqual({})
})

it('shows the default of the papel within the reach of the creator', () => {
  expect(usualAlcance({ alcance: 'abaixo' }, true)).toBe('abaixo')
  expect(usualAlcance({ alcance: 'abaixo' }, false)).toBe('propria')
  expect(usualAlcance({ alcance: [3] }, true)).toBe('propria')
})
