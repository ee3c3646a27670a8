import { describe, expect, it } from 'vitest'
import { changedFields } from './audit-list.ts'

describe('changedFields', () => {
  it('returns the innermost fields', () => {
    const antes = { nome: 'Doca', config_ia: { invasao: { conf: 0.6, min_quadros: 4 } }, agenda: {} }
    const depois = {
      nome: 'Doca',
      config_ia: { invasao: { conf: 0.5, min_quadros: 4 } },
      agenda: { fogo: { inicio: 1 } },
    }
    expect(changedFields(antes, depois)).toEqual([
      { caminho: ['config_ia', 'invasao', 'conf'], antes: 0.6, depois: 0.5 },
      { caminho: ['agenda', 'fogo', 'inicio'], antes: null, depois: 1 },
    ])
  })

  it('returns only fields with a value for a created or removed object', () => {
    expect(changedFields(null, { nome: 'Doca', canal: null, ativa: false })).toEqual([
      { caminho: ['nome'], antes: null, depois: 'Doca' },
      { caminho: ['ativa'], antes: null, depois: false },
    ])
    expect(changedFields({ nome: 'Doca' }, null)).toEqual([{ caminho: ['nome'], antes: 'Doca', depois: null }])
    expect(changedFields(null, null)).toEqual([])
  })

  it('returns a changed list, or a value with a new type, as a whole', () => {
    expect(changedFields({ dias: [1, 2], x: { a: 1 } }, { dias: [1], x: 'texto' })).toEqual([
      { caminho: ['dias'], antes: [1, 2], depois: [1] },
      { caminho: ['x'], antes: { a: 1 }, depois: 'texto' },
    ])
  })

  it('omits the time of the change', () => {
    expect(changedFields({ atualizada_em: 'a' }, { atualizada_em: 'b' })).toEqual([])
  })
})
