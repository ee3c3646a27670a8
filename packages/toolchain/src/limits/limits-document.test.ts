import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { LimitRow } from '@vigia/contracts/limit-rows'
import { describe, expect, it } from 'vitest'
import { findFaults, LIMITS_DOCUMENT, readLimits, readTestSources, writeDocument } from './limits-document.ts'

const none = { none: 'reason' }
const row: LimitRow = {
  what: 'Thing',
  who: 'login',
  item: { limit: '1 kB', test: 'refuses a larger thing' },
  connection: none,
  edge: none,
  empresa: none,
  root: none,
  installation: none,
}

describe('rows', () => {
  it('report an empty cell and a test that does not exist', () => {
    expect(findFaults([row], `it('refuses a larger thing', …)`)).toEqual([])
    expect(findFaults([row], '// refuses a larger thing')).toEqual([
      'Thing: item names a test that does not exist: refuses a larger thing',
    ])
    expect(findFaults([{ ...row, root: { none: ' ' } }], `it('refuses a larger thing', …)`)).toEqual([
      'Thing: root is empty',
    ])
  })
  it('of the product have no empty cell and name tests that exist', async () => {
    expect(findFaults(await readLimits(), readTestSources())).toEqual([])
  })
  it('are the document', async () => {
    const document = readFileSync(fileURLToPath(new URL(`../../../../${LIMITS_DOCUMENT}`, import.meta.url)), 'utf8')
    expect(document).toBe(writeDocument(await readLimits()))
  })
})
