import type { Edge } from '@vigia/contracts/edges'
import { describe, expect, it } from 'vitest'
import { boxChangeOf, boxCreationOf, boxFormOf, checkBox, emptyBox } from './box-form.ts'

const caixa = { id: 7, nome: 'Portaria', empresa_id: 3, limite_reenvio_kbps: 512 } as Edge

describe('the form of a box', () => {
  it.each([
    ['', undefined],
    ['512', undefined],
    ['15', 'limiteFalta'],
    ['10000001', 'limiteFalta'],
    ['1,5', 'limiteFalta'],
    ['muito', 'limiteFalta'],
  ])('a limit of "%s" is %s', (limite_reenvio_kbps, problem) => {
    const form = { ...emptyBox(3), nome: 'x', limite_reenvio_kbps }
    expect(checkBox(form, { needsEmpresa: true }).limite_reenvio_kbps).toBe(problem)
  })

  it('needs a name, and an Empresa from who belongs to none', () => {
    expect(checkBox(emptyBox(null), { needsEmpresa: true })).toEqual({ nome: 'nomeFalta', empresa_id: 'empresaFalta' })
    expect(checkBox({ ...emptyBox(null), nome: 'x', empresa_id: 'nova' }, { needsEmpresa: true })).toEqual({
      empresa_nome: 'empresaNomeFalta',
    })
    expect(checkBox({ ...emptyBox(null), nome: 'x' }, { needsEmpresa: false })).toEqual({})
  })

  it('sends the creation without what was left empty', () => {
    expect(boxCreationOf({ ...emptyBox(3), nome: ' Doca ' })).toEqual({ nome: 'Doca', empresa_id: 3 })
    expect(boxCreationOf({ ...emptyBox(null), nome: 'Doca' })).toEqual({ nome: 'Doca' })
  })

  it('sends only what changed, an emptied limit as none', () => {
    const form = boxFormOf(caixa)
    expect(boxChangeOf(caixa, form)).toBeNull()
    expect(boxChangeOf(caixa, { ...form, limite_reenvio_kbps: ' ' })).toEqual({ limite_reenvio_kbps: null })
    expect(boxChangeOf(caixa, { ...form, nome: 'Doca', limite_reenvio_kbps: '64' })).toEqual({
      nome: 'Doca',
      limite_reenvio_kbps: 64,
    })
  })
})
