import { describe, expect, it } from 'vitest'
import { areas, nomesAreas } from './areas.ts'
import { createTexts } from './i18n.ts'
import { idiomas } from './idiomas.ts'

/** All texts below `value`, by key. */
function leaves(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  return Object.entries(value as object).flatMap(([key, one]) => leaves(one, path === '' ? key : `${path}.${key}`))
}
/** The product says caixa, verificação, descartado and quadros por segundo; `Edge` is a browser. */
const otherWords =
  /\bedges?\b|conferência|checagem|refutad|segundo modelo|\bGOP\b|q\/s|modo B\b|local:|\bUTC\b|De quem é o convite/u
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).sort()

describe.each(nomesAreas)('the texts of %s', (area) => {
  it('have the same keys and the same values to insert in every language', async () => {
    const portuguese = leaves((await areas['pt-BR'][area]()).default)
    for (const idioma of idiomas) {
      const other = new Map(leaves((await areas[idioma][area]()).default))
      expect([...other.keys()].sort()).toEqual(portuguese.map(([key]) => key).sort())
      for (const [key, text] of portuguese)
        expect([key, placeholders(other.get(key) ?? '')]).toEqual([key, placeholders(text)])
    }
  })

  it('have one Portuguese word for each thing', async () => {
    for (const [key, text] of leaves((await areas['pt-BR'][area]()).default))
      expect([key, otherWords.exec(text)?.[0]]).toEqual([key, undefined])
  })

  it('are never empty', async () => {
    for (const idioma of idiomas)
      for (const [key, text] of leaves((await areas[idioma][area]()).default))
        expect([idioma, key, text.trim()]).not.toContain('')
  })
})

describe('the texts of the page', () => {
  it('have their placeholders in placeholders.json, which `vitest -u` writes', async () => {
    const loaded = await Promise.all(nomesAreas.map((area) => areas['pt-BR'][area]()))
    const lines = loaded
      .flatMap((texts) => leaves(texts.default))
      .map(
        ([key, text]) =>
          [key, [...new Set(Array.from(text.matchAll(/\{\{(.*?)\}\}/g), ([, inner]) => inner))]] as const,
      )
      .filter(([, inserted]) => inserted.length > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inserted]) => `  "${key}": { ${inserted.map((one) => `"${one}": ""`).join(', ')} }`)
    await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot('./placeholders.json')
  })

  it('report a text that is missing instead of showing another language', async () => {
    const missing: string[] = []
    const { i18n } = await createTexts('en', (key) => missing.push(key))
    expect(i18n.t('comum.salvar')).toBe('Save')
    expect(i18n.t('cameras.titulo')).toBe('cameras.titulo')
    expect(missing).toEqual(['cameras.titulo'])
  })

  it('contain an area after it is loaded', async () => {
    const { i18n, load } = await createTexts('pt-BR')
    await load('cameras', 'conta')
    expect([i18n.t('cameras.titulo'), i18n.t('conta.titulo')]).toEqual(['Câmeras', 'Minha conta'])
  })

  it('insert a name as it is, also a name with a placeholder or a key in it', async () => {
    const { i18n, load } = await createTexts('pt-BR')
    await load('cameras')
    const nome = '<b>{{nome}}</b>$t(comum.salvar)'
    expect(i18n.t('cameras.anuncio.criada', { nome })).toBe(`Câmera ${nome} adicionada.`)
  })
})
