import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import { type Node, walk } from './prose/code.ts'
import { isPortuguese } from './prose/sentences.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Sources whose Portuguese strings a person reads; the log lines of the edge are not among them. */
const SOURCES = ['apps/cloud/src/*.ts', 'packages/contracts/src/*.ts', 'packages/ias/src/*.ts']
const TEXTS = ['apps/dashboard/src/texts/pt-BR/*.json', 'docs/pt/*.md']

/** The word of the contract. Paths, fields, tool names and services, such as `vigia-edge`, contain it as a part. */
const EDGE = /(?<![\w/.`@{-])edges?(?![\w/.`=@}-])/i
/** The box with the word of the contract beside it, and the browser. */
const ACCEPTED = [/\bcaixas?(?: no local| nos locais)? \(edges?\)/gi, /\b(?:Chrome,|Chrome ou no) Edge\b/g]
/** Short texts without a word that only Portuguese has. */
const BEFORE_EDGE = /\b(?:o|os|um|uns|este|esse|deste|do|dos|pelo|ao|aos|outro|nenhum) edges?\b/i

const files = (patterns: readonly string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean)

const saysEdge = (text: string): boolean => {
  const left = ACCEPTED.reduce((rest, accepted) => rest.replace(accepted, ''), text)
  return EDGE.test(left) && (isPortuguese(left) || BEFORE_EDGE.test(left))
}

/** Returns the strings of a source, a template without its values. */
function stringsOf(file: string, source: string): string[] {
  const found: string[] = []
  walk(parseSync(file, source).program as unknown as Node, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value)
    if (node.type === 'TemplateLiteral')
      found.push((node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…'))
  })
  return found
}

const valuesOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as Record<string, unknown>).flatMap(valuesOf)

function textsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8')
  if (file.endsWith('.json')) return valuesOf(JSON.parse(source))
  if (file.endsWith('.md')) return source.replace(/```[\s\S]*?```|`[^`]*`/g, '').split('\n')
  return /edge/i.test(source) ? stringsOf(file, source) : []
}

it.each([
  ['O edge não respondeu a tempo.', true],
  ['Lista os edges', true],
  ['Edge não encontrado.', true],
  ['As caixas (edges) nos locais.', false],
  ['No Chrome ou no Edge, abra o menu do navegador.', false],
  ['Não mande edge_id, nem `edge`, ao serviço vigia-edge.', false],
  ['The edge has no answer.', false],
])('finds the word in a Portuguese sentence: %s', (text, found) => {
  expect(saysEdge(text)).toBe(found)
})

it('a Portuguese sentence of the product says caixa, not edge', () => {
  const read = [...files(SOURCES).filter((file) => !/\.test\.ts$|\/test\//.test(file)), ...files(TEXTS)]
  expect(read.length).toBeGreaterThan(500)
  const found = read.flatMap((file) =>
    textsOf(file)
      .filter(saysEdge)
      .map((text) => `${file}: ${text}`),
  )
  expect(found).toEqual([])
})
