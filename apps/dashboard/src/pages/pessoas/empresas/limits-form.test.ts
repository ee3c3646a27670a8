import { type LimitesEmpresa, porTipoLimite, tiposLimite } from '@vigia/contracts/limites'
import type { Me } from '@vigia/contracts/sessoes'
import { describe, expect, it } from 'vitest'
import { checkLimits, limitsChangeOf, limitsFormOf, settableLimits } from './limits-form.ts'

const empresa: LimitesEmpresa = {
  empresa_id: 7,
  nome: 'Loja',
  empresa_pai_id: 3,
  limites: porTipoLimite(() => ({ limite: 64, uso: 12, livres: 52 })),
  bytes: { limite: 1_500_000_000, uso: 12, livres: 1_499_999_988, espera: null },
}
const login = (papel: Me['papel'], empresa_id: number | null) =>
  ({ papel, empresa_id, alcance: papel === 'administrador' ? 'abaixo' : 'propria' }) as Me

describe('the form of the limits of an Empresa', () => {
  it('offers all limits to the operator, and those of cameras to the administrador of a parent Empresa', () => {
    expect(settableLimits(login('administrador', null), 7)).toEqual(tiposLimite)
    expect(settableLimits(login('administrador', 3), 7)).toEqual(['cameras'])
    expect(settableLimits(login('administrador', 7), 7)).toEqual([])
    expect(settableLimits(login('usuario', 7), 7)).toEqual([])
  })

  it.each(['', 'muitas', '-1', '1,5', '1e3', '100001', '9999999999'])('are not "%s"', (limite_cameras) => {
    expect(checkLimits({ ...limitsFormOf(empresa), limite_cameras })).toEqual({ limite_cameras: 'limiteErrado' })
  })

  it('take gigabytes, and nothing for no limit', () => {
    const form = limitsFormOf(empresa)
    expect(form.limite_gb).toBe('1,5')
    expect(limitsChangeOf(empresa, { ...form, limite_gb: '' })).toEqual({ limite_bytes: null })
    expect(limitsChangeOf(empresa, { ...form, limite_gb: '2.25' })).toEqual({ limite_bytes: 2_250_000_000 })
    for (const limite_gb of ['0', 'x', '-1', '0,05'])
      expect(checkLimits({ ...form, limite_gb })).toEqual({ limite_gb: 'limiteGbErrado' })
  })

  it('sends only the changed limits', () => {
    const form = limitsFormOf(empresa)
    expect(checkLimits(form)).toEqual({})
    expect(limitsChangeOf(empresa, form)).toBeNull()
    expect(limitsChangeOf(empresa, { ...form, limite_edges: ' 0 ', limite_cameras: '64' })).toEqual({ limite_edges: 0 })
  })
})
