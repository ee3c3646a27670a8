import { expect, it } from 'vitest'
import { papelNaTela } from '../../session/papel-na-tela.ts'
import { navPages, pagesOf } from './navigation.ts'

const texts = (papel: 'administrador' | 'usuario') =>
  pagesOf({ papel, id: 1, ve_placas: papel !== 'usuario' }).map(({ grupo, pages }) => [
    grupo,
    pages.map(({ texto }) => texto),
  ])

it('shows an administrador every page, by group', () => {
  expect(texts('administrador')).toEqual([
    ['plantao', ['plantao', 'mosaico', 'quedas', 'livro']],
    ['cameras', ['cameras']],
    ['equipamentos', ['instalacao', 'gravadores', 'caixas']],
    ['consulta', ['busca', 'linhaDoTempo', 'passagens', 'relatorios']],
    [
      'administracao',
      [
        'empresas',
        'retencao',
        'pessoas',
        'quiosques',
        'canais',
        'agentes',
        'chaves',
        'pendencias',
        'auditoria',
        'conta',
      ],
    ],
  ])
})

it('shows a usuario only the pages of its role', () => {
  expect(texts('usuario')).toEqual([
    ['plantao', ['plantao', 'mosaico', 'quedas', 'livro']],
    ['cameras', ['cameras']],
    ['equipamentos', ['caixas']],
    ['consulta', ['busca', 'linhaDoTempo']],
    ['administracao', ['agentes', 'conta']],
  ])
})

it('shows a screen in kiosk mode no page that needs a login', () => {
  const administracao = pagesOf({ papel: 'vigilante', id: null, ve_placas: true }).at(-1)?.pages
  expect(administracao?.map(({ texto }) => texto)).toEqual(['conta'])
})

it('shows a vigilante the passages only if it sees plates', () => {
  const consulta = (ve_placas: boolean) =>
    pagesOf({ papel: 'vigilante', id: 2, ve_placas }).find(({ grupo }) => grupo === 'consulta')?.pages ?? []
  expect(consulta(true).map(({ texto }) => texto)).toContain('passagens')
  expect(consulta(false).map(({ texto }) => texto)).not.toContain('passagens')
})

it('fits four pages into the bar of a phone', () => {
  expect(navPages.filter((one) => 'bar' in one)).toHaveLength(4)
})

it('names the operator by its role on the screen', () => {
  expect(papelNaTela({ papel: 'administrador', empresa_id: null })).toBe('operador')
  expect(papelNaTela({ papel: 'administrador', empresa_id: 3 })).toBe('administrador')
  expect(papelNaTela({ papel: 'usuario', empresa_id: 3 })).toBe('usuario')
})
