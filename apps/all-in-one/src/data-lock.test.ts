import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, expect, it } from 'vitest'
import { lockDataDir } from './data-lock.ts'

const root = temporaryFolder('vigia-lock-')
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('has one holder at a time, and is free after release', async () => {
  const first = await lockDataDir(root)
  expect(first).not.toBeNull()
  expect(await lockDataDir(root)).toBeNull()
  await first?.release()
  const second = await lockDataDir(root)
  expect(second).not.toBeNull()
  await second?.release()
})

it('works in a folder with a path longer than a socket address', async () => {
  const long = join(root, 'x'.repeat(120), 'y'.repeat(120))
  mkdirSync(long, { recursive: true })
  const lock = await lockDataDir(long)
  expect(existsSync(join(long, 'em-uso.sock'))).toBe(true)
  expect(await lockDataDir(long)).toBeNull()
  await lock?.release()
})
