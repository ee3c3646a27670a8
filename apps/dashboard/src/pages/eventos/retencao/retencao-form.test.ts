import { type Retencao, tiposRetencao } from '@vigia/contracts/retencao'
import { expect, it } from 'vitest'
import { checkRetencao, retencaoChangeOf, retencaoFormOf } from './retencao-form.ts'

const none = { dias_proprio: null, bytes: null, bytes_proprio: null }
const regras = tiposRetencao.map((tipo) => ({ tipo, dias: 90, ...none }))
const before: Retencao = { empresa_id: 1, regras, uso: [], dias_ate_disco_cheio: null, apagados: [] }
const form = retencaoFormOf(before)

it('sends only what changed, in bytes, and null for an empty field', () => {
  expect(retencaoChangeOf(before, form)).toBeNull()
  expect(retencaoChangeOf(before, { ...form, clipes_dias: '15', clipes_gb: '1,5', quedas_dias: '20' })).toEqual({
    clipes: { dias: 15, bytes: 1_500_000_000 },
    quedas: { dias: 20 },
  })
})

it('finds values out of bounds at their field', () => {
  expect(checkRetencao(form)).toEqual({})
  expect(checkRetencao({ ...form, auditoria_dias: '30', clipes_dias: 'x', imagens_gb: '0' })).toEqual({
    auditoria_dias: 'diasErrado',
    clipes_dias: 'diasErrado',
    imagens_gb: 'gbErrado',
  })
})
