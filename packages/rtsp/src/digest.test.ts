import { describe, expect, it } from 'vitest'
import { parseAuthHeader } from './auth-header.ts'
import { respond, type VerifyOptions, verify } from './digest.ts'

const responseOf = (header: string | null) => parseAuthHeader(header ?? '')[0]?.params.get('response')

describe('respond', () => {
  const rfc7616 = (algorithm: string) =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
    'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
  const request = { method: 'GET', uri: '/dir/index.html' }
  const mufasa = { usuario: 'Mufasa', senha: 'Circle of Life' }
  const use = { nonceCount: 1, cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ' }

  it('computes the answers of RFC 7616 3.9.1', () => {
    expect(responseOf(respond([rfc7616('MD5')], mufasa, request, use))).toBe('8ca523f5e9506fed4657c9700eebdbec')
    const sha = '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'
    expect(responseOf(respond([rfc7616('SHA-256')], mufasa, request, use))).toBe(sha)
  })

  it('computes the answers of RFC 2617 3.5 and RFC 2069 2.4 (as corrected)', () => {
    const realm = 'realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"'
    const circle = { usuario: 'Mufasa', senha: 'Circle Of Life' }
    expect(
      responseOf(respond([`Digest ${realm}, qop="auth"`], circle, request, { nonceCount: 1, cnonce: '0a4f113b' })),
    ).toBe('6629fae49393a05397450978507c4ef1')
    expect(responseOf(respond([`Digest ${realm}`], { usuario: 'Mufasa', senha: 'CircleOfLife' }, request, use))).toBe(
      '1949323746fe6a43ef61f9606e7febea',
    )
  })

  it('answers the strongest challenge, in one header or in several', () => {
    const [md5, sha] = ['Digest realm="a", nonce="1", algorithm=MD5', 'Digest realm="a", nonce="2", algorithm=SHA-256']
    expect(respond([md5, sha, 'Basic realm="a"'], mufasa, request, use)).toContain('algorithm=SHA-256')
    expect(respond([`Basic realm="a", ${md5}, ${sha}`], mufasa, request, use)).toContain('algorithm=SHA-256')
    expect(respond(['Basic realm="a"', md5], mufasa, request, use)).toContain('algorithm=MD5')
    expect(respond(['Basic realm="a"'], mufasa, request, use)).toBe('Basic TXVmYXNhOkNpcmNsZSBvZiBMaWZl')
  })

  it.each([
    '',
    'Bearer',
    'Digest',
    'Digest realm="a", nonce="1", algorithm=FOO',
    'Digest realm="a", nonce="1", qop="auth-int"',
  ])('has no answer to %j', (challenge) => {
    expect(respond([challenge], mufasa, request, use)).toBeNull()
  })
})

describe('verify', () => {
  const request = { method: 'DESCRIBE', uri: 'rtsp://10.0.0.9:554/cam/realmonitor?channel=1&subtype=0' }
  const options: VerifyOptions = {
    usuario: 'admin',
    senha: 'segredo',
    realm: 'Login to "NVR", Rio de Janeiro',
    scheme: 'MD5',
    nonceIs: (nonce) => (nonce === 'n1' ? 'valid' : nonce === 'velho' ? 'stale' : 'unknown'),
  }
  const realm = 'realm="Login to \\"NVR\\", Rio de Janeiro"'
  const use = { nonceCount: 1, cnonce: 'c' }

  it.each(['segredo', '@:/#%&= ç', '"aspas" e \\barra\\', 'maçã', '日本', ''])(
    'accepts the answer of respond for the password %j',
    (senha) => {
      for (const scheme of ['MD5', 'SHA-256'] as const)
        for (const suffix of ['', '-sess'])
          for (const qop of ['', ', qop="auth"']) {
            const challenge = `Digest ${realm}, nonce="n1", algorithm=${scheme}${suffix}${qop}`
            const credentials = { usuario: 'ad"mín', senha }
            const header = respond([challenge], credentials, request, use) ?? ''
            const server = { ...options, ...credentials, scheme }
            expect(verify(header, request, server)).toBe('ok')
            expect(verify(header, request, { ...server, senha: `${senha}x` })).toBe('wrong')
            expect(verify(header, request, { ...server, usuario: 'outro' })).toBe('wrong')
            expect(verify(header, { ...request, method: 'PLAY' }, server)).toBe('wrong')
            expect(verify(header, { ...request, uri: `${request.uri}x` }, server)).toBe('wrong')
          }
      const basic = respond(['Basic realm="x"'], { usuario: 'admin', senha }, request, use) ?? ''
      expect(verify(basic, request, { ...options, senha, scheme: 'basic' })).toBe('ok')
      expect(verify(basic, request, { ...options, senha: `${senha}x`, scheme: 'basic' })).toBe('wrong')
    },
  )

  it('distinguishes an expired nonce from a wrong password', () => {
    const header = respond([`Digest ${realm}, nonce="velho"`], options, request, use) ?? ''
    expect(verify(header, request, options)).toBe('stale')
    expect(verify(header, request, { ...options, senha: 'outra' })).toBe('wrong')
    const foreign = respond([`Digest ${realm}, nonce="alheio"`], options, request, use) ?? ''
    expect(verify(foreign, request, options)).toBe('wrong')
  })

  it('accepts a client that hashes only the path', () => {
    const path = { ...request, uri: '/cam/realmonitor?channel=1&subtype=0' }
    expect(verify(respond([`Digest ${realm}, nonce="n1"`], options, path, use) ?? '', request, options)).toBe('ok')
  })

  it('accepts only the requested scheme', () => {
    const sha = respond([`Digest ${realm}, nonce="n1", algorithm=SHA-256`], options, request, use) ?? ''
    expect(verify(sha, request, options)).toBe('wrong')
    const basic = respond(['Basic realm="x"'], options, request, use) ?? ''
    expect(verify(basic, request, options)).toBe('wrong')
    expect(verify(sha, request, { ...options, scheme: 'basic' })).toBe('wrong')
  })

  it('refuses malformed values', () => {
    expect(verify(undefined, request, options)).toBe('absent')
    expect(verify('', request, options)).toBe('absent')
    for (const header of [
      'Digest',
      'Basic',
      'Basic x',
      'Digest a=b, ,,',
      'Digest nonce="n1',
      `Digest ${'a=1,'.repeat(9999)}`,
      '\0',
      'Digest username="admin", realm=, nonce=n1',
    ])
      expect(verify(header, request, options)).not.toBe('ok')
  })
})

describe('parseAuthHeader', () => {
  it('reads quoted strings with commas, quotes and blanks, and plain values', () => {
    const [header] = parseAuthHeader('Digest realm="a, \\"b\\" c", nonce = "x=" ,stale=FALSE,algorithm=MD5')
    expect(header?.scheme).toBe('digest')
    expect(Object.fromEntries(header?.params ?? [])).toEqual({
      realm: 'a, "b" c',
      nonce: 'x=',
      stale: 'FALSE',
      algorithm: 'MD5',
    })
  })

  it('separates several challenges', () => {
    const headers = parseAuthHeader('Basic realm="a", Digest realm="b", nonce="n"')
    expect(headers.map(({ scheme, params }) => [scheme, params.get('realm')])).toEqual([
      ['basic', 'a'],
      ['digest', 'b'],
    ])
  })
})
