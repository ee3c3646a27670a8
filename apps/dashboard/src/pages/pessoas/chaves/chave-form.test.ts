import { chaveCreateSchema } from '@vigia/contracts/chaves'
import { expect, it } from 'vitest'
import { chaveCreationOf, checkChave, emptyChave, validades } from './chave-form.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')

it('requires a name, and an Empresa if there is no default', () => {
  expect(checkChave(emptyChave)).toEqual({
    nome: 'nomeFalta',
    empresa_id: 'empresaFalta',
  })
  expect(checkChave({ ...emptyChave, empresa_id: '7', nome: 'ERP' })).toEqual({})
  expect(checkChave({ ...emptyChave, nome: 'ERP', empresa_id: '1' })).toEqual({})
})

it('sends a valid body for each choice', () => {
  for (const validade of validades)
    for (const escopo of ['leitura', 'escrita']) {
      const body = chaveCreationOf({ ...emptyChave, empresa_id: '7', nome: ' ERP ', escopo, validade }, NOW)
      expect(chaveCreateSchema.parse(body)).toEqual(body)
    }
  expect(chaveCreationOf({ ...emptyChave, empresa_id: '7', nome: ' ERP ', validade: '30' }, NOW)).toEqual({
    nome: 'ERP',
    escopo: 'leitura',
    empresa_id: 7,
    validade: '2026-12-22T12:00:00.000Z',
  })
  expect(chaveCreationOf({ ...emptyChave, nome: 'ERP', validade: '' }, NOW)).toEqual({
    nome: 'ERP',
    escopo: 'leitura',
  })
})
