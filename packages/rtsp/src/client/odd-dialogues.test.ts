import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { parseAuthHeader } from '../auth-header.ts'
import { openRtspSession, type RtspEnd } from '../client.ts'
import { describe as describeStream } from '../describe.ts'
import { createLoginGate } from '../login-gate.ts'
import { answer, type Behaviour, type RawServer, startRawServer } from '../testing/raw-server.ts'

const sdpOf = (control: string | null) =>
  [
    'v=0',
    'm=video 0 RTP/AVP 96',
    'a=rtpmap:96 H264/90000',
    'a=fmtp:96 sprop-parameter-sets=Z0LAFtkAoC/5cBEAAAMAAQAAAwAUDxYuSA==,aM44gA==',
    ...(control === null ? [] : [`a=control:${control}`]),
    '',
  ].join('\r\n')
const SETUP = ['Session: s1;timeout=60', 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1']
/** Two keyframes, each a slice in one packet: the second one ends the first. */
const PICTURES = Buffer.concat(
  [0, 1].map((index) =>
    Buffer.from([0x24, 0, 0, 15, 0x80, 0xe0, 0, index, 0, 0, index * 14, 0, 0, 0, 0, 1, 0x65, 0x88, index]),
  ),
)

const running: RawServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

/** A recorder; `react` replaces an answer by returning true, and `change` changes the text of each regular answer. */
async function recorder({
  react = () => false,
  change = (text) => text,
  headers = [],
  control = 'trackID=1',
}: {
  react?: (...given: Parameters<Behaviour>) => boolean
  change?: (text: string, method: string) => string
  /** Headers of the answer to DESCRIBE; `BASE` is the address of the server. */
  headers?: string[]
  control?: string | null
}) {
  let base = ''
  const server = await startRawServer((socket, request, n, cseq) => {
    if (react(socket, request, n, cseq)) return
    const [method = ''] = request.split(' ')
    const named = (text: string) => text.replace('BASE', base)
    if (method === 'DESCRIBE')
      socket.write(change(answer(cseq, 200, headers.map(named), sdpOf(control && named(control))), method))
    else socket.write(change(answer(cseq, 200, method === 'SETUP' ? SETUP : []), method))
    if (method === 'PLAY') socket.write(PICTURES)
  })
  running.push(server)
  base = `rtsp://127.0.0.1:${server.porta}`
  const play = async (path = '/cam?channel=1', openTimeoutMs = 1000): Promise<RtspEnd> => {
    const stop = new AbortController()
    return await openRtspSession({
      url: `rtsp://admin:segredo@127.0.0.1:${server.porta}${path}`,
      openTimeoutMs,
      stallTimeoutMs: 500,
      signal: stop.signal,
      onParameters: () => {},
      onAccessUnit: () => stop.abort(),
    })
  }
  const discover = () =>
    describeStream({
      addresses: ['127.0.0.1'],
      url: `${base}/cam?channel=1`,
      credentials: { usuario: 'admin', senha: 'segredo' },
      gate: createLoginGate({ trust: true }),
      timeoutMs: 1000,
      signal: new AbortController().signal,
    })
  const requests = () => server.connections.flatMap((connection) => connection.requests)
  const addressOf = (method: string) =>
    requests()
      .find((request) => request.startsWith(method))
      ?.split(' ')[1]
      ?.replace(base, 'rtsp://nvr')
  return { play, discover, requests, addressOf }
}

const hash = (algorithm: string, text: string) =>
  createHash(/256/.test(algorithm) ? 'sha256' : 'md5')
    .update(text)
    .digest('hex')

/** Whether the request has the right password for the algorithm, realm `r` and one of the nonces. */
function isRight(request: string, nonces: readonly string[]): boolean {
  const [first = ''] = request.split('\r\n')
  const given = parseAuthHeader(/^Authorization: (.*)$/m.exec(request)?.[1] ?? '')[0]
  const of = (name: string) => given?.params.get(name) ?? ''
  if (!nonces.includes(of('nonce'))) return false
  const algorithm = of('algorithm')
  const secret = hash(algorithm, 'admin:r:segredo')
  const ha1 = /-sess$/i.test(algorithm) ? hash(algorithm, `${secret}:${of('nonce')}:${of('cnonce')}`) : secret
  const ha2 = hash(algorithm, `${first.split(' ')[0]}:${of('uri')}`)
  const middle = of('qop') === '' ? '' : `${of('nc')}:${of('cnonce')}:${of('qop')}:`
  return of('response') === hash(algorithm, `${ha1}:${of('nonce')}:${middle}${ha2}`)
}

const digest = (rest: string) => `WWW-Authenticate: Digest realm="r", nonce="n"${rest}`

describe('a login', () => {
  it.each<[string, string[]]>([
    ['no qop', [digest('')]],
    ['qop="auth"', [digest(', qop="auth"')]],
    ['qop=auth', [digest(', qop=auth')]],
    ['qop="auth,auth-int"', [digest(', qop="auth,auth-int"')]],
    ['qop="auth-int, auth"', [digest(', qop="auth-int, auth"')]],
    ['an empty qop', [digest(', qop=""')]],
    ['algorithm=MD5', [digest(', algorithm=MD5')]],
    ['algorithm="MD5"', [digest(', algorithm="MD5"')]],
    ['algorithm=md5', [digest(', algorithm=md5')]],
    ['an empty algorithm', [digest(', algorithm=""')]],
    ['algorithm=MD5-sess', [digest(', algorithm=MD5-sess, qop="auth"')]],
    ['only SHA-256', [digest(', algorithm=SHA-256')]],
    ['only algorithm="SHA-256"', [digest(', algorithm="SHA-256", qop="auth", stale="FALSE"')]],
    ['MD5, then SHA-256', [digest(', algorithm=MD5'), digest(', algorithm="SHA-256"')]],
    ['SHA-256, then MD5', [digest(', algorithm="SHA-256"'), digest('')]],
    ['an unknown algorithm first', [digest(', algorithm=SHA-512-256'), digest(', algorithm=MD5')]],
    ['Basic first', ['WWW-Authenticate: Basic realm="r"', digest('')]],
    ['two in one line', ['WWW-Authenticate: Basic realm="r", Digest realm="r", nonce="n", algorithm="SHA-256"']],
    ['an unknown scheme first', ['WWW-Authenticate: Bearer realm="r"', digest('')]],
  ])('plays and describes with one signature a request: %s', async (_name, challenges) => {
    const refusals: string[] = []
    const { play, discover, requests } = await recorder({
      react(socket, request, _, cseq) {
        if (isRight(request, ['n'])) return false
        if (request.includes('Authorization')) refusals.push(request)
        socket.write(answer(cseq, 401, challenges))
        return true
      },
    })
    expect(await play()).toBe('aborted')
    expect(await discover()).toMatchObject({ kind: 'answer', status: 200, loggedIn: true })
    expect(refusals).toEqual([])
    expect(requests().join()).not.toContain('segredo')
  })

  it.each(['', ', stale=true', ', stale="TRUE"'])('continues with a new nonce for each request%s', async (stale) => {
    let used = 0
    const { play } = await recorder({
      react(socket, request, n, cseq) {
        const isFresh = isRight(request, [`n${used}`])
        if (isFresh) return false
        used = n
        socket.write(answer(cseq, 401, [`WWW-Authenticate: Digest realm="r", nonce="n${n}"${stale}`]))
        return true
      },
    })
    expect(await play()).toBe('aborted')
  })
})

describe('the address of SETUP', () => {
  it.each<[string, string[], string | null, string]>([
    ['relative, with a base', ['Content-Base: BASE/base/'], 'trackID=1', 'rtsp://nvr/base/trackID=1'],
    ['relative, without a base', [], 'trackID=1', 'rtsp://nvr/cam?channel=1/trackID=1'],
    ['a base without a slash', ['Content-Base: BASE/base'], 'trackID=1', 'rtsp://nvr/base/trackID=1'],
    ['a base with the query', ['Content-Base: BASE/cam?channel=1/'], 'video', 'rtsp://nvr/cam?channel=1/video'],
    ['Content-Location', ['Content-Location: BASE/loc/'], 'trackID=1', 'rtsp://nvr/loc/trackID=1'],
    ['an unusable base', ['Content-Base: /cam'], 'trackID=1', 'rtsp://nvr/cam?channel=1/trackID=1'],
    ['an empty base', ['Content-Base: '], 'trackID=1', 'rtsp://nvr/cam?channel=1/trackID=1'],
    ['absolute', ['Content-Base: BASE/base/'], 'BASE/Streaming/101/trackID=1', 'rtsp://nvr/Streaming/101/trackID=1'],
    ['an absolute path', ['Content-Base: BASE/base/'], '/track1', 'rtsp://nvr/base/track1'],
    ['a query', ['Content-Base: BASE/base/'], '?ctype=video', 'rtsp://nvr/base/?ctype=video'],
    ['an asterisk', ['Content-Base: BASE/base/'], '*', 'rtsp://nvr/base/'],
    ['none', [], null, 'rtsp://nvr/cam?channel=1'],
    ['blank', [], ' ', 'rtsp://nvr/cam?channel=1'],
  ])('%s', async (_name, headers, control, expected) => {
    const { play, addressOf } = await recorder({ headers, control })
    expect(await play()).toBe('aborted')
    expect(addressOf('SETUP')).toBe(expected)
  })

  it('is tried again without the slash before a query', async () => {
    const { play, requests } = await recorder({
      headers: ['Content-Base: BASE/base/'],
      control: '?ctype=video',
      react(socket, request, _, cseq) {
        if (!/^SETUP \S+\/\?/.test(request)) return false
        socket.write(answer(cseq, 404))
        return true
      },
    })
    expect(await play()).toBe('aborted')
    expect(requests().find((request) => /^SETUP \S+\/base\?ctype=video /.test(request))).toBeDefined()
  })

  it.each([404, 454, 459])('is tried again below the address of the request after %i', async (status) => {
    const { play, requests } = await recorder({
      headers: ['Content-Base: BASE/base/'],
      react(socket, request, _, cseq) {
        if (!/^SETUP \S+\/base\//.test(request)) return false
        socket.write(answer(cseq, status))
        return true
      },
    })
    expect(await play()).toBe('aborted')
    expect(requests().filter((request) => request.startsWith('SETUP'))).toHaveLength(2)
  })
})

const frame = '$\x01\x00\x04abcd'
const withNumber = (line: string) => (text: string) => text.replace(/^CSeq: \d+\r\n/m, line)

describe('answers', () => {
  it.each<[string, (text: string, method: string) => string]>([
    ['without CSeq', withNumber('')],
    ['with Cseq 0', withNumber('Cseq: 0\r\n')],
    ['with an empty CSeq', withNumber('CSeq:\r\n')],
    ['that all have the same CSeq', withNumber('CSeq: 1\r\n')],
    ['with a CSeq that counts otherwise', withNumber('CSeq: 4711\r\n')],
    ['behind a packet', (text) => frame + text],
    ['before a packet', (text) => text + frame],
    ['behind empty lines', (text) => `\r\n\r\n${text}`],
    ['behind a provisional answer', (text) => `RTSP/1.0 100 Continue\r\n\r\n${text}`],
    ['without a length where there is no body', (text) => text.replace('Content-Length: 0\r\n', '')],
    ['with a length that is no number', (text) => text.replace('Content-Length: 0', 'Content-Length: x')],
    [
      'with bare line feeds',
      (text) => {
        const [head = '', body = ''] = text.split('\r\n\r\n')
        return `${head.replaceAll('\r\n', '\n')}\n\n${body}`
      },
    ],
    ['to OPTIONS: 404', (text, method) => (method === 'OPTIONS' ? text.replace('200', '404') : text)],
    ['to OPTIONS: 405', (text, method) => (method === 'OPTIONS' ? text.replace('200', '405') : text)],
    ['to OPTIONS: 501', (text, method) => (method === 'OPTIONS' ? text.replace('200', '501') : text)],
    ['to OPTIONS: 551', (text, method) => (method === 'OPTIONS' ? text.replace('200', '551') : text)],
  ])('%s play', async (_name, change) => {
    const { play } = await recorder({ change })
    expect(await play()).toBe('aborted')
  })

  const inDescribe = (from: RegExp | string, to: string) => (text: string, method: string) =>
    method === 'DESCRIBE' ? text.replace(from, to) : text

  it.each<[string, (text: string, method: string) => string, string, string | null]>([
    ['an empty description', (t, m) => (m === 'DESCRIBE' ? answer('2', 200) : t), 'sem_video', null],
    ['a description cut by its length', inDescribe(/Content-Length: \d+/, 'Content-Length: 5'), 'sem_video', null],
    ['a length above the description', inDescribe(/Content-Length: \d+/, 'Content-Length: 900'), 'sem_resposta', null],
    ['a redirection', inDescribe('200', '301'), 'nao_encontrado', 'respondeu 301 a DESCRIBE'],
    ['a proxy', inDescribe('200', '305'), 'nao_encontrado', 'respondeu 305 a DESCRIBE'],
    ['another codec', inDescribe('H264/90000', 'JPEG/90000'), 'codec_nao_suportado', 'JPEG'],
  ])('%s ends with a reason', async (_name, change, failure, detail) => {
    const { play } = await recorder({ change })
    expect(await play('/cam?channel=1', 400)).toMatchObject({ failure, detail })
  })
})

describe('packets that this client does not read', () => {
  it.each([
    ['H264', [25, 0, 1, 0, 1, 0x65], 'H.264 no modo intercalado da RFC 6184'],
    ['H264', [29, 0x85, 0, 1, 0x88], 'H.264 no modo intercalado da RFC 6184'],
    ['H265', [50 << 1, 1, 0, 0, 0x26], 'H.265 em pacotes PACI da RFC 7798'],
  ] as const)('are named: %s, %j', async (codec, payload, detail) => {
    const { play } = await recorder({
      change: (text) => text.replace('H264/', `${codec}/`),
      react(socket, request, _, cseq) {
        if (!request.startsWith('PLAY')) return false
        socket.write(answer(cseq, 200))
        let sequence = 0
        const timer = setInterval(() => {
          const header = [0x24, 0, 0, 12 + payload.length, 0x80, 0xe0, 0, sequence++ & 255, 0, 0, 0, 0, 0, 0, 0, 1]
          socket.write(Buffer.from([...header, ...payload]))
        }, 10)
        socket.on('close', () => clearInterval(timer))
        return true
      },
    })
    expect(await play()).toMatchObject({ failure: 'codec_nao_suportado', detail })
  })
})
