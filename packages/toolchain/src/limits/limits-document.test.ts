import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { byteSize, type LimitRow } from '@vigia/contracts/limit-rows'
import { describe, expect, it } from 'vitest'
import { findFaults, LIMITS_DOCUMENT, readLimits, readTestSources, writeDocument } from './limits-document.ts'

const none = { none: 'reason' }
const row: LimitRow = {
  what: 'Thing',
  who: 'login',
  item: { limit: '1 KiB', test: 'refuses a larger thing' },
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
  it.each(['134.217728 MB', '5.999 MiB', '8192 KiB', '16 kB'])('report a size that is hard to read: %s', (limit) => {
    const odd = { ...row, item: { limit, test: 'refuses a larger thing' } }
    expect(findFaults([odd], `it('refuses a larger thing', …)`)).toEqual([
      'Thing: item has a size that byteSize does not write',
    ])
  })
  it.each([
    [256, '256 bytes'],
    [16 * 1024, '16 KiB'],
    [6 * 1024 ** 2 - 1024, '5.9 MiB'],
    [128 * 1024 ** 2, '128 MiB'],
    [1024 ** 3, '1 GiB'],
  ])('write %i bytes as %s', (bytes, text) => {
    expect(byteSize(bytes)).toBe(text)
  })
  it('of the product have no empty cell and name tests that exist', async () => {
    expect(findFaults(await readLimits(), readTestSources())).toEqual([])
  })
  it('are the document', async () => {
    const document = readFileSync(fileURLToPath(new URL(`../../../../${LIMITS_DOCUMENT}`, import.meta.url)), 'utf8')
    expect(document).toBe(writeDocument(await readLimits()))
  })
})
