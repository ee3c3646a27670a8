import { type Comment, parseSync } from 'oxc-parser'
import { type Passage, type PassageKind, passagesOf } from './passage.ts'

/** A name that a file declares or uses, at its first occurrence. */
export interface Name {
  readonly name: string
  readonly line: number
  readonly isType: boolean
}

export interface ReadCode {
  readonly passages: readonly Passage[]
  readonly names: readonly Name[]
}

/** A node of the ESTree syntax tree, reduced to the fields that the walk reads. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

const LOG_METHODS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
const TEST_FUNCTIONS = new Set(['describe', 'it', 'test'])
const TYPE_DECLARATIONS = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration'])
/** Matches a directive for a tool at the start of a comment; only the reason after it is prose. */
const DIRECTIVE =
  /^\s*(?:biome-ignore(?:-\w+)?\s+[\w/]+:?|@ts-(?:expect-error|ignore|nocheck)|\/\s*<.*>|[#@]__PURE__|@vite-ignore)\s*/

/** Returns comments, log messages, error messages, test names and identifiers of one TypeScript or JavaScript file. */
export function readCode(file: string, source: string): ReadCode {
  const parsed = parseSync(file, source)
  const fault = parsed.errors[0]
  if (fault) throw new SyntaxError(`${file}: ${fault.message}`)
  const lineOf = lineIndex(source)
  const passages = commentsOf(parsed.comments, source, lineOf)
  const names = new Map<string, Name>()
  walk(parsed.program as unknown as Node, (node, parent) => {
    if (node.type === 'Identifier') {
      const name = String(node.name)
      const isType = parent !== null && TYPE_DECLARATIONS.has(parent.type) && parent.id === node
      if (!names.has(name) || isType) names.set(name, { name, line: lineOf(node.start), isType })
    }
    const kind = proseOfCall(node)
    if (!kind) return
    for (const text of (node.arguments as Node[]).slice(0, kind === 'test' ? 1 : 2).flatMap(textsOf))
      passages.push({ kind, line: lineOf(text.start), text: text.value })
  })
  return { passages: passages.sort((a, b) => a.line - b.line), names: [...names.values()] }
}

function lineIndex(source: string): (offset: number) => number {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}

function commentsOf(comments: readonly Comment[], source: string, lineOf: (offset: number) => number): Passage[] {
  const passages: Passage[] = []
  let block: { lines: string[]; first: number; last: number } | null = null
  const close = () => {
    if (block) passages.push(...passagesOf(block.lines, block.first, 'comment'))
    block = null
  }
  for (const { type, value, start } of comments) {
    const line = lineOf(start)
    if (type === 'Block') {
      close()
      const lines = value.split('\n').map((text) => text.replace(/^\s*\*+ ?/, '').trimEnd())
      passages.push(...passagesOf(lines, line, 'comment'))
      continue
    }
    const text = value.replace(DIRECTIVE, '').trim()
    const isAlone = source.slice(source.lastIndexOf('\n', start) + 1, start).trim() === ''
    if (block && block.last === line - 1 && isAlone) {
      block.lines.push(text)
      block.last = line
    } else {
      close()
      block = { lines: [text], first: line, last: line }
    }
  }
  close()
  return passages
}

/** Visits every node once. Objects without a `type` (values of literals, positions) are not nodes. */
export function walk(node: Node, visit: (node: Node, parent: Node | null) => void, parent: Node | null = null): void {
  visit(node, parent)
  for (const key in node) {
    const value = node[key]
    if (value === null || typeof value !== 'object') continue
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) walk(item, visit, node)
    } else if (isNode(value)) walk(value, visit, node)
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value

/** Returns the kind of prose in the string arguments of a call or construction; null: no prose. */
function proseOfCall(node: Node): PassageKind | null {
  if (node.type === 'NewExpression') return /(?:Error|Exception)$/.test(nameOf(node.callee as Node)) ? 'message' : null
  if (node.type !== 'CallExpression') return null
  let callee = node.callee as Node
  // it.each(rows)(name), it.skipIf(condition)(name), it.only(name)
  while (callee.type === 'CallExpression' || callee.type === 'MemberExpression') {
    const inner = (callee.type === 'CallExpression' ? callee.callee : callee.object) as Node
    if (callee.type === 'MemberExpression' && LOG_METHODS.has(nameOf(callee.property as Node)))
      return /log(?:ger)?$/i.test(nameOf(inner)) ? 'message' : null
    callee = inner
  }
  if (!TEST_FUNCTIONS.has(nameOf(callee))) return null
  const isTable = (node.callee as Node).type === 'MemberExpression' && nameOf((node.callee as Node).property as Node)
  return isTable && /^(?:each|for|skipIf|runIf)$/.test(isTable) ? null : 'test'
}

const nameOf = (node: Node): string => {
  if (node.type === 'Identifier') return String(node.name)
  return node.type === 'MemberExpression' ? nameOf(node.property as Node) : ''
}

/** Returns the strings of an argument: a literal, a template, a sum, both branches of a condition, or `message: …`. */
function textsOf(node: Node): { value: string; start: number }[] {
  const of = (key: string) => textsOf(node[key] as Node)
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [{ value: node.value, start: node.start }] : []
    case 'TemplateLiteral': {
      const quasis = node.quasis as { value: { cooked: string } }[]
      return [{ value: quasis.map(({ value }) => value.cooked).join('`x`'), start: node.start }]
    }
    case 'BinaryExpression': {
      const parts = [...of('left'), ...of('right')]
      return parts.length ? [{ value: parts.map(({ value }) => value).join(''), start: node.start }] : []
    }
    case 'ConditionalExpression':
      return [...of('consequent'), ...of('alternate')]
    case 'LogicalExpression':
      return [...of('left'), ...of('right')]
    case 'ObjectExpression':
      return (node.properties as Node[])
        .filter((property) => property.type === 'Property' && nameOf(property.key as Node) === 'message')
        .flatMap((property) => textsOf(property.value as Node))
    default:
      return []
  }
}
