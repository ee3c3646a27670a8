import { execFileSync, spawnSync } from 'node:child_process'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { openRtspSession, type RtspAccessUnit } from '../client.ts'
import { answer, type Behaviour, type RawServer, SETUP, startRawServer, VIDEO } from '../testing/raw-server.ts'

type Options = Partial<Parameters<typeof openRtspSession>[0]>

const SDP = ['v=0', 'm=audio 0 RTP/AVP 8', 'a=control:som', ...VIDEO].join('\r\n')

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const running: RawServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

/** Builds one packet with a whole slice: an IDR slice if `keyframe` is set. */
function picture(index: number, { channel = 0, payloadType = 96, keyframe = index === 0 } = {}): Buffer {
  const data = Buffer.from([
    0x24,
    channel,
    0,
    15,
    0x80,
    0x80 | payloadType,
    0,
    index,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    1,
    0,
    0x88,
    index,
  ])
  data.writeUInt32BE(index * 3600, 8)
  data[16] = keyframe ? 0x65 : 0x41
  return data
}
const pictures = (count: number, options: Parameters<typeof picture>[1] = {}): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => picture(index, options)))

/** A recorder that plays `media`; `react` replaces an answer by returning true. */
async function recorder(
  media: Buffer,
  react: (...given: Parameters<Behaviour>) => boolean = () => false,
  tls?: { key: string; cert: string },
) {
  const behaviour: Behaviour = (socket, request, n, cseq) => {
    if (react(socket, request, n, cseq)) return
    if (request.startsWith('DESCRIBE')) socket.write(answer(cseq, 200, ['Content-Base: rtsp://nvr/base/'], SDP))
    else if (request.startsWith('SETUP')) socket.write(answer(cseq, 200, SETUP))
    else socket.write(answer(cseq, 200, ['Public: OPTIONS, GET_PARAMETER']))
    if (request.startsWith('PLAY')) socket.write(media)
  }
  const server = await startRawServer(behaviour, tls ? { tls } : {})
  running.push(server)
  const stop = new AbortController()
  const units: RtspAccessUnit[] = []
  const play = (options: Options = {}, count = Number.POSITIVE_INFINITY) =>
    openRtspSession({
      url: `${tls ? 'rtsps' : 'rtsp'}://admin:segredo@127.0.0.1:${server.porta}/cam?channel=1`,
      openTimeoutMs: 1000,
      stallTimeoutMs: 300,
      signal: stop.signal,
      onParameters: () => {},
      onAccessUnit(unit) {
        units.push(unit)
        if (units.length === count) stop.abort()
      },
      ...options,
    })
  const requests = () => server.connections.flatMap(({ requests: list }) => list.map((text) => text.split('\r\n')))
  const requestOf = (method: string) => requests().find(([first]) => first?.startsWith(method)) ?? []
  return { server, units, play, requests, requestOf, stop }
}

describe('openRtspSession', () => {
  it('sets up only the video track and ends with TEARDOWN', async () => {
    const { units, play, requests } = await recorder(pictures(6))
    expect(await play({}, 5)).toBe('aborted')
    expect(units).toHaveLength(5)
    const lines = requests().map(([first]) => first?.replace(/127\.0\.0\.1:\d+/, 'nvr'))
    expect(lines).toEqual([
      'OPTIONS rtsp://nvr/cam?channel=1 RTSP/1.0',
      'DESCRIBE rtsp://nvr/cam?channel=1 RTSP/1.0',
      'SETUP rtsp://nvr/base/video RTSP/1.0',
      // The base has no query, so the client plays the URL of the request.
      'PLAY rtsp://nvr/cam?channel=1 RTSP/1.0',
      'TEARDOWN rtsp://nvr/cam?channel=1 RTSP/1.0',
    ])
    expect(requests().at(-1)).toContain('Session: s1')
    expect(requests().flat().join()).not.toContain('segredo')
  })

  it('sends the Range, Scale, Rate-Control and Require headers, and reports the granted values', async () => {
    const { play, requestOf } = await recorder(pictures(2), (socket, request, _, cseq) => {
      if (!request.startsWith('PLAY')) return false
      socket.write(answer(cseq, 200, ['Scale: 4.0', 'Range: clock=20260101T030000Z-']))
      // BYE (RFC 3550 6.6) ends a recording.
      socket.write(Buffer.concat([pictures(2), Buffer.from([0x24, 1, 0, 8, 0x81, 203, 0, 1, 0, 0, 0, 1])]))
      return true
    })
    const granted: unknown[] = []
    const range = 'clock=20260101T030000Z-20260101T030030Z'
    const end = await play({
      range,
      scale: 8,
      rateControl: false,
      require: 'onvif-replay',
      onPlaying: (given) => granted.push(given),
    })
    expect(end).toBe('end')
    expect(granted).toEqual([{ range: 'clock=20260101T030000Z-', scale: 4 }])
    expect(requestOf('SETUP')).toContain('Require: onvif-replay')
    for (const header of [`Range: ${range}`, 'Scale: 8.000', 'Rate-Control: no', 'Require: onvif-replay'])
      expect(requestOf('PLAY')).toContain(header)
    expect(requestOf('DESCRIBE').join()).not.toContain('Require')
  })

  it('passes on the last complete picture when the stream ends', async () => {
    const { units, play } = await recorder(pictures(2), (socket, request, _, cseq) => {
      if (!request.startsWith('PLAY')) return false
      socket.end(Buffer.concat([Buffer.from(answer(cseq, 200)), pictures(2)]))
      return true
    })
    expect(await play()).toMatchObject({ failure: 'fluxo_encerrado' })
    expect(units.map(({ ticks }) => ticks)).toEqual([0, 3600])
  })

  /** A recorder that redirects the first `times` requests of `method` to the address that `location` returns. */
  const redirecting = (location: (porta: number) => string, times = 1, method = 'DESCRIBE') =>
    recorder(pictures(6), (socket, request, _, cseq) => {
      if (!request.startsWith(method) || times-- <= 0) return false
      socket.write(answer(cseq, 302, [`Location: ${location(socket.localPort ?? 0)}`]))
      return true
    })

  it.each(['DESCRIBE', 'SETUP', 'PLAY'])('follows a redirection of %s to the same address', async (method) => {
    const { server, play, requests } = await redirecting((porta) => `rtsp://127.0.0.1:${porta}/movido`, 1, method)
    expect(await play({}, 1)).toBe('aborted')
    expect(server.connections).toHaveLength(2)
    expect(requests().filter(([first]) => /^DESCRIBE .*\/movido RTSP/.test(first ?? ''))).toHaveLength(1)
  })

  it('follows a redirection to another port, and logs in there', async () => {
    const { server, play } = await recorder(pictures(6), (socket, request, _, cseq) => {
      if (request.includes('Authorization: Digest')) return false
      socket.write(answer(cseq, 401, ['WWW-Authenticate: Digest realm="r", nonce="n"']))
      return true
    })
    const first = await redirecting(() => `rtsp://x:y@127.0.0.1:${server.porta}/cam`)
    expect(await first.play({ onAccessUnit: () => first.stop.abort() })).toBe('aborted')
    expect(server.connections[0]?.requests.join()).toContain('Digest username="admin"')
    expect(await play({}, 1)).toBe('aborted')
  })

  it('follows one redirection, and names the address of a second one', async () => {
    const { server, play } = await redirecting((porta) => `rtsp://127.0.0.1:${porta}/outro`, 9)
    const detail = `respondeu 302 a DESCRIBE: rtsp://127.0.0.1:${server.porta}`
    expect(await play()).toEqual({ failure: 'redirecionado', detail, status: 302 })
    expect(server.connections).toHaveLength(2)
  })

  it('does not follow a redirection to another address, and names it without login and path', async () => {
    const other = await startRawServer(() => {}, { host: '127.0.0.9' })
    running.push(other)
    const { play } = await redirecting(() => `rtsp://a:b@127.0.0.9:${other.porta}/x?password=b`)
    const detail = `respondeu 302 a DESCRIBE: rtsp://127.0.0.9:${other.porta}`
    expect(await play()).toEqual({ failure: 'redirecionado', detail, status: 302 })
    expect(other.connections).toHaveLength(0)
  })

  it('names a new address where nobody answers', async () => {
    const { play } = await redirecting(() => 'rtsp://127.0.0.1:1/x')
    const detail = 'respondeu 302 a DESCRIBE: rtsp://127.0.0.1:1'
    expect(await play()).toEqual({ failure: 'redirecionado', detail, status: 302 })
  })

  it('answers requests of the server, and ends after a TEARDOWN from the server', async () => {
    const asks = (socket: Socket, text: string) => socket.write(`${text}\r\nCSeq: 5\r\n\r\n`)
    const replies: string[] = []
    const { play } = await recorder(pictures(3), (socket, request, _, cseq) => {
      if (request.startsWith('RTSP/1.0')) {
        replies.push(request.split('\r\n')[0] ?? '')
        if (replies.length === 2) asks(socket, 'TEARDOWN rtsp://nvr/ RTSP/1.0')
        return true
      }
      if (!request.startsWith('PLAY')) return false
      socket.write(answer(cseq, 200))
      asks(socket, 'OPTIONS * RTSP/1.0')
      asks(socket, 'REDIRECT rtsp://nvr/ RTSP/1.0')
      return true
    })
    expect(await play()).toMatchObject({ failure: 'fluxo_encerrado' })
    // The reply to TEARDOWN may also arrive.
    expect(replies.slice(0, 2)).toEqual(['RTSP/1.0 200 OK', 'RTSP/1.0 501 Not Implemented'])
  })

  it('reads the channel that carries the packets, and no audio', async () => {
    const audio = pictures(3, { payloadType: 8 })
    const { units, play } = await recorder(Buffer.concat([audio, pictures(6, { channel: 2 })]))
    expect(await play({}, 5)).toBe('aborted')
    expect(units.map(({ ticks }) => ticks)).toEqual([0, 3600, 7200, 10_800, 14_400])
  })

  it('sends receiver reports, and reads the wall clock from sender reports', async () => {
    const report = Buffer.alloc(32)
    report.set([0x24, 1, 0, 28, 0x80, 200, 0, 6, 0, 0, 0, 1])
    // 2026-01-01 at RTP time 0.
    report.writeUInt32BE(3_976_214_400, 12)
    let received = Buffer.alloc(0)
    const { units, play } = await recorder(Buffer.alloc(0), (socket, request, _, cseq) => {
      if (!request.startsWith('PLAY')) return false
      socket.on('data', (data: Buffer) => {
        received = Buffer.concat([received, data])
        if (received.includes(Buffer.from([0x24, 1])) && units.length === 0) socket.write(pictures(6).subarray(19))
      })
      socket.write(answer(cseq, 200))
      socket.write(Buffer.concat([picture(0), report]))
      return true
    })
    expect(await play({}, 2)).toBe('aborted')
    expect(units.map(({ utcMs }) => utcMs)).toEqual([Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1) + 40])
    const frame = received.subarray(received.indexOf(Buffer.from([0x24, 1])))
    expect([...frame.subarray(4, 6)]).toEqual([0x81, 201])
    // The receiver report repeats the middle 32 bits of the sender report's NTP time and counts no lost packet.
    expect(frame.readUInt32BE(28)).toBe(report.readUInt32BE(14))
    expect(frame.readUInt32BE(16)).toBe(0)
  })

  it('reconnects with the challenge when the server closes after it', async () => {
    const { server, units, play } = await recorder(pictures(6), (socket, request, _, cseq) => {
      if (request.includes('Authorization: Digest')) return false
      socket.end(answer(cseq, 401, ['WWW-Authenticate: Digest realm="r", nonce="n", qop="auth"']))
      return true
    })
    expect(await play({}, 1)).toBe('aborted')
    expect(units).toHaveLength(1)
    expect(server.connections).toHaveLength(2)
  })

  it('counts the uses of a nonce', async () => {
    const { play, requests } = await recorder(pictures(6), (socket, request, _, cseq) => {
      if (request.includes('Authorization: Digest')) return false
      socket.write(answer(cseq, 401, ['WWW-Authenticate: Digest realm="r", nonce="n", qop="auth"']))
      return true
    })
    await play({}, 1)
    const counts = requests().flatMap((lines) => /nc=(\d+)/.exec(lines.join())?.[1] ?? [])
    expect(counts).toEqual(['00000001', '00000002', '00000003', '00000004', '00000005'])
  })

  it('plays when pictures arrive without an answer to PLAY', async () => {
    const { play } = await recorder(Buffer.alloc(0), (socket, request) => {
      if (!request.startsWith('PLAY')) return false
      socket.write(pictures(6))
      return true
    })
    expect(await play({ openTimeoutMs: 200 })).toMatchObject({ failure: 'video_parado' })
  })

  it.runIf(hasOpenssl)('connects over TLS to a recorder with a self-signed certificate (needs openssl)', async () => {
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=nvr']
    const pem = execFileSync('openssl', [...request, '-keyout', '-', '-out', '-'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString()
    const { play } = await recorder(pictures(6), () => false, { key: pem, cert: pem })
    expect(await play({ openTimeoutMs: 3000 }, 1)).toBe('aborted')
  })

  it('rejects with the error of a callback, and closes', async () => {
    const { server, play } = await recorder(pictures(6))
    const boom = new Error('full')
    const thrown = () => {
      throw boom
    }
    await expect(play({ onAccessUnit: thrown })).rejects.toBe(boom)
    await expect(play({ onParameters: thrown })).rejects.toBe(boom)
    expect(server.connections).toHaveLength(2)
  })

  it.each([
    ['rtsp://127.0.0.1:1/x', 'conexao_recusada'],
    ['rtsp://camera.invalid/x', 'nome_nao_resolvido'],
    ['http://127.0.0.1/x', 'url_ilegivel'],
    ['rtsp://127.0.0.1:99999/x', 'url_ilegivel'],
    ['rtsp:///x', 'url_ilegivel'],
  ])('%s: %s', async (url, failure) => {
    const { play } = await recorder(Buffer.alloc(0))
    expect(await play({ url })).toEqual({ failure, detail: null, status: null })
  })

  it('refuses a header with a line break', async () => {
    const { play } = await recorder(Buffer.alloc(0))
    await expect(play({ range: 'npt=0-\r\nX: y' })).rejects.toThrow(RangeError)
  })
})
