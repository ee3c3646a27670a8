import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { agedDeletions, ageUses } from '../test/age-uses.ts'

const src = fileURLToPath(new URL('..', import.meta.url))
/** Tests and their programs delete only what they made. */
const TESTS = /\.test\.ts$|^(?:test|releases|interface-tests)\//
const AGE = /(?<!performance\.)\bnow(?:\(\))? - (?=[\w(])/g
const DELETION = /deleteFrom\((?:(?!deleteFrom|;\n|\n\n)[\s\S]){0,400}?'<=?'/g

const sources = new Map(
  globSync('**/*.ts', { cwd: src })
    .filter((file) => !TESTS.test(file))
    .map((file) => [file, readFileSync(`${src}${file}`, 'utf8')]),
)
const countOf = (pattern: RegExp) =>
  Object.fromEntries(
    [...sources].flatMap(([file, source]) => {
      const n = source.match(pattern)?.length ?? 0
      return n === 0 ? [] : [[file, n]]
    }),
  )
const listed = (list: typeof ageUses) => Object.fromEntries(Object.entries(list).map(([file, { n }]) => [file, n]))

describe('an act by age', () => {
  it('is on the list with its test, or with the reason why it can be undone', () => {
    expect(countOf(AGE)).toEqual(listed(ageUses))
    expect(countOf(DELETION)).toEqual(listed(agedDeletions))
  })
  it('names a test that exists, or a reason', () => {
    const tests = globSync('**/*.test.ts', { cwd: src })
      .map((file) => readFileSync(`${src}${file}`, 'utf8'))
      .join('\n')
    for (const { use } of [...Object.values(ageUses), ...Object.values(agedDeletions)])
      if ('guarded' in use) expect(tests).toContain(`it('${use.guarded}'`)
      else expect(Object.values(use)[0]).not.toBe('')
  })
})
