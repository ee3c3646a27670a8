import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { countLostFrames } from './lost-frames.ts'

const folder = temporaryFolder('vigia-wal-')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Copies of a database whose log holds ten commits, as a power failure leaves it. */
function withLog(name: string): string {
  const file = join(folder, `${name}.db`)
  const sqlite = new SqliteDatabase(file)
  sqlite.exec('pragma journal_mode = WAL; create table t (a integer)')
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  for (let a = 0; a < 10; a += 1) sqlite.prepare('insert into t values (?)').run(a)
  const left = join(folder, `${name}-left.db`)
  for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${left}${end}`)
  sqlite.close()
  return left
}

it('counts no frame of a whole log, and none without a log', () => {
  expect(countLostFrames(withLog('whole'))).toBe(0)
  expect(countLostFrames(join(folder, 'none.db'))).toBe(0)
})

it('counts the frames from a damaged one on, which SQLite ignores', () => {
  const file = withLog('damaged')
  const wal = readFileSync(`${file}-wal`)
  const frame = 24 + wal.readUInt32BE(8)
  const frames = (wal.length - 32) / frame
  // A byte of the page in the fifth frame.
  const at = 32 + 4 * frame + 24 + 100
  wal[at] = (wal[at] ?? 0) ^ 1
  writeFileSync(`${file}-wal`, wal)
  expect(countLostFrames(file)).toBe(frames - 4)
  const sqlite = new SqliteDatabase(file)
  expect(sqlite.prepare('select count(*) from t').pluck().get()).toBe(4)
  sqlite.close()
})
