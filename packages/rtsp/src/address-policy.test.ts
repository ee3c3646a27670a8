import { afterEach, describe, expect, it } from 'vitest'
import { canonicalHost, judgeHost, parseAllowedCidrs, resolveAllowed } from './address-policy.ts'
import { type DnsServer, startDnsServer } from './testing/dns-server.ts'

const none = parseAllowedCidrs('')

/** Spellings of refused addresses and names, by the reason for the refusal. */
const refused = {
  loopback: [
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    ' 127.0.0.1 ',
    '2130706433',
    '2130706433.',
    '017700000001',
    '0x7f000001',
    '0X7F000001',
    '0x7f.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '0177.1',
    '00000177.0x0.00.01',
    '127.0x1',
    '127.000.000.001',
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '①②⑦.0.0.1',
    '𝟭𝟮𝟳.𝟬.𝟬.𝟭',
    '𝟶𝚡𝟽𝚏.𝟷',
    '1\u00ad27.0.0.1',
    '127.0.0.1\u200b',
    '127.0.0.1\u2060',
  ],
  'loopback, IPv6': [
    '::1',
    '[::1]',
    '::1%lo',
    '[::1%25lo]',
    '0:0:0:0:0:0:0:1',
    '0000:0000:0000:0000:0000:0000:0000:0001',
    '::0.0.0.1',
    '::0001',
  ],
  'inside IPv6': [
    '::ffff:127.0.0.1',
    '[::FFFF:127.0.0.1]',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:7f00:0001',
    '::ffff:169.254.169.254',
    '::ffff:0.0.0.0',
    '::ffff:255.255.255.255',
    '::ffff:224.0.0.1',
    '::127.0.0.1',
    '::7f00:1',
    '::ffff:0:127.0.0.1',
    '::ffff:0:7f00:1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::7f00:1',
    '64:ff9b:1::a00:5',
    '2002:7f00:1::',
    '2002:7f00:0001::1',
    '2002:a9fe:a9fe::1',
    '2002:0:0::1',
    '2001::a00:5:0:0:80ff:fffe',
    '2001:0:7f00:1::',
    '2001:db8::5efe:127.0.0.1',
    'fd00::200:5efe:7f00:1',
  ],
  'link-local': [
    '169.254.169.254',
    '169.254.0.1',
    '169.254.43518',
    '2852039166',
    '0xa9fea9fe',
    '0xA9.0xFE.0xA9.0xFE',
    '0251.0376.0251.0376',
    '１６９.２５４.１６９.２５４',
    'fe80::1',
    '[fe80::1]',
    'FE80::1',
    'fe80::1%eth0',
    'fe80::1%25eth0',
    '[fe80::1%br-lan]',
    'febf::1',
  ],
  unspecified: ['0.0.0.0', '0', '0.0', '00', '0x0', '0x', '000.0.0.0', '0.1.2.3', '::', '[::]', '0::0', '::0', '::2'],
  'multicast and broadcast': [
    '224.0.0.1',
    '239.255.255.250',
    '3758096385',
    '255.255.255.255',
    '4294967295',
    '0xffffffff',
    '255.0xffffff',
    'ff02::1',
    '[ff05::2%3]',
  ],
  'names of this machine': [
    'localhost',
    'LOCALHOST',
    'LocalHost.',
    'a.localhost',
    'a.b.LOCALHOST.',
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'local\u00adhost',
    'localhost.localdomain',
    'localhost6',
    'ip6-localhost',
    'ip6-loopback',
  ],
  'neither an address nor a name': [
    '',
    ' ',
    '.',
    '..',
    'a..b',
    '.a',
    'a..',
    '127.0.0.1..',
    '256.1.1.1',
    '1.2.3.4.5',
    '4294967296',
    '08.1.1.1',
    '10.0.0.08',
    'nvr.1',
    'nvr.0x7f',
    '1.2.3.4:554',
    'nvr:554',
    'a b',
    'a\tb',
    'a\r\nb',
    'a\0b',
    'a/b',
    'a\\b',
    'a?b',
    'a#b',
    'a%b',
    '%31%32%37.0.0.1',
    'u@127.0.0.1',
    'rtsp://10.0.0.5',
    '[10.0.0.5]',
    '[nvr]',
    '[fd00::5',
    'fd00::5]',
    'fd00:::5',
    'fd00::1::2',
    '::ffff:0177.0.0.1',
    '::ffff:127.1',
    '::ffff:0x7f.0.0.1',
    ':',
    '1:2',
    `${'a'.repeat(64)}.local`,
    `${'a.'.repeat(130)}b`,
    'nvr！.local',
  ],
}

describe('judgeHost', () => {
  for (const [group, hosts] of Object.entries(refused))
    it.each(hosts)(`${group}: %j`, (host) => {
      expect(judgeHost(host, none)).toEqual({ kind: 'recusado' })
    })

  it.each([
    ['10.0.0.5', '10.0.0.5'],
    ['192.168.1.108', '192.168.1.108'],
    ['172.16.3.4', '172.16.3.4'],
    ['100.64.0.9', '100.64.0.9'],
    ['200.147.3.1', '200.147.3.1'],
    ['126.255.255.255', '126.255.255.255'],
    ['128.0.0.1', '128.0.0.1'],
    ['169.253.255.255', '169.253.255.255'],
    ['169.255.0.0', '169.255.0.0'],
    ['223.255.255.255', '223.255.255.255'],
    ['1.0.0.0', '1.0.0.0'],
    ['010.0.0.5', '8.0.0.5'],
    ['10.5', '10.0.0.5'],
    ['167772165', '10.0.0.5'],
    ['10.0.0.5.', '10.0.0.5'],
    ['１０.０.０.５', '10.0.0.5'],
    ['fd00::5', 'fd00::5'],
    ['[FD00:0:0::0005]', 'fd00::5'],
    ['fd00::05', 'fd00::5'],
    ['fd00::5%eth0', 'fd00::5'],
    ['2804:14c::1', '2804:14c::1'],
    ['::ffff:10.0.0.5', '10.0.0.5'],
    ['64:ff9b::10.0.0.5', '64:ff9b::a00:5'],
    ['2002:c801:203::1', '2002:c801:203::1'],
    ['fec0::1', 'fec0::1'],
    ['fe7f::1', 'fe7f::1'],
  ])('address: %j', (host, address) => {
    expect(judgeHost(host, none)).toEqual({ kind: 'endereco', address })
  })

  it.each([
    ['nvr', 'nvr'],
    ['NVR-Portaria.local.', 'nvr-portaria.local'],
    ['dvr_1.empresa.com.br', 'dvr_1.empresa.com.br'],
    ['câmera.local', 'xn--cmera-3qa.local'],
    ['mylocalhost', 'mylocalhost'],
    ['localhost.com.br', 'localhost.com.br'],
    ['127.0.0.1.nip.io', '127.0.0.1.nip.io'],
    ['0x7f.example', '0x7f.example'],
    ['beef', 'beef'],
    ['1e9', '1e9'],
  ])('name: %j', (host, name) => {
    expect(judgeHost(host, none)).toEqual({ kind: 'nome', name })
  })

  it('accepts the networks of VIGIA_SONDAGEM_PERMITIR in every spelling, and no others', () => {
    const allowed = parseAllowedCidrs('127.0.0.0/8, ::1')
    for (const host of ['127.0.0.1', '127.1', '0x7f000001', '::ffff:127.0.0.1'])
      expect(judgeHost(host, allowed)).toEqual({ kind: 'endereco', address: '127.0.0.1' })
    expect(judgeHost('64:ff9b::7f00:1', allowed)).toEqual({ kind: 'recusado' })
    expect(judgeHost('[::1%lo]', allowed)).toEqual({ kind: 'endereco', address: '::1' })
    expect(judgeHost('localhost.', allowed)).toEqual({ kind: 'nome', name: 'localhost' })
    for (const host of ['169.254.169.254', '0.0.0.0', '::', 'fe80::1', '224.0.0.1'])
      expect(judgeHost(host, allowed)).toEqual({ kind: 'recusado' })
    const link = parseAllowedCidrs('fe80::/10')
    expect(judgeHost('[fe80::1%br-lan]', link)).toEqual({ kind: 'endereco', address: 'fe80::1%br-lan' })
    expect(judgeHost('localhost', link)).toEqual({ kind: 'recusado' })
  })
})

describe('parseAllowedCidrs', () => {
  it('reads commas, blanks, single addresses and an empty list', () => {
    for (const text of ['', ' ', ',,']) expect(parseAllowedCidrs(text)).toEqual([])
    expect(parseAllowedCidrs('127.0.0.1 10.0.0.0/8,fd00::/8\n::1')).toHaveLength(4)
  })

  it.each([
    'x',
    '127.0.0.1/33',
    '127.0.0.1/',
    '127.1/8',
    '10/8',
    '::1/129',
    'localhost',
    '0x7f.0.0.0/8',
    '10.0.0.0/-1',
  ])('refuses %j', (text) => {
    expect(() => parseAllowedCidrs(`10.0.0.0/8,${text}`)).toThrow(RangeError)
    expect(() => parseAllowedCidrs(text)).toThrow(text)
  })
})

describe('canonicalHost', () => {
  it.each([
    ['NVR.Local.', 'nvr.local'],
    ['10.0.0.5.', '10.0.0.5'],
    ['0xa.5', '10.0.0.5'],
    ['[FD00::0:5]', 'fd00::5'],
    ['::ffff:10.0.0.5', '10.0.0.5'],
    ['127.1', '127.0.0.1'],
    ['Não é um nome', 'não é um nome'],
  ])('%j', (host, expected) => {
    expect(canonicalHost(host)).toBe(expected)
    expect(canonicalHost(expected)).toBe(expected)
  })
})

describe('resolveAllowed', () => {
  let dns: DnsServer | null = null
  afterEach(() => {
    dns?.close()
    dns = null
  })
  const resolving = async (answers: readonly string[] | null, allowed = none) => {
    dns = await startDnsServer(() => answers)
    return await resolveAllowed('NVR.example.', allowed, dns.lookup)
  }

  it('returns all addresses of a name from one query', async () => {
    expect(await resolving(['10.0.0.5', '192.168.0.9', '10.0.0.5'])).toEqual({
      ok: true,
      addresses: ['10.0.0.5', '192.168.0.9'],
    })
    expect(dns?.asked).toEqual(['nvr.example'])
  })

  it.each([
    [['127.0.0.1']],
    [['169.254.169.254']],
    [['0.0.0.0']],
    [['10.0.0.5', '127.0.0.1']],
    [['127.0.0.1', '10.0.0.5']],
  ])('refuses a name that resolves to %j', async (answers) => {
    expect(await resolving(answers)).toEqual({ ok: false, falha: 'endereco_recusado' })
  })

  it('accepts a name of the allowed networks only', async () => {
    const allowed = parseAllowedCidrs('127.0.0.0/8')
    expect(await resolving(['127.0.0.7', '10.0.0.5'], allowed)).toEqual({
      ok: true,
      addresses: ['127.0.0.7', '10.0.0.5'],
    })
    dns?.close()
    expect(await resolving(['127.0.0.7', '0.0.0.0'], allowed)).toMatchObject({ falha: 'endereco_recusado' })
  })

  it('reports a name that does not exist or has no address', async () => {
    expect(await resolving(null)).toEqual({ ok: false, falha: 'nome_nao_resolvido' })
    dns?.close()
    expect(await resolving([])).toEqual({ ok: false, falha: 'nome_nao_resolvido' })
  })

  it('checks IPv6 answers too, and answers that are not addresses', async () => {
    const answering = (address: string) => resolveAllowed('nvr', none, async () => [address])
    for (const address of ['::1', 'fe80::1%2', '::ffff:127.0.0.1', 'outro.nome', ''])
      expect(await answering(address)).toEqual({ ok: false, falha: 'endereco_recusado' })
    expect(await answering('::ffff:10.0.0.5')).toEqual({ ok: true, addresses: ['10.0.0.5'] })
  })

  it('resolves neither addresses nor refused hosts, and passes on a defect of the resolver', async () => {
    const broken = async () => {
      throw new TypeError('defect')
    }
    expect(await resolveAllowed('10.5', none, broken)).toEqual({ ok: true, addresses: ['10.0.0.5'] })
    expect(await resolveAllowed('localhost', none, broken)).toMatchObject({ falha: 'endereco_recusado' })
    await expect(resolveAllowed('nvr', none, broken)).rejects.toThrow('defect')
  })

  it('reads the names in the hosts file', async () => {
    const allowed = parseAllowedCidrs('127.0.0.0/8 ::1')
    const resolved = await resolveAllowed('localhost', allowed)
    expect(resolved).toMatchObject({ ok: true })
  })
})
