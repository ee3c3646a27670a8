import { BlockList } from 'node:net'
import { expect, it } from 'vitest'
import { clientAddress, requestHost } from './client-address.ts'

const trusted = new BlockList()
trusted.addSubnet('127.0.0.0', 8)
trusted.addSubnet('10.0.0.0', 8)

const seen = (peer: string, headers: Record<string, string> = {}) =>
  clientAddress(peer, false, (name) => headers[name], trusted)

it('is the peer address, in its plain form', () => {
  expect(seen('203.0.113.5')).toEqual({ remoteAddress: '203.0.113.5', https: false })
  expect(seen('::ffff:203.0.113.5').remoteAddress).toBe('203.0.113.5')
  expect(seen('fe80::1%eth0').remoteAddress).toBe('fe80::1')
})

it('ignores the headers of an untrusted peer', () => {
  const headers = { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-proto': 'https' }
  expect(seen('203.0.113.5', headers)).toEqual({ remoteAddress: '203.0.113.5', https: false })
})

it('is the last untrusted address that trusted proxies forwarded', () => {
  const headers = { 'x-forwarded-for': '1.1.1.1, 198.51.100.1, 10.0.0.2', 'x-forwarded-proto': 'https' }
  expect(seen('::ffff:127.0.0.1', headers)).toEqual({ remoteAddress: '198.51.100.1', https: true })
  expect(seen('127.0.0.1', { 'x-forwarded-for': 'lixo' }).remoteAddress).toBe('127.0.0.1')
  expect(seen('127.0.0.1').remoteAddress).toBe('127.0.0.1')
})

it('takes the scheme that the nearest proxy reports', () => {
  expect(seen('127.0.0.1', { 'x-forwarded-proto': 'https, http' }).https).toBe(false)
})

it('cannot be chosen by the client behind a proxy that appends the real one', () => {
  const through = (spoofed: string) => seen('127.0.0.1', { 'x-forwarded-for': `${spoofed}, 203.0.113.9` }).remoteAddress
  for (const spoofed of ['1.1.1.1', '10.0.0.1', '127.0.0.1', '::1', 'lixo', '', '203.0.113.8, 10.1.1.1'])
    expect([spoofed, through(spoofed)]).toEqual([spoofed, '203.0.113.9'])
})

it('accepts an address with the port that a proxy added', () => {
  expect(seen('127.0.0.1', { 'x-forwarded-for': '203.0.113.9:4711' }).remoteAddress).toBe('203.0.113.9')
  expect(seen('127.0.0.1', { 'x-forwarded-for': '[2001:db8::1]:4711' }).remoteAddress).toBe('2001:db8::1')
  expect(seen('127.0.0.1', { 'x-forwarded-for': '[2001:db8::1]' }).remoteAddress).toBe('2001:db8::1')
})

it.each([
  ['cameras.exemplo.com.br', 'cameras.exemplo.com.br'],
  ['Cameras.Exemplo.com.br.:8443', 'cameras.exemplo.com.br'],
  ['127.0.0.1:8080', '127.0.0.1'],
  ['[::1]:8080', '[::1]'],
  ['a@b', ''],
  ['a/b', ''],
  ['a b', ''],
  ['a..b', ''],
  ['', ''],
])('the host of "%s" is "%s"', (host, expected) => {
  expect(requestHost((name) => (name === 'host' ? host : 'de.outro.example'))).toBe(expected)
})
