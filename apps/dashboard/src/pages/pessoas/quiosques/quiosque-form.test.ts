import { expect, it } from 'vitest'
import { checkQuiosque, emptyQuiosque, quiosqueCreationOf } from './quiosque-form.ts'

it('needs a name, and of an operator the Empresa', () => {
  expect(checkQuiosque(emptyQuiosque)).toEqual({
    nome: 'nomeFalta',
    empresa_id: 'empresaFalta',
  })
  expect(checkQuiosque({ ...emptyQuiosque, nome: 'Portaria', empresa_id: '2' })).toEqual({})
})

it('sends name, role and Empresa', () => {
  expect(quiosqueCreationOf({ ...emptyQuiosque, nome: ' Portaria ', empresa_id: '2' })).toEqual({
    nome: 'Portaria',
    papel: 'vigilante',
    empresa_id: 2,
  })
  expect(quiosqueCreationOf({ ...emptyQuiosque, nome: 'x' })).toEqual({ nome: 'x', papel: 'vigilante' })
})
