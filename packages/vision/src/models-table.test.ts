import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { builtInModels } from './built-in-models.ts'
import { cocoLabels } from './coco-labels.ts'
import { modelManifest } from './registry.ts'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

/** Text of the classes column. */
function classes(labels: readonly string[]): string {
  const known = labels.filter(Boolean)
  return known.join() === cocoLabels.join()
    ? `${known.length} of COCO`
    : known.map((label) => `\`${label}\``).join(', ')
}

/** The expected row of a model in the README, from the registry. */
function row(id: string): string {
  const { tarefa, uso, origem, licenca, sha256, entrada, decodificador, rotulos } = modelManifest(id)
  const { largura, altura, quadro, cores, disposicao, tipo, media, desvio } = entrada
  const picture = quadro ? `, picture ${quadro.largura}x${quadro.altura} top left` : ''
  const plain = media.every((value) => value === 0) && desvio.every((value) => value === 1)
  const before = `${cores} ${disposicao} ${tipo}${plain ? '' : `, (x − ${media.join(' ')}) / ${desvio.join(' ')}`}`
  const cells = [
    `\`${id}\``,
    `\`${tarefa}\`, ${uso}`,
    origem,
    licenca,
    `\`${sha256}\``,
    `${largura}x${altura}${picture}`,
  ]
  return `| ${[...cells, before, classes(rotulos), `\`${decodificador}\``].join(' | ')} |`
}

describe('the built-in models', () => {
  it('have the same rows in the README as in the registry', async () => {
    const lines = (await read('../README.md')).split('\n')
    const start = lines.findIndex((line) => /^\| model\s+\| for/.test(line)) + 2
    const rows = lines.slice(start, lines.indexOf('', start)).map((line) => line.replaceAll(/ +/g, ' '))
    expect(rows).toEqual(builtInModels.map(({ id }) => row(id)))
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
