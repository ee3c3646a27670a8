import { posix } from 'node:path'

/** Top folders of the dashboard, from below. A layer imports only itself and the layers before it. */
export const LAYERS = ['texts', 'base', 'ui', 'api', 'live', 'session', 'domains', 'pages', 'app'] as const

/** Content of the source files by path relative to the sources of the dashboard. */
type Sources = ReadonlyMap<string, string>

interface FileImport {
  readonly file: string
  /** Path of the imported file. */
  readonly target: string
}

const IMPORTS = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g

/** Every import of one file of the dashboard from another. */
export const fileImports = (sources: Sources): FileImport[] =>
  [...sources].flatMap(([file, source]) =>
    [...source.matchAll(IMPORTS)].map(([, specifier = '']) => ({
      file,
      target: posix.join(posix.dirname(file), specifier),
    })),
  )

const layerOf = (path: string): number => LAYERS.findIndex((layer) => path.startsWith(`${layer}/`))

/** Imports of a layer that lies higher. Files at the root are above every layer. */
export const upwardImports = (imports: readonly FileImport[]): string[] =>
  imports
    .filter(({ file, target }) => layerOf(file) !== -1 && (layerOf(target) === -1 || layerOf(target) > layerOf(file)))
    .map(({ file, target }) => `${file} -> ${target}`)

/** Imports of a page from the folder of another page. */
export const siblingPages = (imports: readonly FileImport[]): string[] =>
  imports
    .filter(({ file, target }) => file.startsWith('pages/') && target.startsWith('pages/'))
    .filter(({ file, target }) => posix.dirname(file) !== posix.dirname(target))
    .map(({ file, target }) => `${file} -> ${target}`)

/** Stylesheets that a file imports from another folder. */
export const foreignStyles = (imports: readonly FileImport[]): string[] =>
  imports
    .filter(({ file, target }) => target.endsWith('.module.css') && posix.dirname(file) !== posix.dirname(target))
    .map(({ file, target }) => `${file} -> ${target}`)

/** Pairs of folders in the form `a -> b`, each one once. */
export const folderPairs = (imports: readonly FileImport[]): string[] => [
  ...new Set(
    imports
      .map(({ file, target }) => [posix.dirname(file), posix.dirname(target)] as const)
      .filter(([from, to]) => from !== to)
      .map(([from, to]) => `${from} -> ${to}`),
  ),
]

/** Pairs of folders that import each other, each one once. */
export function mutualPairs(imports: readonly FileImport[]): string[] {
  const pairs = folderPairs(imports)
  const known = new Set(pairs)
  return pairs.filter((pair) => {
    const [from = '', to = ''] = pair.split(' -> ')
    return from < to && known.has(`${to} -> ${from}`)
  })
}

/** A rule of a stylesheet, whose declarations stand in one order. */
interface StyleRule {
  readonly file: string
  readonly selector: string
  /** Condition of the surrounding `@media`, and the declarations. */
  readonly content: string
}

const RULE = /([^{}]+)\{([^{}]*)\}/g

/** The rules of one stylesheet. Keyframes are left out: their steps are no rules. */
function rulesOf(file: string, css: string): StyleRule[] {
  const text = css.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}/g, '')
  const read = (part: string, condition: string): StyleRule[] =>
    [...part.matchAll(RULE)].map(([, selector = '', body = '']) => ({
      file,
      selector: selector.trim(),
      content: `${condition}{${body
        .split(';')
        .map((one) => one.trim().replaceAll(/\s+/g, ' '))
        .filter((one) => one !== '')
        .toSorted()
        .join(';')}}`,
    }))
  const nested = /(@media[^{]*)\{((?:[^{}]*\{[^{}]*\})*\s*)\}/g
  const inMedia = [...text.matchAll(nested)].flatMap(([, condition = '', part = '']) => read(part, condition.trim()))
  return [...inMedia, ...read(text.replaceAll(nested, ''), '')]
}

/** Shortest content of a rule that counts as a copy. One declaration alone is no rule worth a name. */
const MIN_DECLARATIONS = 2

/** Rules whose declarations stand in an earlier rule: `file selector = file selector`. */
export function copiedRules(sources: Sources): string[] {
  const first = new Map<string, StyleRule>()
  return [...sources]
    .filter(([file]) => file.endsWith('.module.css'))
    .flatMap(([file, css]) => rulesOf(file, css))
    .filter(({ content }) => content.split(';').length >= MIN_DECLARATIONS)
    .flatMap((rule) => {
      const known = first.get(rule.content)
      if (known === undefined) {
        first.set(rule.content, rule)
        return []
      }
      return [`${rule.file} ${rule.selector} = ${known.file} ${known.selector}`]
    })
}
