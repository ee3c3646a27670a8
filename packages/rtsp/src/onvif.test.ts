import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { parseAllowedCidrs } from './address-policy.ts'
import type { ProbeOptions } from './contact.ts'
import { listOnvifChannels } from './onvif.ts'
import { passwordDigest } from './soap.ts'
import { answer, SDP, startRawServer } from './testing/raw-server.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const envelope = (body: string) =>
  `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>${body}</s:Body></s:Envelope>`
const profile = (token: string, source: string, width: number, encoding = 'H264') =>
  `<Profiles token="${token}"><VideoSourceConfiguration><SourceToken>${source}</SourceToken></VideoSourceConfiguration>` +
  `<VideoEncoderConfiguration><Encoding>${encoding}</Encoding><Resolution><Width>${width}</Width><Height>10</Height></Resolution></VideoEncoderConfiguration></Profiles>`
const media = (address: string) =>
  `<GetCapabilitiesResponse><Capabilities><Media><XAddr>${address}</XAddr></Media></Capabilities></GetCapabilitiesResponse>`
const uri = (address: string) =>
  `<GetStreamUriResponse><MediaUri><Uri>${address}</Uri></MediaUri></GetStreamUriResponse>`
const denied = envelope(
  '<s:Fault><s:Code><s:Subcode><s:Value>ter:NotAuthorized</s:Value></s:Subcode></s:Code></s:Fault>',
)

const inWords = envelope(
  '<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code>' +
    '<s:Reason><s:Text>The sender is not authorized.</s:Text></s:Reason></s:Fault>',
)

type Answer = string | ((response: ServerResponse, request: IncomingMessage, body: string) => void)
/** Answers of the device to each call; omitted calls get a valid answer. */
type Answers = Partial<
  Record<'GetSystemDateAndTime' | 'GetCapabilities' | 'GetServices' | 'GetProfiles' | 'GetStreamUri', Answer>
>

/** A device with one source and an RTSP server, and the requests it received. */
async function device(answers: Answers = {}, listenOn = '127.0.0.1') {
  const rtsp = await startRawServer((socket, _, __, cseq) => socket.write(answer(cseq, 200, [], SDP)), {
    host: listenOn,
  })
  const asked: { name: string; path: string; body: string; headers: IncomingMessage['headers'] }[] = []
  const usual: Required<Answers> = {
    GetSystemDateAndTime: envelope('<GetSystemDateAndTimeResponse/>'),
    GetCapabilities: envelope(media('http://127.0.0.1/onvif/media')),
    GetServices: envelope('<s:Fault><s:Reason><s:Text>unknown</s:Text></s:Reason></s:Fault>'),
    GetProfiles: envelope(`<GetProfilesResponse>${profile('um', 's', 100)}</GetProfilesResponse>`),
    GetStreamUri: envelope(uri(`rtsp://127.0.0.1:${rtsp.porta}/live`)),
  }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const name = /<(Get\w+)/.exec(body)?.[1] ?? ''
    asked.push({ name, path: request.url ?? '', body, headers: request.headers })
    const says = answers[name as keyof Answers] ?? usual[name as keyof Answers]
    if (typeof says === 'string') response.end(says)
    else says(response, request, body)
  })
  await new Promise<void>((resolve) => server.listen(0, listenOn, resolve))
  const address = server.address()
  closing.push(rtsp.close, () => {
    server.closeAllConnections()
    server.close()
  })
  return { porta: typeof address === 'object' && address ? address.port : 0, rtsp, asked }
}

const list = (porta: number, more: Partial<ProbeOptions> = {}, input: object = {}) =>
  listOnvifChannels(
    { host: '127.0.0.1', porta, usuario: 'ana', senha: 'segredo', canais: [1, 2], ...input },
    { allowed: parseAllowedCidrs('127.0.0.1/32'), signal: new AbortController().signal, prazoMs: 4000, ...more },
  )
const failure = (falha: string) => expect.objectContaining({ ok: false, falha })
const silence = (motivo: string) =>
  expect.objectContaining({ ok: false, falha: 'inalcancavel', causa: { motivo, complemento: null } })

it('signs like the example of the ONVIF Application Programmer Guide', () => {
  const nonce = Buffer.from('LKqI6G/AikKCQrN0zqZFlg==', 'base64')
  expect(passwordDigest(nonce, '2010-09-16T07:50:45Z', 'userpassword')).toBe('tuOSpGlFlIXsozq4HFNeeGeFLEI=')
})

describe('a device without a password', () => {
  it('receives no login', async () => {
    const { porta, rtsp, asked } = await device()
    expect(await list(porta)).toEqual({
      ok: true,
      canais: [
        {
          canal: 1,
          estado: 'video',
          codec: 'h264',
          resolucao: '1280x720',
          principal: { porta: rtsp.porta, caminho: '/live' },
          sub: null,
        },
        { canal: 2, estado: 'vazia', codec: null, resolucao: null, principal: null, sub: null },
      ],
    })
    expect(asked.map(({ name }) => name)).toEqual([
      'GetSystemDateAndTime',
      'GetCapabilities',
      'GetProfiles',
      'GetStreamUri',
    ])
    expect(asked.every(({ body, headers }) => !/ana|Security/.test(body) && !headers.authorization)).toBe(true)
  })

  it('lists its sources in the order of their profiles, and escapes its tokens', async () => {
    const token = `"<&'>]]>`
    const escaped = '&quot;&lt;&amp;&apos;&gt;]]&gt;'
    const profiles = [
      profile('p', 'b', 50),
      profile(escaped, 'a', 90),
      profile('q', 'a', 50, 'JPEG'),
      profile('r', 'b', 70),
    ]
    const { porta, asked } = await device({
      GetProfiles: envelope(`<GetProfilesResponse>${profiles.join('')}</GetProfilesResponse>`),
    })
    await list(porta)
    const tokens = asked.flatMap(({ body }) => /<ProfileToken>(.*)<\/ProfileToken>/.exec(body)?.[1] ?? [])
    expect(tokens.toSorted()).toEqual([token.replace(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`), 'p', 'r'].toSorted())
  })
})

describe('connections', () => {
  it('go only to the checked address, regardless of the hosts that a device reports', async () => {
    const other = await device({}, '127.0.0.2')
    const elsewhere = `127.0.0.2:${other.porta}`
    const { porta, rtsp, asked } = await device({
      GetCapabilities: envelope(media(`http://${elsewhere}/onvif/Media?x=1&amp;y=%20`)),
      GetStreamUri: (response) => response.end(envelope(uri(`rtsp://root:pw@127.0.0.2:${rtsp.porta}/a?b=1&amp;c`))),
    })
    expect(await list(porta)).toMatchObject({
      canais: [{ estado: 'video', principal: { porta: rtsp.porta, caminho: '/a?b=1&c' } }, {}],
    })
    expect(asked.map(({ path }) => path)).toEqual([
      '/onvif/device_service',
      '/onvif/device_service',
      '/onvif/Media?x=1&y=%20',
      '/onvif/Media?x=1&y=%20',
    ])
    expect(rtsp.connections[0]?.requests[0]).toContain(`DESCRIBE rtsp://127.0.0.1:${rtsp.porta}/a?b=1&c RTSP/1.0`)
    expect([other.asked.length, other.rtsp.connections.length]).toEqual([0, 0])
  })

  it('for a redirection', async () => {
    const other = await device({}, '127.0.0.2')
    const { porta, asked } = await device({
      GetSystemDateAndTime: (response) =>
        response.writeHead(307, { location: `http://127.0.0.2:${other.porta}/onvif/device_service` }).end(),
    })
    expect(await list(porta)).toEqual(failure('sem_onvif'))
    expect([asked.length, other.asked.length]).toEqual([1, 0])
  })

  it('never go to an address that the policy refuses', async () => {
    const { porta, asked } = await device()
    expect(await list(porta, { allowed: [] })).toEqual(failure('endereco_recusado'))
    expect(
      await list(porta, { lookup: async () => ['127.0.0.1', '169.254.169.254'] }, { host: 'nvr.example' }),
    ).toEqual(failure('endereco_recusado'))
    expect(asked).toHaveLength(0)
  })

  it('is resolved once', async () => {
    const { porta } = await device()
    const names: string[] = []
    const lookup = async (name: string) => {
      names.push(name)
      return names.length > 1 ? ['127.0.0.2'] : ['127.0.0.1']
    }
    expect(await list(porta, { lookup }, { host: 'nvr.example' })).toMatchObject({
      ok: true,
      canais: [{ estado: 'video' }, {}],
    })
    expect(names).toEqual(['nvr.example'])
  })
})

it('limits the calls to a device to two in parallel', async () => {
  let [open, most] = [0, 0]
  const profiles = Array.from({ length: 8 }, (_, i) => profile(`p${i}`, `s${i}`, 90)).join('')
  const { porta, rtsp } = await device({
    GetProfiles: envelope(`<GetProfilesResponse>${profiles}</GetProfilesResponse>`),
    GetStreamUri: (response) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open--
        response.end(envelope(uri(`rtsp://x:${rtsp.porta}/1`)))
      }, 5)
    },
  })
  const canais = [1, 2, 3, 4, 5, 6, 7, 8]
  expect(await list(porta, {}, { canais })).toMatchObject({ ok: true, canais: canais.map(() => ({ estado: 'video' })) })
  expect(most).toBe(2)
})

describe('listing the streams of a hostile device', () => {
  const entities = `<!ENTITY a "${'x'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">`
  const bomb = `<!DOCTYPE x [${entities}]>${envelope('<r>&b;</r>')}`
  const file = `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${envelope(media('http://x/&a;'))}`
  it.each([
    ['expands entities', bomb],
    ['reads files', file],
    ['is a web page', '<!DOCTYPE html><html><body>Login</body></html>'],
    ['is garbage', '\u0000\u0001<<<<'],
    ['is empty', ''],
    ['is a long fault', envelope(`<s:Fault><a>${'InvalidSecurity'.repeat(200_000)}!x</a></s:Fault>`)],
    ['is another message', envelope('<GetHostnameResponse/>')],
    ['has no body', '<s:Envelope xmlns:s="x"/>'],
    ['has a media service without http', envelope(media('file:///etc/passwd'))],
    ['has a media service without an address', envelope(media(''))],
    ['has an endless path', envelope(media(`http://x/${'a'.repeat(600)}`))],
    ['breaks the request line', envelope(media('http://x/a&#13;&#10;GET / HTTP/1.1'))],
  ])('fails when the answer to GetCapabilities %s', async (_, says) => {
    const { porta, asked } = await device({
      GetCapabilities: says,
      GetProfiles: (response) => response.writeHead(404).end(),
    })
    expect(await list(porta)).toEqual(failure('sem_onvif'))
    expect(asked.every(({ path }) => /^\/[!-~]*$/.test(path))).toBe(true)
  })

  it.each([
    [
      'an oversized answer',
      (response: ServerResponse) => response.end(envelope(`<a>${'x'.repeat(5 * 1024 * 1024)}</a>`)),
    ],
    ['oversized headers', (response: ServerResponse) => response.writeHead(200, { x: 'y'.repeat(60_000) }).end()],
  ])('fails on %s', async (_, says) => {
    const { porta } = await device({ GetProfiles: says })
    expect(await list(porta)).toEqual(failure('sem_onvif'))
  })

  it('reads an endless answer only up to the limit', async () => {
    let sent = 0
    const { porta } = await device({
      GetProfiles: (response) => {
        const chunk = 'x'.repeat(64 * 1024)
        const more = () => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      },
    })
    expect(await list(porta)).toEqual(failure('sem_onvif'))
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  })

  it.each([
    ['nothing', () => {}, 'inalcancavel'],
    ['a reset', (socket: Socket) => socket.resetAndDestroy(), 'inalcancavel'],
    ['RTSP', (socket: Socket) => socket.end('RTSP/1.0 400 Bad Request\r\n\r\n'), 'sem_onvif'],
    [
      'another protocol',
      (socket: Socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
      'inalcancavel',
    ],
    ['half an answer', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<'), 'inalcancavel'],
    [
      'one byte at a time',
      (socket: Socket) => {
        const timer = setInterval(() => socket.write('H'.slice(0, 1)), 50)
        socket.once('close', () => clearInterval(timer))
      },
      'sem_onvif',
    ],
  ] as [string, (socket: Socket) => void, string][])('fails when the port answers %s', async (_, says, falha) => {
    const sockets = new Set<Socket>()
    const server = createTcpServer((socket) => {
      sockets.add(socket.on('error', () => {}))
      socket.once('data', () => says(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    const address = server.address()
    expect(await list(typeof address === 'object' && address ? address.port : 0, { prazoMs: 1200 })).toEqual(
      failure(falha),
    )
  })

  it('fails when the port is closed', async () => {
    const server = createTcpServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    await new Promise((resolve) => server.close(resolve))
    expect(await list(typeof address === 'object' && address ? address.port : 0)).toEqual(silence('conexao_recusada'))
  })

  it('fails when there is no device', async () => {
    // No route leads to the broadcast address of this machine.
    const host = '127.255.255.255'
    expect(await list(80, { allowed: parseAllowedCidrs(`${host}/32`) }, { host })).toEqual(silence('sem_rota'))
  })

  it('fails when the device accepts a connection and says nothing', async () => {
    const server = createTcpServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(() => server.close())
    const address = server.address()
    const porta = typeof address === 'object' && address ? address.port : 0
    expect(await list(porta, { prazoMs: 1200 })).toEqual(silence('sem_resposta'))
  })

  it.each(['http://127.0.0.1/x', 'rtsp://127.0.0.1/a b', 'rtsp://127.0.0.1/a&#13;&#10;CSeq: 9', ''])(
    'reports a stream with the URI %j as missing',
    async (address) => {
      const { porta, rtsp } = await device({ GetStreamUri: envelope(uri(address)) })
      expect(await list(porta)).toMatchObject({ ok: true, canais: [{ estado: 'vazia', principal: null }, {}] })
      expect(rtsp.connections).toHaveLength(0)
    },
  )

  it('reports the other sources when one is silent', async () => {
    const profiles = [profile('um', 'a', 90), profile('mudo', 'b', 90)].join('')
    const { porta, rtsp } = await device({
      GetProfiles: envelope(`<GetProfilesResponse>${profiles}</GetProfilesResponse>`),
      GetStreamUri: (response, _, body) => {
        if (!body.includes('mudo')) response.end(envelope(uri(`rtsp://x:${rtsp.porta}/1`)))
      },
    })
    expect(await list(porta)).toMatchObject({
      ok: true,
      canais: [{ estado: 'video' }, { estado: 'sem_resposta', principal: null }],
    })
  })
})

describe('a wrong password', () => {
  const logins = (asked: { body: string; headers: IncomingMessage['headers'] }[]) =>
    asked.filter(({ body, headers }) => body.includes('UsernameToken') || headers.authorization).length

  it.each([
    ['a fault', (response: ServerResponse) => response.writeHead(400).end(denied)],
    ['an error text', (response: ServerResponse) => response.writeHead(500).end(inWords)],
    ['401 without a challenge', (response: ServerResponse) => response.writeHead(401).end()],
    [
      '401 with a challenge',
      (response: ServerResponse) =>
        response.writeHead(401, { 'www-authenticate': 'Digest realm="x", nonce="y"' }).end(),
    ],
    ['403', (response: ServerResponse) => response.writeHead(403).end()],
  ])('is sent only once when a call answers %s', async (_, says) => {
    for (const name of ['GetCapabilities', 'GetProfiles', 'GetStreamUri'] as const) {
      const profiles = ['a', 'b'].map((source) => profile(source, source, 90)).join('')
      const { porta, rtsp, asked } = await device({
        GetProfiles: envelope(`<GetProfilesResponse>${profiles}</GetProfilesResponse>`),
        [name]: says,
      })
      expect(await list(porta)).toEqual(failure('senha_recusada'))
      expect([name, logins(asked), rtsp.connections.length]).toEqual([name, 1, 0])
    }
  })

  it('is not part of the request for the time', async () => {
    const { porta, asked } = await device({ GetSystemDateAndTime: (response) => response.writeHead(401).end() })
    expect(await list(porta)).toMatchObject({ ok: true })
    expect(logins(asked)).toBe(0)
  })

  it('is not the result of an expired nonce after a success', async () => {
    let n = 0
    const expiring: Answer = (response, request) => {
      const current = `nonce="n${Math.floor(n / 2)}"`
      if (request.headers.authorization?.includes(current) && n++ >= 0)
        response.end(envelope(`<GetProfilesResponse>${profile('um', 's', 9)}</GetProfilesResponse>`))
      else response.writeHead(401, { 'www-authenticate': `Digest realm="x", ${current}, qop="auth"` }).end()
    }
    let rtspPorta = 0
    const { porta, rtsp } = await device({
      GetProfiles: expiring,
      GetStreamUri: (response, request, body) => {
        if (request.headers.authorization?.includes('nonce="novo"'))
          response.end(envelope(uri(`rtsp://x:${rtspPorta}/1`)))
        else response.writeHead(401, { 'www-authenticate': 'Digest realm="x", nonce="novo", qop="auth"' }).end(body)
      },
    })
    rtspPorta = rtsp.porta
    expect(await list(porta)).toMatchObject({ ok: true, canais: [{ estado: 'video' }, {}] })
  })
})

it('ends when aborted', async () => {
  const leaving = new AbortController()
  const { porta } = await device({ GetProfiles: () => leaving.abort() })
  expect(await list(porta, { signal: leaving.signal })).toEqual(failure('cancelado'))
})
