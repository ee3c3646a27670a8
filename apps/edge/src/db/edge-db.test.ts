import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openEdgeDb } from './edge-db.ts'

let dir = ''
beforeEach(() => {
  dir = temporaryFolder('vigia-edge-db-')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const file = () => join(dir, 'edge.db')

it('is private to its owner, durable, and can be opened again', () => {
  const first = openEdgeDb(file())
  if (!first.ok) throw new Error(first.reason)
  expect(first.db.pragma('journal_mode', { simple: true })).toBe('wal')
  expect(first.db.pragma('synchronous', { simple: true })).toBe(2)
  for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600)
  first.db.prepare('INSERT INTO sequences VALUES (1, 7)').run()
  first.db.close()
  const second = openEdgeDb(file())
  if (!second.ok) throw new Error(second.reason)
  expect(second.db.prepare('SELECT last FROM sequences').pluck().get()).toBe(7)
  second.db.close()
})

it('has one edge at a time', () => {
  const first = openEdgeDb(file())
  if (!first.ok) throw new Error(first.reason)
  expect(openEdgeDb(file())).toEqual({ ok: false, reason: 'em_uso' })
  first.db.close()
})

it('renames a file that is no database and starts with a new one', () => {
  writeFileSync(file(), 'isto não é um banco de dados'.repeat(500))
  const opened = openEdgeDb(file())
  if (!opened.ok) throw new Error(opened.reason)
  expect(opened.damaged).toEqual({
    file: expect.stringMatching(/edge\.db\.danificado-\d+$/),
    salvaged: { records: 0, withoutMedia: 0, lost: 0, complete: false },
  })
  expect(readdirSync(dir).some((name) => name.startsWith('edge.db.danificado-'))).toBe(true)
  opened.db.close()
})

it('refuses a file of a newer release with an explanation, and keeps the file', () => {
  const first = openEdgeDb(file())
  if (!first.ok) throw new Error(first.reason)
  first.db.pragma('user_version = 9999')
  first.db.close()
  expect(() => openEdgeDb(file())).toThrow(/gravado por uma versão mais nova do programa da caixa \(9999\)/)
  expect(readdirSync(dir).filter((name) => name.includes('danificado'))).toEqual([])
})
