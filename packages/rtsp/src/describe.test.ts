import { execFileSync } from 'node:child_process'
import { afterEach, expect, describe as group, it } from 'vitest'
import { type DescribeOptions, describe } from './describe.ts'
import { createLoginGate } from './login-gate.ts'
import { answer, type Behaviour, type RawServer, SDP, startRawServer } from './testing/raw-server.ts'

const credentials = { usuario: 'admin', senha: 'segredo' }
const DIGEST = 'WWW-Authenticate: Digest realm="Login to \\"NVR\\", sala 1", nonce="n1"'
const running: RawServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

async function device(behaviour?: Behaviour, options: Parameters<typeof startRawServer>[1] = {}) {
  const server = await startRawServer(behaviour, options)
  running.push(server)
  const ask = (more: Partial<DescribeOptions> = {}) =>
    describe({
      addresses: ['127.0.0.1'],
      url: `rtsp://admin:segredo@nvr.example:${server.porta}/canal1?x=1`,
      credentials,
      gate: createLoginGate({ trust: true }),
      timeoutMs: 500,
      signal: new AbortController().signal,
      ...more,
    })
  return { ...server, ask }
}
const requests = ({ connections }: RawServer) => connections.map((one) => one.requests)

group('a conversation', () => {
  it('requests the path without credentials, with the host as typed', async () => {
    const nvr = await device((socket, _, __, cseq) => socket.write(answer(cseq, 200, [], SDP)))
    expect(await nvr.ask()).toMatchObject({
      kind: 'answer',
      status: 200,
      loggedIn: false,
      video: { codec: 'h264', resolucao: '1280x720' },
    })
    const [[request = '']] = requests(nvr) as [string[]]
    expect(request.split('\r\n')).toEqual([
      `DESCRIBE rtsp://nvr.example:${nvr.porta}/canal1?x=1 RTSP/1.0`,
      'CSeq: 1',
      'Accept: application/sdp',
      'User-Agent: Vigia',
    ])
  })

  it('signs after a challenge on the same connection, and sends no plain password', async () => {
    const nvr = await device((socket, request, _, cseq) =>
      socket.write(request.includes('Authorization: ') ? answer(cseq, 200, [], SDP) : answer(cseq, 401, [DIGEST])),
    )
    expect(await nvr.ask()).toMatchObject({ kind: 'answer', status: 200, loggedIn: true })
    const [[, signed = ''] = []] = requests(nvr)
    expect(requests(nvr)).toHaveLength(1)
    expect(signed).toContain('CSeq: 2')
    expect(signed).toContain('Authorization: Digest username="admin", realm="Login to \\"NVR\\", sala 1", nonce="n1"')
    expect(requests(nvr).flat().join()).not.toContain('segredo')
  })

  it('signs on a new connection when the server closes after its challenge', async () => {
    const nvr = await device((socket, request, _, cseq) =>
      socket.end(request.includes('Authorization: ') ? answer(cseq, 200, [], SDP) : answer(cseq, 401, [DIGEST])),
    )
    expect(await nvr.ask()).toMatchObject({ kind: 'answer', status: 200, loggedIn: true })
    expect(requests(nvr).map((one) => one.length)).toEqual([1, 1])
  })

  it('signs once more for a stale nonce, but no third time', async () => {
    const nvr = await device((socket, _, n, cseq) =>
      socket.write(answer(cseq, 401, [`WWW-Authenticate: Digest realm="x", nonce="n${n}", stale=TRUE`])),
    )
    expect(await nvr.ask()).toEqual({ kind: 'unauthorized', tried: true })
    const nonces = requests(nvr)[0]?.map((request) => /nonce="(\w+)"/.exec(request)?.[1])
    expect(nonces).toEqual([undefined, 'n1', 'n2'])
  })

  it.each([
    ['no password to give', [DIGEST], { credentials: null }],
    ['a scheme that nobody speaks', ['WWW-Authenticate: Bearer realm="x"'], {}],
    ['no scheme at all', [], {}],
  ])('does not log in with %s', async (_, headers, more) => {
    const nvr = await device((socket, __, ___, cseq) => socket.write(answer(cseq, 401, headers)))
    expect(await nvr.ask(more)).toEqual({ kind: 'unauthorized', tried: false })
    expect(requests(nvr)).toHaveLength(1)
    expect(requests(nvr)[0]).toHaveLength(1)
  })

  it('counts each request as a login when the URL contains the password', async () => {
    const nvr = await device((socket, _, __, cseq) => socket.write(answer(cseq, 401, [DIGEST])))
    const gate = createLoginGate({ trust: true })
    expect(await nvr.ask({ isLogin: true, gate })).toEqual({ kind: 'unauthorized', tried: true })
    expect(gate.verdict).toBe('wrong')
    expect(await nvr.ask({ isLogin: true, gate })).toEqual({ kind: 'withheld' })
    expect(requests(nvr).flat()).toHaveLength(1)
  })

  it.each([301, 302, 305])('reports a %i to another device, and does not follow it', async (status) => {
    const elsewhere = await device(undefined, { host: '127.0.0.9' })
    const location = `Location: rtsp://127.0.0.9:${elsewhere.porta}/canal1`
    const nvr = await device((socket, _, __, cseq) => socket.write(answer(cseq, status, [location], SDP)))
    const found = { kind: 'answer', status, video: null, elsewhere: `rtsp://127.0.0.9:${elsewhere.porta}` }
    expect(await nvr.ask()).toMatchObject(found)
    expect(requests(elsewhere)).toHaveLength(0)
    expect(requests(nvr).flat()).toHaveLength(1)
  })

  it('follows a redirection to the same address once, and logs in there', async () => {
    const moved = await device((socket, request, _, cseq) =>
      socket.write(request.includes('Authorization: ') ? answer(cseq, 200, [], SDP) : answer(cseq, 401, [DIGEST])),
    )
    const location = `Location: rtsp://127.0.0.1:${moved.porta}/canal1`
    const nvr = await device((socket, _, __, cseq) => socket.write(answer(cseq, 302, [location])))
    expect(await nvr.ask()).toMatchObject({ kind: 'answer', status: 200, video: { codec: 'h264' }, loggedIn: true })
    const loop = await device((socket, _, __, cseq) => socket.write(answer(cseq, 302, ['Location: /canal1'])))
    expect(await loop.ask()).toMatchObject({ status: 302, elsewhere: `rtsp://nvr.example:${loop.porta}` })
    expect(requests(loop).flat()).toHaveLength(2)
    const gone = await device((socket, _, __, cseq) =>
      socket.write(answer(cseq, 302, ['Location: rtsp://127.0.0.1:1/'])),
    )
    expect(await gone.ask()).toMatchObject({ kind: 'answer', status: 302, elsewhere: 'rtsp://127.0.0.1:1' })
  })

  it('reads a description without a length until the device closes', async () => {
    const nvr = await device((socket) => socket.end(`RTSP/1.0 200 OK\r\n\r\n${SDP}`))
    expect(await nvr.ask()).toMatchObject({ kind: 'answer', video: { codec: 'h264' } })
  })

  it('leaves no connection open', async () => {
    const nvr = await device((socket, _, __, cseq) => {
      socket.on('close', () => gone.push(cseq))
      socket.write(answer(cseq, 404))
    })
    const gone: string[] = []
    await nvr.ask()
    await expect.poll(() => gone).toEqual(['1'])
  })
})

group('devices that answer badly or not at all', () => {
  it.each([
    ['silence', () => {}, { kind: 'silent', isRtsp: false }],
    ['half an answer', (socket) => socket.write('RTSP/1.0 200 OK\r\nCS'), { kind: 'silent', isRtsp: true }],
    [
      'the answer to another request',
      (socket) => socket.write(answer('99', 200, [], SDP)),
      { kind: 'silent', isRtsp: true },
    ],
    ['hanging up', (socket) => socket.end(), { kind: 'cut', isRtsp: false }],
    ['a reset', (socket) => socket.resetAndDestroy(), { kind: 'cut', isRtsp: false }],
    ['hanging up in the middle', (socket) => socket.end('RTSP/1.0 200 OK\r\nCS'), { kind: 'cut', isRtsp: true }],
    ['HTTP', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'), { kind: 'not_rtsp' }],
    ['RTSP/2.0', (socket) => socket.write('RTSP/2.0 200 OK\r\n\r\n'), { kind: 'not_rtsp' }],
    ['noise', (socket) => socket.write(Buffer.alloc(1000, 0xa5)), { kind: 'not_rtsp' }],
  ] as [string, Behaviour, object][])('%s', async (_, behaviour, expected) => {
    expect(await (await device(behaviour)).ask()).toMatchObject(expected)
  })

  it('closes the connection after endless headers or endless noise', async () => {
    for (const [piece, kind] of [
      [`X-Mais: ${'1'.repeat(1000)}\r\n`, 'overlong'],
      ['\0'.repeat(1000), 'not_rtsp'],
    ] as const) {
      let isGone = false
      const nvr = await device((socket) => {
        socket.on('close', () => {
          isGone = true
        })
        if (kind === 'overlong') socket.write('RTSP/1.0 200 OK\r\n')
        const pour = () => {
          while (!socket.destroyed && socket.write(piece));
        }
        socket.on('drain', pour)
        pour()
      })
      expect(await nvr.ask({ timeoutMs: 5000 })).toMatchObject({ kind })
      await expect.poll(() => isGone).toBe(true)
    }
  })

  it('limits a slow header to the time of one answer, not per byte', async () => {
    const nvr = await device((socket) => {
      socket.write('RTSP/1.0 200 OK\r\n')
      const timer = setInterval(() => socket.write('X'), 50)
      socket.on('close', () => clearInterval(timer))
    })
    // The header never ends.
    expect(await nvr.ask()).toEqual({ kind: 'silent', isRtsp: true })
  })

  it('nobody at all', async () => {
    const nvr = await device()
    await nvr.close()
    expect(await nvr.ask()).toEqual({ kind: 'unreachable', why: 'refused' })
  })

  it('tries the next address when the first does not answer', async () => {
    const nvr = await device((socket, _, __, cseq) => socket.write(answer(cseq, 404)))
    const reached: string[] = []
    const addresses = ['127.0.0.9', '127.0.0.1', '127.0.0.8']
    const onReached = (address: string) => reached.push(address)
    expect(await nvr.ask({ addresses, onReached })).toMatchObject({ kind: 'answer', status: 404 })
    expect(reached).toEqual(['127.0.0.1'])
    expect(await nvr.ask({ addresses: [] })).toEqual({ kind: 'unreachable', why: 'no_route' })
  })

  it('ends at once when the signal aborts, before and during the request', async () => {
    const nvr = await device()
    expect(await nvr.ask({ signal: AbortSignal.abort() })).toEqual({ kind: 'aborted' })
    expect(requests(nvr)).toHaveLength(0)
    const abort = new AbortController()
    const asking = nvr.ask({ signal: abort.signal, timeoutMs: 20_000 })
    await expect.poll(() => requests(nvr).flat()).toHaveLength(1)
    abort.abort()
    expect(await asking).toEqual({ kind: 'aborted' })
  })

  it.each(['http://h/x', 'rtsp://h/a b', 'rtsp://h/a\r\nX: y', 'rtsp://h:1:2/', '/x', ''])(
    'rejects %j before any connection',
    async (url) => {
      const nvr = await device()
      await expect(nvr.ask({ url })).rejects.toThrow(RangeError)
      expect(requests(nvr)).toHaveLength(0)
    },
  )
})

const OPENSSL = 'openssl'
const hasOpenssl = (() => {
  try {
    execFileSync(OPENSSL, ['version'])
    return true
  } catch {
    return false
  }
})()

group.runIf(hasOpenssl)('rtsps (needs openssl)', () => {
  const selfSigned = () => {
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=nvr']
    const pem = execFileSync(OPENSSL, [...request, '-keyout', '-', '-out', '-'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return { key: pem.toString(), cert: pem.toString() }
  }

  it('connects over TLS to a device with a self-signed certificate', async () => {
    const nvr = await device((socket, _, __, cseq) => socket.write(answer(cseq, 200, [], SDP)), { tls: selfSigned() })
    const url = `rtsps://nvr.example:${nvr.porta}/canal1`
    expect(await nvr.ask({ url, timeoutMs: 3000 })).toMatchObject({ kind: 'answer', video: { codec: 'h264' } })
    expect(requests(nvr)[0]?.[0]).toContain(`DESCRIBE ${url} RTSP/1.0`)
  })

  it('reports missing TLS', async () => {
    const nvr = await device((socket) => socket.end('RTSP/1.0 400 No\r\n\r\n'))
    const plain = await device()
    running.push(await startRawServer(undefined, {}))
    for (const { porta, ask } of [nvr, plain])
      expect(await ask({ url: `rtsps://h:${porta}/` })).toMatchObject({ kind: 'unreachable' })
  })
})
