import { VigiaError } from '@vigia/contracts/errors'
import { fabricantes, GENERICO, nomesFabricantes } from '@vigia/contracts/fabricantes'
import { describe, expect, it } from 'vitest'
import { credentialPositions, hasChannels, matchStreamPath, streamUrl, templatesOf } from './maker-urls.ts'

const at = { host: '10.0.0.9', porta: 554, usuario: 'admin', senha: 'segredo', canal: 3 }
const oddPasswords = [
  'a@b',
  'a:b',
  'a/b',
  'a#b',
  'a%b',
  '50%',
  'a&channel=9&b',
  'a=b',
  'a b',
  'maçã',
  "!'()*",
  '_channel=9_',
  '日本',
]
/** Request target sent by a client: the URL without scheme, userinfo and authority. */
const target = (url: string) => url.replace(/^rtsp:\/\/[^/]*/, '')

describe('streamUrl', () => {
  it.each([
    ['intelbras', 'principal', 'rtsp://admin:segredo@10.0.0.9:554/cam/realmonitor?channel=3&subtype=0'],
    ['dahua', 'sub', 'rtsp://admin:segredo@10.0.0.9:554/cam/realmonitor?channel=3&subtype=1'],
    ['hikvision', 'principal', 'rtsp://admin:segredo@10.0.0.9:554/Streaming/Channels/301'],
    ['jfl', 'sub', 'rtsp://admin:segredo@10.0.0.9:554/Streaming/Channels/302'],
    ['hikvision_antigo', 'sub', 'rtsp://admin:segredo@10.0.0.9:554/h264/ch3/sub/av_stream'],
    ['giga', 'sub', 'rtsp://10.0.0.9:554/user=admin&password=segredo&channel=3&stream=1.sdp?real_stream'],
    ['xm', 'principal', 'rtsp://10.0.0.9:554/user=admin_password=segredo_channel=3_stream=0.sdp'],
    ['tecvoz_tw', 'sub', 'rtsp://admin:segredo@10.0.0.9:554/chID=3&streamType=sub&linkType=tcp'],
    ['reolink', 'principal', 'rtsp://admin:segredo@10.0.0.9:554/h264Preview_03_main'],
    ['uniview', 'sub', 'rtsp://admin:segredo@10.0.0.9:554/unicast/c3/s1/live'],
    ['tplink', 'sub', 'rtsp://admin:segredo@10.0.0.9:554/stream2'],
  ] as const)('%s %s', (fabricante, stream, expected) => {
    expect(streamUrl(fabricantes[fabricante][stream], at)).toBe(expected)
  })

  it.each(oddPasswords)('writes the password %j so that a parser reads it back', (senha) => {
    const url = new URL(streamUrl(fabricantes.intelbras.principal, { ...at, senha }))
    expect(decodeURIComponent(url.password)).toBe(senha)
    expect(url.host).toBe('10.0.0.9:554')
    expect(url.search).toBe('?channel=3&subtype=0')
  })

  it('writes IPv6 hosts in brackets, given with or without them', () => {
    const expected = 'rtsp://admin:segredo@[fd00::5]:554/stream1'
    expect(streamUrl(fabricantes.tplink.principal, { ...at, host: 'fd00::5' })).toBe(expected)
    expect(streamUrl(fabricantes.tplink.principal, { ...at, host: '[fd00::5]' })).toBe(expected)
  })

  it('omits the credentials without a user', () => {
    expect(streamUrl(fabricantes.tplink.sub, { ...at, usuario: '', senha: '' })).toBe('rtsp://10.0.0.9:554/stream2')
  })

  it.each(['10.0.0.1/x', 'a@b', 'a b', '', 'a\r\nb', 'host:554', 'a?b', 'a#b'])('refuses the host %j', (host) => {
    expect(() => streamUrl(fabricantes.hikvision.principal, { ...at, host })).toThrow(VigiaError)
  })
})

describe('own forms (generico)', () => {
  const own = (url_template: string | null, sub_url_template: string | null = null) => ({
    url_template,
    sub_url_template,
  })

  it('come from the recorder for GENERICO, and from the catalogue for every other maker', () => {
    const given = own('{base}/ch{channel}', '{base}/ch{channel}/sub')
    expect(templatesOf(GENERICO, given)).toEqual({ principal: '{base}/ch{channel}', sub: '{base}/ch{channel}/sub' })
    expect(templatesOf(GENERICO, own('{base}/x'))).toEqual({ principal: '{base}/x', sub: null })
    expect(templatesOf('reolink', given)).toMatchObject({ principal: fabricantes.reolink.principal })
    expect(() => templatesOf(GENERICO, own(null))).toThrow(VigiaError)
  })

  it.each([
    ['{base}/ch{channel}', 'rtsp://ad%40min:a%26b@10.0.0.9:5554/ch3'],
    ['{base}/ch{channel:02}/{channel}', 'rtsp://ad%40min:a%26b@10.0.0.9:5554/ch03/3'],
    ['{base}', 'rtsp://ad%40min:a%26b@10.0.0.9:5554'],
    ['rtsp://{host}:{port}/live', 'rtsp://10.0.0.9:5554/live'],
    ['rtsp://{host}/live', 'rtsp://10.0.0.9/live'],
    ['rtsps://{user}:{pass}@{host}:{port}/live', 'rtsps://ad%40min:a%26b@10.0.0.9:5554/live'],
    ['rtsp://{user}@{host}:{port}/?p={pass}', 'rtsp://ad%40min@10.0.0.9:5554/?p=a%26b'],
    ['rtsp://{host}:{port}/{user}_password={pass}_x', 'rtsp://10.0.0.9:5554/ad%40min_password=a%26b_x'],
    ['{base}/{nada}{channel:03}', 'rtsp://ad%40min:a%26b@10.0.0.9:5554/{nada}{channel:03}'],
  ])('%s', (template, expected) => {
    expect(streamUrl(template, { ...at, porta: 5554, usuario: 'ad@min', senha: 'a&b' })).toBe(expected)
  })

  it.each(['{base}/x', 'rtsp://{user}:{pass}@{host}:{port}/x', 'rtsp://{user}@{host}:{port}/x'])(
    'contain no delimiters of credentials in %s without a user',
    (template) => {
      expect(streamUrl(template, { ...at, usuario: '', senha: '' })).toBe('rtsp://10.0.0.9:554/x')
    },
  )

  it('insert a password with replacement patterns or placeholders as text', () => {
    const url = streamUrl('rtsp://{host}:{port}/p={pass}&c={channel}', { ...at, senha: '$&{channel}{host}' })
    expect(url).toBe('rtsp://10.0.0.9:554/p=%24%26%7Bchannel%7D%7Bhost%7D&c=3')
  })

  it('keep an unknown placeholder, also with the name of an inherited property', () => {
    expect(streamUrl('rtsp://{host}/{constructor}/{nada}', at)).toBe('rtsp://10.0.0.9/{constructor}/{nada}')
  })

  it.each([
    ['{base}/x', true, false],
    ['rtsp://{user}:{pass}@{host}:{port}/x', true, false],
    ['rtsps://{user}@{host}?p={pass}', true, true],
    ['rtsp://{host}:{port}/p={pass}', false, true],
    ['rtsp://{host}:{port}/x@y', false, false],
    [fabricantes.giga.principal, false, true],
    [fabricantes.xm.sub, false, true],
  ])('state where they contain the credentials: %s', (template, userinfo, path) => {
    expect(credentialPositions(template)).toEqual({ userinfo, path })
  })

  it('state whether they distinguish channels', () => {
    expect(nomesFabricantes.filter((nome) => !hasChannels(fabricantes[nome].principal))).toEqual(['positivo', 'tplink'])
    expect(hasChannels('{base}/{channel:02}')).toBe(true)
  })
})

describe('matchStreamPath', () => {
  it.each(nomesFabricantes)('inverts streamUrl for %s', (fabricante) => {
    const single = fabricante === 'tplink' || fabricante === 'positivo'
    for (const canal of single ? [1] : [1, 3, 16, 128])
      for (const stream of ['principal', 'sub'] as const)
        expect(matchStreamPath(target(streamUrl(fabricantes[fabricante][stream], { ...at, canal })))).toMatchObject({
          canal,
          stream,
        })
  })

  it.each(['giga', 'xm'] as const)('reads the credentials of the %s form', (fabricante) => {
    for (const senha of oddPasswords)
      expect(matchStreamPath(target(streamUrl(fabricantes[fabricante].sub, { ...at, senha })))).toMatchObject({
        fabricante,
        canal: 3,
        stream: 'sub',
        usuario: 'admin',
        senha,
      })
  })

  it('reads raw characters in the XM forms, as some clients send them', () => {
    expect(matchStreamPath('/user=admin&password=p@ss%&channel=2&stream=0.sdp')).toMatchObject({
      canal: 2,
      senha: 'p@ss%',
    })
    expect(matchStreamPath('/user=admin_password=p_q_channel=2_stream=1.sdp?x')).toMatchObject({
      canal: 2,
      senha: 'p_q',
    })
  })

  it('ignores other parameters, case and a final slash', () => {
    expect(matchStreamPath('/cam/realmonitor?channel=2&subtype=1&unicast=true&proto=Onvif')).toMatchObject({ canal: 2 })
    expect(matchStreamPath('/streaming/channels/1002')).toMatchObject({ canal: 10, stream: 'sub' })
    expect(matchStreamPath('/?chID=4&streamType=main&linkType=tcp')).toMatchObject({ canal: 4, stream: 'principal' })
    expect(matchStreamPath('/stream2/')).toMatchObject({ canal: 1, stream: 'sub' })
  })

  it.each([
    '',
    '/',
    '/live',
    '/cam/realmonitor',
    '/cam/realmonitor?channel=0&subtype=0',
    '/cam/realmonitor?channel=1&subtype=7',
    '/Streaming/Channels/103',
    '/Streaming/Channels/99999901',
    '/stream1x',
    `/user=${'a'.repeat(5000)}&password=b&channel=1&stream=0.sdp`,
    '\0\r\n',
  ])('finds no stream at %j', (path) => {
    expect(matchStreamPath(path)).toBeNull()
  })
})
