import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/**
 * Replicas of the release before run on the new schema during an update, so that a migration only adds. Removals follow
 * in a later release. Migrations up to 0050 are older than replicas.
 */
const FIRST = '0051'

const forbidden: readonly [string, RegExp][] = [
  ['drops a table', /\.dropTable\(|drop\s+table/i],
  ['drops a column', /\.dropColumn\(|drop\s+column/i],
  ['renames', /\.renameTo\(|\.renameColumn\(|\brename\s+(to|column)\b/i],
  ['changes a column', /\.alterColumn\(|alter\s+column/i],
  ['drops a default or a constraint', /\.dropConstraint\(|drop\s+(constraint|default)/i],
]

/** Reasons to refuse the migration; none: it only adds. */
function objections(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  const found = forbidden.flatMap(([what, pattern]) => (pattern.test(code) ? [what] : []))
  // A new column of an old table must be nullable or have a default: the release before inserts without it.
  for (const [, rest = ''] of code.matchAll(/alterTable\([\s\S]*?addColumn\(([\s\S]*?)\.execute\(/g))
    if (/\.notNull\(\)/.test(rest) && !/\.defaultTo\(/.test(rest))
      found.push('adds a NOT NULL column without a default')
  return found
}

const files = readdirSync(import.meta.dirname).filter((name) => /^\d{4}-/.test(name) && name >= FIRST)

it.each(files)('%s only adds to the schema', (name) => {
  expect(objections(readFileSync(`${import.meta.dirname}/${name}`, 'utf8'))).toEqual([])
})

it.each([
  ["await db.schema.dropTable('x').execute()", 'drops a table'],
  ["await db.schema.alterTable('x').dropColumn('y').execute()", 'drops a column'],
  ["await db.schema.alterTable('x').renameTo('y').execute()", 'renames'],
  ["await db.schema.alterTable('x').alterColumn('y', (c) => c.setNotNull()).execute()", 'changes a column'],
  [
    "await db.schema.alterTable('x').addColumn('y', 'text', (c) => c.notNull()).execute()",
    'adds a NOT NULL column without a default',
  ],
])('refuses %s', (source, why) => {
  expect(objections(source)).toContain(why)
})
