import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { createSecretBox, sealedKeyId } from './secret-box.ts'

const box = createSecretBox(randomBytes(32))

it('decrypts its own values, and encrypts the same text differently each time', () => {
  const sealed = box.seal('rtsp://ana:çenha@10.0.0.1/', 'cameras/rtsp_url/1')
  expect(sealed).not.toContain('ana')
  expect(sealed).not.toBe(box.seal('rtsp://ana:çenha@10.0.0.1/', 'cameras/rtsp_url/1'))
  expect(box.open(sealed, 'cameras/rtsp_url/1')).toBe('rtsp://ana:çenha@10.0.0.1/')
  expect(sealedKeyId(sealed)).toBe(box.keyId)
})

it('does not decrypt for another purpose, with another key, or after a change', () => {
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

it('decrypts values of an earlier key, and encrypts with the key in use', () => {
  const [now, before, other] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const old = createSecretBox(before).seal('segredo', 'a/1')
  const both = createSecretBox(now, [other, before])
  expect(both.open(old, 'a/1')).toBe('segredo')
  expect(both.holdsKeyOf(old)).toBe(true)
  expect(createSecretBox(now).open(both.seal('novo', 'a/1'), 'a/1')).toBe('novo')
  expect(createSecretBox(now, [other]).holdsKeyOf(old)).toBe(false)
  expect(both.holdsKeyOf('texto puro')).toBe(false)
})

it('requires a key of 32 bytes', () => {
  expect(() => createSecretBox(randomBytes(16))).toThrow(/32 bytes/)
  expect(() => createSecretBox(randomBytes(32), [randomBytes(31)])).toThrow(/32 bytes/)
})
