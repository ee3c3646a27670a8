import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, expect, it } from 'vitest'
import { archiveName, removeLeftovers } from './archive-name.ts'

const dir = temporaryFolder('vigia-nome-')
afterAll(() => rmSync(dir, { recursive: true }))

const NOW = Date.UTC(2026, 10, 28, 3, 30)

it('is the given name, or in a folder that of the day', () => {
  expect(archiveName(join(dir, 'a.copia'), NOW)).toBe(join(dir, 'a.copia'))
  expect(archiveName(dir, NOW)).toBe(join(dir, 'vigia-2026-11-28.copia'))
})

it('removes partial files of daily backups that were killed on other days, and no other file', () => {
  const kept = ['vigia-2026-11-20.copia', 'vigia-2026-11-28.copia.parcial', 'a.copia.parcial', 'nota.txt']
  for (const name of [...kept, 'vigia-2026-11-26.copia.parcial']) {
    writeFileSync(join(dir, name), 'x')
    const at = name.includes('28') ? NOW : NOW - 2 * 86_400_000
    utimesSync(join(dir, name), at / 1_000, at / 1_000)
  }
  removeLeftovers(join(dir, 'a.copia'), NOW)
  expect(readdirSync(dir)).toHaveLength(5)
  removeLeftovers(archiveName(dir, NOW), NOW)
  expect(readdirSync(dir).sort()).toEqual([...kept].sort())
})
