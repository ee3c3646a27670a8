import { describe, expect, it } from 'vitest'
import { nomesIas } from './ias.ts'
import { assuntoDe, motivoAcrescenta, palavrasFonte, palavrasVeredito } from './palavras-veredito.ts'

const pessoa = { tipo: 'invasao', rotulos: ['person'] } as const
const words = (
  decisao: 'confirmado' | 'refutado',
  certeza: 'alta' | 'baixa' | null,
  evento = { ...pessoa, rotulos: ['person'] },
) => palavrasVeredito({ decisao, certeza }, evento)

describe('palavrasVeredito', () => {
  it('names the outcome and the thing', () => {
    expect(words('confirmado', 'alta')).toBe('Confirmado')
    expect(words('confirmado', 'baixa')).toBe('Pode ser pessoa – confira')
    expect(words('refutado', 'alta')).toBe('Descartado: não havia pessoa')
  })

  it('of an older verdict have no doubt', () => {
    expect(words('confirmado', null)).toBe('Confirmado')
    expect(words('refutado', null)).toBe('Descartado: não havia pessoa')
  })

  it('name something for every IA, also for an event without labels', () => {
    for (const tipo of nomesIas) expect(assuntoDe({ tipo, rotulos: [] })).toMatch(/^\p{Ll}.{3,}/u)
    expect(assuntoDe({ tipo: 'camera_obstruida', rotulos: [] })).toBe('obstrução da câmera')
    expect(assuntoDe({ tipo: 'fumaca', rotulos: ['smoke'] })).toBe('fumaça')
  })
})

describe('palavrasFonte', () => {
  it.each([
    ['local:ssdlite-mobilenetv2-300', 'verificação da central'],
    ['local:ssdlite-mobilenetv2-300, vlm:qwen3', 'verificação da central, verificador externo (qwen3)'],
    ['listas', 'listas de placas'],
    ['outra', 'outra'],
  ])('%s: %s', (fonte, words) => {
    expect(palavrasFonte(fonte)).toBe(words)
  })
})

it.each([
  ['alta', 'local:m', false],
  ['baixa', 'local:m', true],
  ['alta', 'local:m, vlm:n', true],
] as const)('shows a reason of certainty %s by %s on a card: %s', (certeza, fonte, expected) => {
  expect(motivoAcrescenta({ decisao: 'confirmado', certeza, fonte })).toBe(expected)
})
