import { chaveCreateSchema } from '@vigia/contracts/chaves'
import { expect, it } from 'vitest'
import { checkKey, emptyKey, keyCreationOf, validades } from './key-form.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')

it('asks for a name, and for the Empresa where none is obvious', () => {
  expect(checkKey(emptyKey(null), { needsEmpresa: true })).toEqual({ nome: 'nomeFalta', empresa_id: 'empresaFalta' })
  expect(checkKey({ ...emptyKey(7), nome: 'ERP' }, { needsEmpresa: true })).toEqual({})
  expect(checkKey({ ...emptyKey(null), nome: 'ERP' }, { needsEmpresa: false })).toEqual({})
})

it('sends what the central takes, whatever is chosen', () => {
  for (const validade of validades)
    for (const escopo of ['leitura', 'escrita']) {
      const body = keyCreationOf({ ...emptyKey(7), nome: ' ERP ', escopo, validade }, NOW)
      expect(chaveCreateSchema.parse(body)).toEqual(body)
    }
  expect(keyCreationOf({ ...emptyKey(7), nome: ' ERP ', validade: '30' }, NOW)).toEqual({
    nome: 'ERP',
    escopo: 'leitura',
    empresa_id: 7,
    validade: '2026-12-22T12:00:00.000Z',
  })
  expect(keyCreationOf({ ...emptyKey(null), nome: 'ERP', validade: '' }, NOW)).toEqual({
    nome: 'ERP',
    escopo: 'leitura',
  })
})
