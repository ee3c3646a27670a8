import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { modelFolder } from '@vigia/models/model-folder'
import { describe, expect, it } from 'vitest'
import { builtInModels } from './built-in-models.ts'
import { cocoLabels } from './coco-labels.ts'
import { fasterVersion } from './manifest.ts'
import { modelManifest } from './registry.ts'

const read = (path: string) => readFile(join(modelFolder('.'), path), 'utf8')

/** Text of the item "classes". */
function classes(labels: readonly string[]): string {
  const known = labels.filter(Boolean)
  return known.join() === cocoLabels.join()
    ? `${known.length} of COCO`
    : known.map((label) => `\`${label}\``).join(', ')
}

/** The expected first section of a model's card, from the registry, with single spaces. */
function section(id: string): string {
  const { tarefa, uso, origem, licenca, sha256, leve, entrada, decodificador, rotulos } = modelManifest(id)
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
    ...(leve ? [`8-bit version: \`${leve.arquivo}\`, \`${leve.sha256}\``] : []),
    `input: ${largura}x${altura}${picture}`,
    `preprocessing: ${preprocessing}`,
    `classes: ${classes(rotulos)}`,
    `decoder: \`${decodificador}\``,
  ]
  return [`# ${id}`, ...items].join(' * ')
}

describe('the built-in models', () => {
  it.each(builtInModels.map(({ id, arquivo }) => [id, arquivo]))(
    '%s has a card like its entry in the registry, the hash of that entry, and a notice',
    async (id, arquivo) => {
      const [first = '', ...others] = (await read(`${id}/card.md`)).split(/^## /m)
      expect(first.replaceAll(/\s+/g, ' ').trim()).toBe(section(id))
      expect(others.map((text) => text.split('\n')[0])).toEqual(['Data', 'Limits', 'Calibration'])
      const normal = modelManifest(id)
      for (const { caminho, sha256 } of [normal, fasterVersion(normal) ?? normal]) {
        const bytes = await readFile(caminho)
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
      }
      expect(await read('NOTICE.md')).toContain(`\`${arquivo}\``)
    },
  )
})
