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
const TEXTS = ['apps/dashboard/src/texts/pt-BR/*.json', 'docs/pt/*.md', 'README.pt.md']

/** The word of the contract. Paths, fields, tool names and services, such as `vigia-edge`, contain it as a part. */
const EDGE = /(?<![\w/.`@{-])edges?(?![\w/.`=@}-])/i
/** The box with the word of the contract beside it, and the browser. */
const ACCEPTED = [/\bcaixas?(?: no local| nos locais)? \(edges?\)/gi, /\b(?:Chrome,|Chrome ou no) Edge\b/g]
/** Short texts without a word that only Portuguese has. */
const BEFORE_EDGE = /\b(?:o|os|um|uns|este|esse|deste|do|dos|pelo|ao|aos|outro|nenhum) edges?\b/i

/**
 * Words of the contract, of models and of makers. A person reads placa, verificação, quadro inteiro, quadros por
 * segundo, fluxo secundário and descartado.
 */
const OTHER_WORDS = /\b(?:modo B|segundo modelo|ssdlite|checage[mn]s?|GOP|q\/s|keyframes?|sub-?streams?)\b/i
/** `refutado` is a value of the API, which the descriptions of its fields name; a move of data has a conferência. */
const OTHER_WORDS_OF_GUIDES = /\b(?:refut|conferência)/i
/** The name in the menu of a device, and values to insert. */
const NOT_READ = /\*dynamic GOP\*|\{\{.*?\}\}/g

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
  return /edge/i.test(source) || OTHER_WORDS.test(source) ? stringsOf(file, source) : []
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

const textsRead = (): [string, string][] => {
  const read = [...files(SOURCES).filter((file) => !/\.test\.ts$|\/test\//.test(file)), ...files(TEXTS)]
  expect(read.length).toBeGreaterThan(500)
  return read.flatMap((file) => textsOf(file).map((text): [string, string] => [file, text]))
}

it('a Portuguese sentence of the product says caixa, not edge', () => {
  expect(textsRead().filter(([, text]) => saysEdge(text))).toEqual([])
})

it('each guide begins with the people that it is for', () => {
  const guides = files(['docs/pt/*.md']).filter((file) => !file.endsWith('/README.md'))
  const without = guides.filter(
    (file) => !/^# .+\n\n\*\*Para quem é:\*\* \p{Ll}/u.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(without).toEqual([])
})

it('a Portuguese sentence of the product has one word for each thing', () => {
  const found = textsRead().filter(
    ([file, text]) =>
      (OTHER_WORDS.test(text.replaceAll(NOT_READ, '')) && (!file.endsWith('.ts') || isPortuguese(text))) ||
      (file.endsWith('.md') && OTHER_WORDS_OF_GUIDES.test(text)),
  )
  expect(found).toEqual([])
})
