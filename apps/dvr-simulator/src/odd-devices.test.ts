import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { type QuirkRow, quirkRows } from './quirk-rows.ts'
import { findFaults, withRows } from './test/odd-devices.ts'

const pathOf = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url))
const read = (file: string) => readFileSync(pathOf(file), 'utf8')

it('has one row for each quirk, with a test that exists', () => {
  expect(findFaults(quirkRows, read)).toEqual([])
})

it('reports a quirk without a row, one with two rows, and a test that does not exist', () => {
  const rows = quirkRows.filter(({ quirks }) => !quirks.includes('trava'))
  const [row] = quirkRows.filter(({ quirks }) => quirks.includes('encerra')) as [QuirkRow]
  expect(findFaults([...rows, { ...row, test: [row.test[0], 'no such title'] }], read)).toEqual([
    'encerra stands in 2 rows',
    'trava stands in 0 rows',
    `${row.device}: ${row.test[0]} has no test “no such title”`,
  ])
})

it('is what docs/devices.md says', async () => {
  await expect(withRows(read('docs/devices.md'), quirkRows)).toMatchFileSnapshot(pathOf('docs/devices.md'))
})
