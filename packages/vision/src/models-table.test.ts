import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { builtInModels } from './built-in-models.ts'
import { cocoLabels } from './coco-labels.ts'
import { modelManifest } from './registry.ts'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

/** Text of the item "classes". */
function classes(labels: readonly string[]): string {
  const known = labels.filter(Boolean)
  return known.join() === cocoLabels.join()
    ? `${known.length} of COCO`
    : known.map((label) => `\`${label}\``).join(', ')
}

/** The expected section of a model in the README, from the registry, with single spaces. */
function section(id: string): string {
  const { tarefa, uso, origem, licenca, sha256, entrada, decodificador, rotulos } = modelManifest(id)
  const { largura, altura, quadro, cores, disposicao, tipo, media, desvio } = entrada
  const picture = quadro ? `, picture ${quadro.largura}x${quadro.altura} top left` : ''
  const plain = media.every((value) => value === 0) && desvio.every((value) => value === 1)
  const normalised = plain ? '' : `, (x − ${media.join(' ')}) / ${desvio.join(' ')}`
  const preprocessing = `${cores} ${disposicao} ${tipo}${normalised}`
  const items = [
    `task: \`${tarefa}\`, ${uso}`,
    `origin: ${origem}`,
    `licence: ${licenca}`,
    `sha256: \`${sha256}\``,
    `input: ${largura}x${altura}${picture}`,
    `preprocessing: ${preprocessing}`,
    `classes: ${classes(rotulos)}`,
    `decoder: \`${decodificador}\``,
  ]
  return [`\`${id}\``, ...items].join(' * ')
}

describe('the built-in models', () => {
  it('have the same sections in the README as in the registry', async () => {
    const [, models = ''] = (await read('../README.md')).split(/^## Models$/m)
    const sections = (models.split(/^## /m)[0] ?? '').split(/^### (?=`)/m).slice(1)
    const texts = sections.map((text) => (text.split(/^### /m)[0] ?? '').replaceAll(/\s+/g, ' ').trim())
    expect(texts).toEqual(builtInModels.map(({ id }) => section(id)))
  })

  it.each(builtInModels.map(({ id, arquivo }) => [id, arquivo]))(
    '%s has the hash of the registry, and a notice',
    async (id, arquivo) => {
      const { caminho, sha256 } = modelManifest(id)
      expect(
        createHash('sha256')
          .update(await readFile(caminho))
          .digest('hex'),
      ).toBe(sha256)
      expect(await read('../models/NOTICE.md')).toContain(`\`${arquivo}\``)
    },
  )
})
