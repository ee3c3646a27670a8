import { BlockList } from 'node:net'
import { expect, it } from 'vitest'
import { clientAddress, requestHost } from './client-address.ts'

const trusted = new BlockList()
trusted.addSubnet('127.0.0.0', 8)
trusted.addSubnet('10.0.0.0', 8)

const seen = (peer: string, headers: Record<string, string> = {}) =>
  clientAddress(peer, false, (name) => headers[name], trusted)

it('is the peer, in its plain form', () => {
  expect(seen('203.0.113.5')).toEqual({ remoteAddress: '203.0.113.5', https: false })
  expect(seen('::ffff:203.0.113.5').remoteAddress).toBe('203.0.113.5')
  expect(seen('fe80::1%eth0').remoteAddress).toBe('fe80::1')
})

it('does not believe the headers of a stranger', () => {
  const headers = { 'x-forwarded-for': '198.51.100.1', 'x-forwarded-proto': 'https' }
  expect(seen('203.0.113.5', headers)).toEqual({ remoteAddress: '203.0.113.5', https: false })
})

it('believes a trusted proxy, as far as the first address it does not know', () => {
  const headers = { 'x-forwarded-for': '1.1.1.1, 198.51.100.1, 10.0.0.2', 'x-forwarded-proto': 'https' }
  expect(seen('::ffff:127.0.0.1', headers)).toEqual({ remoteAddress: '198.51.100.1', https: true })
  expect(seen('127.0.0.1', { 'x-forwarded-for': 'lixo' }).remoteAddress).toBe('127.0.0.1')
  expect(seen('127.0.0.1').remoteAddress).toBe('127.0.0.1')
})

it('takes the scheme that the nearest proxy saw', () => {
  expect(seen('127.0.0.1', { 'x-forwarded-proto': 'https, http' }).https).toBe(false)
})

it('lets no client choose its own address behind a proxy that adds the one it sees', () => {
  const through = (spoofed: string) => seen('127.0.0.1', { 'x-forwarded-for': `${spoofed}, 203.0.113.9` }).remoteAddress
  for (const spoofed of ['1.1.1.1', '10.0.0.1', '127.0.0.1', '::1', 'lixo', '', '203.0.113.8, 10.1.1.1'])
    expect([spoofed, through(spoofed)]).toEqual([spoofed, '203.0.113.9'])
})

it('reads an address to which the proxy added the port', () => {
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
