import type { Edge } from '@vigia/contracts/edges'
import { describe, expect, it } from 'vitest'
import { checkEdge, edgeChangeOf, edgeCreationOf, edgeFormOf, emptyEdge } from './edge-form.ts'

const edge = { id: 7, nome: 'Portaria', empresa_id: 3, limite_reenvio_kbps: 512, gravacao_continua_mb: null } as Edge

describe('the form of an edge', () => {
  it.each([
    ['', undefined],
    ['512', undefined],
    ['15', 'limiteFalta'],
    ['10000001', 'limiteFalta'],
    ['1,5', 'limiteFalta'],
    ['muito', 'limiteFalta'],
  ])('returns the problem of the limit "%s": %s', (limite_reenvio_kbps, problem) => {
    const form = { ...emptyEdge, empresa_id: '3', nome: 'x', limite_reenvio_kbps }
    expect(checkEdge(form, { needsEmpresa: true }).limite_reenvio_kbps).toBe(problem)
  })

  it('requires a name, and an Empresa if the login belongs to none', () => {
    expect(checkEdge(emptyEdge, { needsEmpresa: true })).toEqual({
      nome: 'nomeFalta',
      empresa_id: 'empresaFalta',
    })
    expect(checkEdge({ ...emptyEdge, nome: 'x', empresa_id: 'nova' }, { needsEmpresa: true })).toEqual({
      empresa_nome: 'empresaNomeFalta',
    })
    expect(checkEdge({ ...emptyEdge, nome: 'x' }, { needsEmpresa: false })).toEqual({})
  })

  it('omits empty fields from the creation', () => {
    expect(edgeCreationOf({ ...emptyEdge, empresa_id: '3', nome: ' Doca ' })).toEqual({ nome: 'Doca', empresa_id: 3 })
    expect(edgeCreationOf({ ...emptyEdge, nome: 'Doca' })).toEqual({ nome: 'Doca' })
  })

  it('sends only changed fields, and an emptied limit as null', () => {
    const form = edgeFormOf(edge)
    expect(edgeChangeOf(edge, form)).toBeNull()
    expect(edgeChangeOf(edge, { ...form, limite_reenvio_kbps: ' ' })).toEqual({ limite_reenvio_kbps: null })
    expect(edgeChangeOf(edge, { ...form, nome: 'Doca', limite_reenvio_kbps: '64' })).toEqual({
      nome: 'Doca',
      limite_reenvio_kbps: 64,
    })
  })
})
