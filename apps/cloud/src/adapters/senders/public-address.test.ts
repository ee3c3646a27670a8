import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { type DnsServer, startDnsServer } from '@vigia/rtsp/testing/dns-server'
import { afterEach, describe, expect, it } from 'vitest'
import { isNeverPublic, resolvePublic } from './public-address.ts'

const none = parseAllowedCidrs('')
/** Host as the URL parser returns it; null: an invalid URL, which the validation of the canal rejects. */
const hostOf = (host: string) => URL.parse(`http://${host}/`)?.hostname ?? null

let dns: DnsServer | undefined
afterEach(() => {
  dns?.close()
  dns = undefined
})

// No name is resolved here, because these texts are addresses.
const nobody = () => Promise.reject(new Error('looked up'))

describe('an address', () => {
  it.each([
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.10', // private
    '127.0.0.1',
    '127.1',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '0x7f.1',
    '0x7f000001',
    '１２７.0.0.1',
    '127.0.0.1.', // loopback
    '169.254.169.254',
    '2852039166', // link-local
    '100.64.0.1',
    '0.0.0.0',
    '0',
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1', // CGNAT, unspecified, multicast, broadcast, reserved
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[::127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[fe80::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[100::1]',
    '[5f00::1]',
    '[4000::1]',
    '[2001:db8::1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::808:808]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2002:808:808::1]',
    '[2001::1]',
    '[3fff::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'ip6-localhost',
  ])('%s', async (typed) => {
    const host = hostOf(typed)
    expect(host).not.toBeNull()
    expect(await resolvePublic(host ?? '', none, nobody)).toEqual({ ok: false, falha: 'endereco_recusado' })
    expect(isNeverPublic(host ?? '', none)).toBe(true)
  })

  it.each(['8.8.8.8', '172.32.0.1', '192.167.1.1', '100.128.0.1', '[2606:4700::1]'])('%s is public', async (typed) => {
    expect(await resolvePublic(hostOf(typed) ?? '', none, nobody)).toMatchObject({ ok: true })
    expect(isNeverPublic(hostOf(typed) ?? '', none)).toBe(false)
  })

  it('is accepted if its network is in VIGIA_WEBHOOK_PERMITIR', async () => {
    const allowed = parseAllowedCidrs('127.0.0.0/8, fd00::/8')
    for (const host of ['127.9.9.9', '[::ffff:127.9.9.9]', '2130706433', '[fd00::1]'])
      expect([await resolvePublic(hostOf(host) ?? '', allowed, nobody), isNeverPublic(host, allowed)]).toMatchObject([
        { ok: true },
        false,
      ])
    for (const host of ['10.0.0.1', '[::1]', '[fc00::1]'])
      expect([await resolvePublic(hostOf(host) ?? '', allowed, nobody), isNeverPublic(host, allowed)]).toMatchObject([
        { ok: false },
        true,
      ])
  })
})

describe('a name', () => {
  const resolve = async (answers: readonly string[] | null, allowed = none) => {
    dns = await startDnsServer(() => answers)
    return await resolvePublic('gancho.example', allowed, dns.lookup)
  }

  it('is public only if all of its addresses are', async () => {
    expect(await resolve(['8.8.8.8', '1.1.1.1'])).toEqual({ ok: true, addresses: ['8.8.8.8', '1.1.1.1'] })
    expect(await resolve(['8.8.8.8', '10.0.0.1'])).toEqual({ ok: false, falha: 'endereco_recusado' })
    expect(await resolve(['127.0.0.1'], parseAllowedCidrs('127.0.0.1'))).toMatchObject({ ok: true })
  })

  it('of a private network is refused without resolution unless a network is allowed', () => {
    const allowed = parseAllowedCidrs('10.0.0.0/8')
    for (const host of ['nvr.local', 'metadata.google.internal', 'INTERNAL.', 'casa.home.arpa'])
      expect([host, isNeverPublic(host, none), isNeverPublic(host, allowed)]).toEqual([host, true, false])
    for (const host of ['localhost', 'a.localhost'])
      expect([isNeverPublic(host, allowed), isNeverPublic(host, parseAllowedCidrs('127.0.0.0/8'))]).toEqual([
        true,
        false,
      ])
    for (const host of ['exemplo.com.br', 'local.exemplo.com.br', 'receptor', 'internal-api.com'])
      expect([host, isNeverPublic(host, none)]).toEqual([host, false])
  })

  it('without an address gives another error than a refused one', async () => {
    expect(await resolve(null)).toEqual({ ok: false, falha: 'nome_nao_resolvido' })
  })
})
