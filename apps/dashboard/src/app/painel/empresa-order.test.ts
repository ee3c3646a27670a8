import { beforeEach, expect, it } from 'vitest'
import type { Services } from '../../session/services.ts'
import { orderEmpresas, rememberChoice, rememberedEmpresas, toggleFavourite } from './empresa-order.ts'

let settings: Services['settings']
beforeEach(() => {
  const values = new Map<string, string>()
  settings = {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
})

const empresas = ['Doca', 'Alfa', 'Casa', 'Bar'].map((nome, at) => ({ id: at + 1, nome }))
const byName = (a: { nome: string }, b: { nome: string }) => a.nome.localeCompare(b.nome)

it('shows favourites first, then the newest choices, then the others by name', () => {
  for (const id of [3, 1, 3]) rememberChoice(settings, 7, id)
  toggleFavourite(settings, 7, 4)
  const shown = orderEmpresas(empresas, rememberedEmpresas(settings, 7), byName)
  expect(shown.map(({ nome, marca }) => [nome, marca])).toEqual([
    ['Bar', 'favorita'],
    ['Casa', 'recente'],
    ['Doca', 'recente'],
    ['Alfa', null],
  ])
})

it('remembers five choices of each login, and a favourite until it is taken away', () => {
  for (const id of [1, 2, 3, 4, 5, 6, 2]) rememberChoice(settings, 7, id)
  toggleFavourite(settings, 7, 9)
  expect(rememberedEmpresas(settings, 7)).toEqual({ favoritas: [9], recentes: [2, 6, 5, 4, 3] })
  expect(rememberedEmpresas(settings, 8)).toEqual({ favoritas: [], recentes: [] })
  toggleFavourite(settings, 7, 9)
  expect(rememberedEmpresas(settings, 7).favoritas).toEqual([])
})
