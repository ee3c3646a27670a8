import { expect, it } from 'vitest'
import { waysOf } from './read-ways.ts'

const guide = (text: string) => waysOf('guia.md', text, 'guide')

it('reads each emphasised way of a guide with its line, also over a line break', () => {
  expect(guide('# Título\n\n* Abra **Câmeras → Mudar\n  várias** ou *Quedas → Imprimir*.')).toEqual([
    { place: 'guia.md:3', names: ['Câmeras', 'Mudar várias'] },
    { place: 'guia.md:4', names: ['Quedas', 'Imprimir'] },
  ])
})

it('reads a way of a text without its sentence', () => {
  const text = 'Em cada câmera do portão, em O que vigia → Placa, diga o local.'
  expect(waysOf('placas.json', text, 'text')).toEqual([{ place: 'placas.json:1', names: ['O que vigia', 'Placa'] }])
})

it('ignores arrows in code, and refuses any other arrow outside a way', () => {
  expect(guide('| `←` `→` | teclas |')).toEqual([])
  expect(() => guide('Abra Câmeras → Mudar várias.')).toThrow('guia.md: 1 arrows, and 0 in ways')
  expect(() => guide('**Câmeras** → **Mudar várias**')).toThrow('1 arrows')
})
