import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect, it } from 'vitest'
import { isReleaseKey, newPrivateKey, publicKeyFile, signFile } from './minisign.ts'

/** Checks a signature file by the description of the format, https://jedisct1.github.io/minisign, "Signature". */
function verifies(publicKey: string, data: string, signatureFile: string): boolean {
  const key = Buffer.from(publicKey.split('\n')[1] ?? '', 'base64')
  const [, first = '', trusted = '', last = ''] = signatureFile.split('\n')
  const signature = Buffer.from(first, 'base64')
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.subarray(10)])
  const ed25519 = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  const comment = Buffer.from(trusted.replace(/^trusted comment: /, ''))
  const hash = createHash('blake2b512').update(data).digest()
  return (
    key.toString('latin1', 0, 2) === 'Ed' &&
    signature.toString('latin1', 0, 2) === 'ED' &&
    signature.subarray(2, 10).equals(key.subarray(2, 10)) &&
    verify(null, hash, ed25519, signature.subarray(10)) &&
    verify(null, Buffer.concat([signature.subarray(10), comment]), ed25519, Buffer.from(last, 'base64'))
  )
}

it('the check of these tests accepts a signature that minisign 0.11 made', () => {
  const publicKey = 'untrusted comment: minisign public key\nRWQsC/KUVL4ZEZZP4ghKAMP0bCxaXujaIrSCJEK1YaubNjr5xOK4aWPc\n'
  const signature = [
    'untrusted comment: signature from minisign secret key',
    'RUQsC/KUVL4ZESXpUwIb77X5vARx+eZ5jm4cKC4wejubiJ7vkbX4QMSUlmpf12gKbBMyIb7KhQ19aXCFR1xACWEY4aA9O99UswE=',
    'trusted comment: vigia 0.1.0',
    'hh2d/d1LmHqnRhphmDxqPaoaeAV3JpLB+XJ+PI6egPT1UbtBfA+ljea6iiCakHhvEF44iftDmrLBUfb7ldM7Dg==',
  ].join('\n')
  expect(verifies(publicKey, 'vigia\n', signature)).toBe(true)
  expect(verifies(publicKey, 'vigia', signature)).toBe(false)
})

it('signs data and comment', () => {
  const pem = newPrivateKey()
  const signature = signFile(pem, Buffer.from('dados'), 'vigia 0.1.0')
  const publicKey = publicKeyFile(pem)
  expect(verifies(publicKey, 'dados', signature)).toBe(true)
  expect(verifies(publicKey, 'outros', signature)).toBe(false)
  expect(verifies(publicKey, 'dados', signature.replace('0.1.0', '0.1.1'))).toBe(false)
  expect(verifies(publicKeyFile(newPrivateKey()), 'dados', signature)).toBe(false)
})

it('knows a key of another kind, and what is no key', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  expect([newPrivateKey(), pem, ''].map(isReleaseKey)).toEqual([true, false, false])
})
