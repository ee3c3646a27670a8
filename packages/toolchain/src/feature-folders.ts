import { posix } from 'node:path'

/** One import of one feature folder from another. */
export interface FeatureImport {
  readonly from: string
  readonly to: string
  readonly file: string
}

const IMPORTS = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g

/**
 * Imports between folders of the first level.
 * @param sources content by path relative to the folder that holds them
 */
export function featureImports(sources: ReadonlyMap<string, string>): FeatureImport[] {
  return [...sources].flatMap(([file, source]) =>
    [...source.matchAll(IMPORTS)].flatMap(([, specifier = '']) => {
      const from = folderOf(file)
      const to = folderOf(posix.join(posix.dirname(file), specifier))
      return to === '..' || to === from ? [] : [{ from, to, file }]
    }),
  )
}

/** Imports of another folder of the first level by a path other than its `public.ts`, as `file: specifier`. */
export const hiddenImports = (sources: ReadonlyMap<string, string>): string[] =>
  [...sources].flatMap(([file, source]) =>
    [...source.matchAll(IMPORTS)].flatMap(([, specifier = '']) => {
      const target = posix.join(posix.dirname(file), specifier)
      const to = folderOf(target)
      const isOpen = to === '..' || to === folderOf(file) || target === `${to}/public.ts`
      return isOpen ? [] : [`${file}: ${specifier}`]
    }),
  )

const folderOf = (path: string): string => path.split('/')[0] ?? ''

/** Pairs in the form `a -> b`, each one once. */
export const pairsOf = (imports: readonly FeatureImport[]): string[] => [
  ...new Set(imports.map(({ from, to }) => `${from} -> ${to}`)),
]

/** Returns the features that import themselves through others: two that import each other, or a longer ring. */
export function ringsOf(imports: readonly FeatureImport[]): string[] {
  const next = Map.groupBy(imports, ({ from }) => from)
  const reachable = (start: string): Set<string> => {
    const seen = new Set<string>()
    const open = [start]
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const { to } of next.get(at) ?? [])
        if (!seen.has(to)) {
          seen.add(to)
          open.push(to)
        }
    return seen
  }
  return [...next.keys()].filter((feature) => reachable(feature).has(feature))
}
