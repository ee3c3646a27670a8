import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadOrCreateKey } from './key-file.ts'
import { createSecretBox, sealedKeyId } from './secret-box.ts'

const box = createSecretBox(randomBytes(32))

it('opens what it sealed, and seals the same text differently each time', () => {
  const sealed = box.seal('rtsp://ana:çenha@10.0.0.1/', 'cameras/rtsp_url/1')
  expect(sealed).not.toContain('ana')
  expect(sealed).not.toBe(box.seal('rtsp://ana:çenha@10.0.0.1/', 'cameras/rtsp_url/1'))
  expect(box.open(sealed, 'cameras/rtsp_url/1')).toBe('rtsp://ana:çenha@10.0.0.1/')
  expect(sealedKeyId(sealed)).toBe(box.keyId)
})

it('does not open for another purpose, with another key, or after a change', () => {
  const sealed = box.seal('segredo', 'a/1')
  expect(() => box.open(sealed, 'a/2')).toThrow()
  expect(() => createSecretBox(randomBytes(32)).open(sealed, 'a/1')).toThrow(/key/)
  const [version, key, body = ''] = sealed.split('.')
  for (let i = 0; i < body.length - 1; i += 1) {
    const changed = `${body.slice(0, i)}${body[i] === 'A' ? 'B' : 'A'}${body.slice(i + 1)}`
    expect(() => box.open(`${version}.${key}.${changed}`, 'a/1')).toThrow()
  }
  for (const odd of ['', 'v1', `v1.${key}.`, `v2.${key}.${body}`, 'texto puro'])
    expect(() => box.open(odd, 'a/1')).toThrow()
})

it('needs a whole key', () => {
  expect(() => createSecretBox(randomBytes(16))).toThrow(/32 bytes/)
})

describe('the key file', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'vigia-chave-'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  it('is made once, for its owner only, and read afterwards', () => {
    const file = join(dir, 'novo', 'chave')
    const key = loadOrCreateKey(file)
    expect(key).toHaveLength(32)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(dir, 'novo')).mode & 0o777).toBe(0o700)
    expect(loadOrCreateKey(file)).toEqual(key)
  })

  it('is never replaced when it holds something else', () => {
    const file = join(dir, 'chave')
    writeFileSync(file, 'estragada')
    chmodSync(file, 0o600)
    expect(() => loadOrCreateKey(file)).toThrow(/32-byte key/)
    expect(readFileSync(file, 'utf8')).toBe('estragada')
  })
})
