import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadOrCreateKeys, prependKey, secretKeys } from './key-file.ts'
import { Secret } from './secret.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = temporaryFolder('vigia-chave-')
  file = join(dir, 'chave')
})
afterEach(() => rmSync(dir, { recursive: true }))

it('is created once, readable only by its owner, and read afterwards', () => {
  const made = join(dir, 'novo', 'chave')
  const keys = loadOrCreateKeys(made)
  expect(keys.map(({ length }) => length)).toEqual([32])
  expect(statSync(made).mode & 0o777).toBe(0o600)
  expect(statSync(join(dir, 'novo')).mode & 0o777).toBe(0o700)
  expect(loadOrCreateKeys(made)).toEqual(keys)
})

it('is never replaced when it has other content', () => {
  for (const text of ['estragada', '', `${randomBytes(32).toString('base64')}\nestragada\n`]) {
    writeFileSync(file, text, { mode: 0o600 })
    expect(() => loadOrCreateKeys(file)).toThrow(/32 bytes em base64/)
    expect(() => prependKey(file)).toThrow(/32 bytes em base64/)
    expect(readFileSync(file, 'utf8')).toBe(text)
  }
  expect(existsSync(`${file}.nova`)).toBe(false)
})

it('gets a new first key and keeps the others', () => {
  const [first] = loadOrCreateKeys(file)
  prependKey(file)
  const [second, ...rest] = loadOrCreateKeys(file)
  expect(second).not.toEqual(first)
  expect(rest).toEqual([first])
  prependKey(file)
  expect(loadOrCreateKeys(file).slice(1)).toEqual([second, first])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('rejects concurrent rotations, and is not created by a rotation', () => {
  expect(() => prependKey(file)).toThrow(/ENOENT/)
  const keys = loadOrCreateKeys(file)
  writeFileSync(`${file}.nova`, '')
  expect(() => prependKey(file)).toThrow(/EEXIST/)
  expect(loadOrCreateKeys(file)).toEqual(keys)
})

it('has lower precedence than VIGIA_CHAVE; VIGIA_CHAVE_ANTERIOR comes last', () => {
  const [own, old] = [randomBytes(32), randomBytes(32)]
  const secret = (key: Buffer) => new Secret(key.toString('base64'))
  expect(secretKeys({ cloudDir: dir, chave: secret(own), chavesAnteriores: [secret(old)] })).toEqual([own, old])
  expect(existsSync(file)).toBe(false)
  const [made] = loadOrCreateKeys(file)
  prependKey(file)
  const keys = secretKeys({ cloudDir: dir, chave: null, chavesAnteriores: [secret(old)] })
  expect(keys.slice(1)).toEqual([made, old])
})
