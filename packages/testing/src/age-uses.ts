import { globSync, readFileSync } from 'node:fs'

const AGES = [
  /(?<!performance\.)\bnow(?:\(\))? - (?=[\w(])/,
  /(?<![\w.])(?!now\b)[\w.]+(?<!monotonic)(?:\(\))? - (?=[A-Z][A-Z_]*(?:_MS|HOUR|DAY)\b)/,
  /\+ [\w.]+ <=? now\b/,
]
/** A time minus an age: `now - x`, `x - KEEP_MS`, or `x + KEEP_MS <= now`. */
export const AGE = new RegExp(AGES.map(({ source }) => source).join('|'), 'g')

/** The production code below a folder, by file. @param skipped files that only tests and trials run */
export const sourcesOf = (src: string, skipped: RegExp): ReadonlyMap<string, string> =>
  new Map(
    globSync('**/*.ts', { cwd: src })
      .filter((file) => !skipped.test(file))
      .map((file) => [file, readFileSync(`${src}${file}`, 'utf8')]),
  )

/** Matches by file, without files that have none. */
export const countMatches = (sources: ReadonlyMap<string, string>, pattern: RegExp): Record<string, number> =>
  Object.fromEntries(
    [...sources].flatMap(([file, source]) => {
      const n = source.match(pattern)?.length ?? 0
      return n === 0 ? [] : [[file, n]]
    }),
  )
