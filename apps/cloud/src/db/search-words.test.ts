import { describe, expect, it } from 'vitest'
import { eventTerms, wordsOf } from './search-words.ts'

describe('the words of a text', () => {
  it.each([
    ['Câmera 1 – Portão Sul', ['camera', '1', 'portao', 'sul']],
    ['ÔNIBUS ônibus', ['onibus']],
    ['ABC-1D23 e abc1234', ['abc1d23', 'e', 'abc1234']],
    ['cruzamento_linha', ['cruzamento', 'linha']],
    ['<script>alert(1)</script>', ['script', 'alert', '1']],
    ['=c7', ['c7']],
    ['—… !', []],
    ['x'.repeat(90), ['x'.repeat(40)]],
  ])('of %j have no accents and no upper case', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })
})

it('finds an event by its label in both languages, and by its plate', () => {
  const event = { camera_id: 7, camera_nome: 'Doca', tipo: 'placa', rotulos_json: '["car","constructor"]' }
  expect(eventTerms({ ...event, detalhes_json: '{"placa":"ABC1D23"}' })).toEqual([
    '=c7',
    '=tplaca',
    'doca',
    'placa',
    'car',
    'constructor',
    'carro',
    'abc1d23',
  ])
})
