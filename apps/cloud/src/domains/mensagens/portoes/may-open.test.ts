import { modoBConfigSchema } from '@vigia/contracts/cameras'
import { expect, it } from 'vitest'
import { type GateCase, mayOpen } from './may-open.ts'

const NOW = Date.UTC(2026, 10, 9, 15)
const config = modoBConfigSchema.parse({ ativo: true, portao: { canal_id: 1 } })
const placa = { placa: 'ABC1D23', pais: 'BR', forma: 'mercosul' as const, confianca: 0.99 }
const registro: GateCase['registro'] = {
  placa,
  fim: null,
  ocorrido_em: NOW - 1_000,
  relogio: { desvio_ms: 0, sincronizado: true },
}
const open: GateCase = {
  registro,
  config,
  situacao: 'permitida',
  retroativo: false,
  isCorrected: false,
  portaoEm: null,
}

it('opens for an allowed plate that was read with certainty a moment ago', () => {
  expect(mayOpen(open, NOW)).toBe(true)
})

it('corrects the clock of the edge', () => {
  const late = { ...registro, ocorrido_em: NOW - 60_000 }
  expect(mayOpen({ ...open, registro: { ...late, relogio: { desvio_ms: -59_000, sincronizado: false } } }, NOW)).toBe(
    true,
  )
  expect(mayOpen({ ...open, registro: late }, NOW)).toBe(false)
})

it.each([
  ['without a gate', { config: modoBConfigSchema.parse({ ativo: true }) }],
  ['with reading switched off', { config: { ...config, ativo: false } }],
  ['for an unknown plate', { situacao: 'desconhecida' as const }],
  ['for a blocked plate', { situacao: 'bloqueada' as const }],
  ['without a plate', { situacao: null, registro: { ...registro, placa: null } }],
  ['below its threshold', { registro: { ...registro, placa: { ...placa, confianca: 0.96 } } }],
  ['a second time', { portaoEm: NOW - 500 }],
  ['for a record that waited', { retroativo: true }],
  ['for a corrected plate', { isCorrected: true }],
  ['after the vehicle has left', { registro: { ...registro, fim: NOW - 100 } }],
  ['without a trusted clock', { registro: { ...registro, relogio: { desvio_ms: null, sincronizado: false } } }],
  ['from the future', { registro: { ...registro, ocorrido_em: NOW + 60_000 } }],
])('stays shut %s', (_, change) => {
  expect(mayOpen({ ...open, ...change }, NOW)).toBe(false)
})
