import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AGE, countMatches, sourcesOf } from '@vigia/testing/age-uses'
import { describe, expect, it } from 'vitest'
import { agedChanges, ageUses } from '../test/age-uses.ts'

const src = fileURLToPath(new URL('..', import.meta.url))
/** Tests delete only what they made. A migration runs once. */
const TESTS = /\.test\.ts$|^(?:test|interface-tests|db\/migrations)\//
const CHANGE = /(?:deleteFrom|updateTable)\((?:(?!deleteFrom|updateTable|;\n|\n\n)[\s\S]){0,400}?'<=?'/g

const sources = sourcesOf(src, TESTS)
const listed = (list: typeof ageUses) => Object.fromEntries(Object.entries(list).map(([file, { n }]) => [file, n]))

describe('an act by age', () => {
  it('is on the list with its test, or with the reason why it can be undone', () => {
    expect(countMatches(sources, AGE)).toEqual(listed(ageUses))
    expect(countMatches(sources, CHANGE)).toEqual(listed(agedChanges))
  })
  it('names a test that exists, or a reason', () => {
    const tests = globSync('**/*.test.ts', { cwd: src })
      .map((file) => readFileSync(`${src}${file}`, 'utf8'))
      .join('\n')
    for (const { use } of [...Object.values(ageUses), ...Object.values(agedChanges)])
      if ('guarded' in use) expect(tests).toContain(`it('${use.guarded}'`)
      else expect(Object.values(use)[0]).not.toBe('')
  })
  it('gets its time from the guard alone', () => {
    expect(Object.keys(countMatches(sources, /\bdueBefore\b/g)).sort()).toEqual([
      'db/due.ts',
      'db/hold-back/hold-back.ts',
    ])
  })
})
