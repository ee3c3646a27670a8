import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { answer, type RawServer, startRawServer } from '@vigia/rtsp/testing/raw-server'
import { afterEach, describe, expect, it } from 'vitest'
import { createConnection } from './connection.ts'
import { createRedirectionFilter } from './redirection-filter.ts'
import { createStreamReader } from './stream-reader.ts'
import { playFootage } from './test-peer/footage.ts'
import { type Peer, type PeerOptions, sdpOf, startRtspPeer } from './test-peer/rtsp-peer.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function peer(options: PeerOptions): Promise<Peer> {
  const started = await startRtspPeer(options)
  closing.push(started.close)
  return started
}

async function bound(host: string, port = 0): Promise<Socket> {
  const socket = createSocket('udp4')
  closing.push(async () => void socket.close())
  socket.bind(port, host)
  await once(socket, 'listening')
  return socket
}

/** A device at another address; it must get no connection. */
async function stranger(): Promise<RawServer> {
  const started = await startRawServer(undefined, { host: '127.0.0.9' })
  closing.push(started.close)
  return started
}

/** Reads until the first picture; `aborted` means that it has come. */
async function read(url: string): Promise<unknown> {
  const taken = new AbortController()
  const reader = createStreamReader({ url, client: 'ffmpeg', openTimeoutMs: 2000, stallTimeoutMs: 2000 })
  return await reader.run({ onInfo: () => {}, onFrame: () => taken.abort() }, taken.signal)
}

const moved = (location: string, cseq = 2) => `RTSP/1.0 302 Found\r\nCSeq: ${cseq}\r\nLocation: ${location}\r\n\r\n`
const plays: PeerOptions['play'] = (rtp, connection) => void playFootage(rtp, connection, { count: 60 })

describe("FFmpeg's client", () => {
  it.each(['OPTIONS', 'DESCRIBE', 'SETUP'])(
    'follows no redirection of %s to another device, and sends it no login',
    async (method) => {
      const other = await stranger()
      const location = `rtsp://127.0.0.9:${other.porta}/x?password=y`
      const bytes = moved(location, ['OPTIONS', 'DESCRIBE', 'SETUP'].indexOf(method) + 1)
      const device = await peer({ react: (request) => (request.method === method ? { bytes } : 'regular') })
      const detail = `respondeu 302 a ${method}: rtsp://127.0.0.9:${other.porta}`
      expect(await read(device.url('stream', 'admin:segredo'))).toEqual({ failure: 'redirecionado', detail })
      expect(other.connections).toHaveLength(0)
      expect(device.requests.at(-1)?.method).toBe(method)
    },
  )

  it.each<[string, (location: string) => string]>([
    ['behind a packet', (location) => `$\0\0\x04abcd${moved(location)}`],
    ['behind a packet within a line', (location) => `X: y\r\n$\0\0\x04\r\n\r\n${moved(location)}`],
    [
      'behind an answer with a body',
      (location) => `RTSP/1.0 200 OK\r\nCSeq: 9\r\nContent-Length: 3\r\n\r\nabc${moved(location)}`,
    ],
    ['with carriage returns inside', (location) => moved(location).replace('1.0 302', '1\r.0 3\r02')],
    ['with a tab, a sign and zeros', (location) => moved(location).replace(' 302', '\t+00302')],
    ['of a version without end', (location) => moved(location).replace('1.0', '1'.repeat(200))],
    ['without a number of the request', (location) => moved(location).replace('CSeq: 2\r\n', '')],
  ])('follows none %s', async (_name, bytesOf) => {
    const other = await stranger()
    const bytes = bytesOf(`rtsp://127.0.0.9:${other.porta}/x`)
    const device = await peer({ react: (request) => (request.method === 'DESCRIBE' ? { bytes } : 'regular') })
    expect(await read(device.url('stream', 'admin:segredo'))).toMatchObject({ failure: expect.any(String) })
    expect(other.connections).toHaveLength(0)
  })

  it('follows one redirection to the same device, and logs in there', async () => {
    const credentials = { user: 'admin', password: 'segredo' }
    const device = await peer({
      credentials,
      play: plays,
      react: ({ method, url, headers }) =>
        method === 'DESCRIBE' && url.endsWith('/stream')
          ? { bytes: moved(`rtsp://127.0.0.1:${device.port}/movido`, Number(headers.cseq)) }
          : 'regular',
    })
    expect(await read(device.url('stream', 'admin:segredo'))).toBe('aborted')
    expect(device.requests.find(({ headers }) => headers.authorization)?.url).toMatch(/\/movido$/)
    const loop: Peer = await peer({
      react: ({ method, headers }) =>
        method === 'DESCRIBE' ? { bytes: moved('/outro', Number(headers.cseq)) } : 'regular',
    })
    const detail = `respondeu 302 a DESCRIBE: rtsp://127.0.0.1:${loop.port}`
    expect(await read(loop.url())).toEqual({ failure: 'redirecionado', detail })
    expect(loop.requests.filter(({ method }) => method === 'DESCRIBE')).toHaveLength(2)
  })

  it('leads no audio to another device', async () => {
    const other = await stranger()
    const bytes = moved(`rtsp://127.0.0.9:${other.porta}/x`)
    const device = await peer({ react: ({ method }) => (method === 'DESCRIBE' ? { bytes } : 'regular') })
    const connection = createConnection({ url: device.url(), audio: true, openTimeoutMs: 2000 })
    expect(await connection.run(AbortSignal.timeout(10_000))).toMatchObject({ failure: 'redirecionado' })
    expect(other.connections).toHaveLength(0)
  })
})

it("sends FFmpeg's packets over UDP to the device, and to no other address", async () => {
  const device = await bound('127.0.0.2')
  const { port } = device.address()
  const other = await bound('127.0.0.9', port)
  const lost: unknown[] = []
  other.on('message', (message) => lost.push(message))
  const arrived = once(device, 'message')
  const server = await startRawServer(
    (socket, request, _, cseq) => {
      const [, ports = ''] = /client_port=([\d-]+)/.exec(request) ?? []
      const transport = `RTP/AVP;unicast;client_port=${ports};server_port=${port}-${port + 1};source=127.0.0.9`
      const headers = request.startsWith('SETUP') ? ['Session: 1', `Transport: ${transport}`] : []
      socket.write(answer(cseq, 200, headers, request.startsWith('DESCRIBE') ? sdpOf('h264') : ''))
    },
    { host: '127.0.0.2' },
  )
  closing.push(server.close)
  const stop = new AbortController()
  const connection = createConnection({ url: `rtsp://127.0.0.2:${server.porta}/x`, client: 'ffmpeg_udp' })
  const running = connection.run(stop.signal)
  expect((await arrived)[0]).toBeInstanceOf(Buffer)
  stop.abort()
  await running
  expect(lost).toEqual([])
})

describe('createRedirectionFilter', () => {
  const run = (bytes: string, size: number, client = 'DESCRIBE rtsp://h/ RTSP/1.0\r\n\r\n') => {
    const filter = createRedirectionFilter('10.0.0.9')
    filter.fromClient(Buffer.from(client))
    let passed = ''
    for (let at = 0; at < bytes.length; at += size)
      passed += filter.fromDevice(Buffer.from(bytes.slice(at, at + size), 'latin1')).toString('latin1')
    return { passed, redirection: filter.redirection }
  }

  it.each([1, 7, 1000])('never passes on a whole status line of a redirection, in pieces of %i bytes', (size) => {
    const { passed, redirection } = run(`RTSP/1.0 200 OK\r\n\r\n${moved('rtsp://10.0.0.9/x')}`, size)
    expect(passed).not.toMatch(/ 302/)
    expect(redirection).toEqual({ status: 302, method: 'DESCRIBE', location: 'rtsp://10.0.0.9/x' })
  })

  it('ends a redirection without an end at its limit', () => {
    const endless = `RTSP/1.0 302 Found\r\n${'X: y\r\n'.repeat(5000)}`
    expect(run(endless, 1000).redirection).toEqual({ status: 302, method: 'DESCRIBE', location: undefined })
    expect(run(endless.slice(0, 10_000), 1000)).toEqual({ passed: '', redirection: null })
  })

  it('passes on everything else unchanged, and everything after PLAY', () => {
    const answer = 'RTSP/1.0 200 OK\r\nContent-Location: rtsp://h/\r\nContent-Length: 2\r\n\r\nv='
    expect(run(answer, 7)).toEqual({ passed: answer, redirection: null })
    expect(run(moved('x'), 7, 'PLAY rtsp://h/ RTSP/1.0\r\n\r\n')).toEqual({ passed: moved('x'), redirection: null })
  })

  it('names the device as the source of packets over UDP', () => {
    const transport = 'Transport: RTP/AVP;unicast;client_port=1-2;server_port=3-4'
    expect(run(`RTSP/1.0 200 OK\r\n${transport};source=10.9.9.9\r\nSession: 1\r\n\r\n`, 1000).passed).toContain(
      `${transport};source=10.9.9.9;source=10.0.0.9\r\nSession: 1`,
    )
    const tcp = 'RTSP/1.0 200 OK\r\nTransport: RTP/AVP/TCP;interleaved=0-1\r\n\r\n'
    expect(run(tcp, 1000).passed).toBe(tcp)
  })
})
