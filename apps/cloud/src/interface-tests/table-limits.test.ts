import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { LimitRow } from '@vigia/contracts/limit-rows'
import { beforeAll, expect, it } from 'vitest'
import { tableLimits } from '../test/walks/table-limits.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const names = new Set<string>()
beforeAll(async () => {
  for (const file of globSync('**/limit-rows.ts', { cwd: root })) {
    const { limitRows }: { limitRows: readonly LimitRow[] } = await import(pathToFileURL(join(root, file)).href)
    for (const { what } of limitRows) names.add(what)
  }
})

it('every table names a row of the limits that exists, or a reason', () => {
  const wrong = Object.entries(tableLimits).filter(([, limit]) =>
    typeof limit === 'string' ? !names.has(limit) : limit.none.trim() === '',
  )
  expect(wrong).toEqual([])
})
