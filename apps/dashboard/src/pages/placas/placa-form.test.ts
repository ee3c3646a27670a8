import { placaCreateSchema, placaPatchSchema } from '@vigia/contracts/placas'
import { expect, it } from 'vitest'
import { certaintyOf } from './certainty.ts'
import { checkPlaca, emptyPlaca, formOfPlaca, placaChangeOf, placaCreationOf, validadesPlaca } from './placa-form.ts'

const NOW = Date.parse('2026-11-22T12:00:00Z')

it('requires a plate, and an Empresa if there is no default', () => {
  expect(checkPlaca({ ...emptyPlaca, placa: 'AB' })).toEqual({
    placa: 'placaErrada',
    empresa_id: 'empresaFalta',
  })
  expect(checkPlaca({ ...emptyPlaca, placa: 'abc-1d23', empresa_id: '1' })).toEqual({})
})

it('sends a valid body for each choice', () => {
  for (const validade of validadesPlaca)
    for (const lista of ['permitida', 'bloqueada']) {
      const form = { ...emptyPlaca, placa: 'abc 1d23', lista, validade, dono: ' Apartamento 42 ', empresa_id: '7' }
      const body = placaCreationOf(form, NOW)
      expect(placaCreateSchema.parse(body)).toEqual(body)
      expect(body).toMatchObject({ placa: 'ABC1D23', dono: 'Apartamento 42', empresa_id: 7 })
    }
  expect(placaCreationOf({ ...emptyPlaca, placa: 'ABC1234' }, NOW)).toEqual({ placa: 'ABC1234', lista: 'permitida' })
})

it('puts the confidence of a reading into words', () => {
  expect([0.97, 0.85, 0.5].map(certaintyOf)).toEqual(['alta', 'media', 'baixa'])
})

it('changes a plate, and its end only if a person chose another', () => {
  const listed = { id: 1, empresa_id: 1, placa: 'ABC1D23', lista: 'permitida', dono: 'Ana', nota: null } as const
  const times = { validade: '2026-12-01T00:00:00Z', vencida: false, criada_em: '', atualizada_em: '' }
  const form = formOfPlaca({ ...listed, ...times })
  expect(placaChangeOf({ ...form, dono: ' ' }, NOW)).toEqual({ lista: 'permitida', dono: null, nota: null })
  expect(placaChangeOf({ ...form, validade: '' }, NOW)).toMatchObject({ dono: 'Ana', validade: null })
  for (const validade of validadesPlaca)
    expect(placaPatchSchema.safeParse(placaChangeOf({ ...form, validade }, NOW)).success).toBe(true)
})
