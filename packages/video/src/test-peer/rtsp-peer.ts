import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer, type Socket } from 'node:net'
import type { Codec } from './annex-b.ts'
import { createRtpWriter, type RtpWriter } from './rtp-writer.ts'

interface PeerRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Reaction of the peer to a request: the regular answer, no answer, a closed connection, an error status, or raw bytes.
 */
export type Reaction = 'regular' | 'mute' | 'hang-up' | { readonly status: string } | { readonly bytes: string }

export interface PeerOptions {
  readonly codec?: Codec
  readonly sdp?: string
  readonly credentials?: { readonly user: string; readonly password: string }
  react?(request: PeerRequest): Reaction
  /** Called after the answer to PLAY. */
  play?(rtp: RtpWriter, connection: Socket): void
  /** Called for every connection; if it returns true, the peer does not answer on that connection. */
  connected?(connection: Socket): boolean
}

export interface Peer {
  readonly port: number
  readonly requests: PeerRequest[]
  /** Number of open connections. */
  readonly connections: ReadonlySet<Socket>
  url(path?: string, userinfo?: string): string
  close(): Promise<void>
}

export const sdpOf = (codec: Codec): string =>
  [
    'v=0',
    'o=- 0 0 IN IP4 127.0.0.1',
    's=peer',
    'c=IN IP4 0.0.0.0',
    't=0 0',
    'm=video 0 RTP/AVP 96',
    `a=rtpmap:96 ${codec.toUpperCase()}/90000`,
    'a=control:track1',
    '',
  ].join('\r\n')

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
const realm = 'peer'
const nonce = 'abcdef0123456789'

function authorized({ method, headers }: PeerRequest, credentials: PeerOptions['credentials']): boolean {
  if (!credentials || method === 'OPTIONS') return true
  const given = Object.fromEntries(
    [...(headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g)].map((match) => [match[1], match[2]]),
  )
  const expected = md5(
    `${md5(`${credentials.user}:${realm}:${credentials.password}`)}:${nonce}:${md5(`${method}:${given.uri}`)}`,
  )
  return given.username === credentials.user && given.response === expected
}

/** An RTSP server (RFC 2326) on a real socket; a test can replace each answer. TCP interleaved and UDP. */
export function startRtspPeer(options: PeerOptions = {}): Promise<Peer> {
  const codec = options.codec ?? 'h264'
  const requests: PeerRequest[] = []
  const connections = new Set<Socket>()

  const server = createServer((connection) => {
    connections.add(connection)
    connection.on('close', () => connections.delete(connection))
    connection.on('error', () => {})
    if (options.connected?.(connection)) {
      // Without further reads this side would not detect a closed connection.
      connection.resume()
      return
    }
    let received = Buffer.alloc(0)
    let writer: RtpWriter | null = null

    const sendOver = (transport: string): string => {
      const raw = (bytes: Buffer | string) => void connection.write(bytes)
      const ports = /client_port=(\d+)-(\d+)/.exec(transport)
      if (!ports) {
        const framed = (packet: Buffer, channel: 0 | 1) => {
          const header = Buffer.from([0x24, channel, packet.length >> 8, packet.length & 255])
          connection.write(Buffer.concat([header, packet]))
        }
        writer = createRtpWriter(codec, framed, raw)
        return 'RTP/AVP/TCP;unicast;interleaved=0-1'
      }
      const datagrams = createSocket('udp4')
      connection.on('close', () => datagrams.close())
      writer = createRtpWriter(
        codec,
        (packet, channel) => datagrams.send(packet, Number(ports[channel + 1]), '127.0.0.1'),
        raw,
      )
      return `RTP/AVP;unicast;client_port=${ports[1]}-${ports[2]};server_port=50000-50001`
    }

    const answer = (request: PeerRequest) => {
      const reply = (status: string, headers: string[] = [], body = '') => {
        const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
        const head = [`RTSP/1.0 ${status}`, `CSeq: ${request.headers.cseq}`, ...headers, ...length]
        connection.write(`${head.join('\r\n')}\r\n\r\n${body}`)
      }
      const reaction = options.react?.(request) ?? 'regular'
      if (reaction === 'mute') return
      if (reaction === 'hang-up') return void connection.destroy()
      if (typeof reaction === 'object') {
        if ('status' in reaction) return reply(reaction.status)
        return void connection.write(reaction.bytes)
      }
      if (!authorized(request, options.credentials)) {
        return reply('401 Unauthorized', [`WWW-Authenticate: Digest realm="${realm}", nonce="${nonce}"`])
      }
      if (request.method === 'OPTIONS') return reply('200 OK', ['Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN'])
      if (request.method === 'DESCRIBE') {
        const headers = [`Content-Base: ${request.url}/`, 'Content-Type: application/sdp']
        return reply('200 OK', headers, options.sdp ?? sdpOf(codec))
      }
      if (request.method === 'SETUP') {
        return reply('200 OK', [`Transport: ${sendOver(request.headers.transport ?? '')}`, 'Session: 1;timeout=60'])
      }
      reply('200 OK', ['Session: 1'])
      if (request.method === 'PLAY' && writer) options.play?.(writer, connection)
    }

    connection.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      for (;;) {
        if (received[0] === 0x24 && received.length >= 4) {
          const length = 4 + received.readUInt16BE(2)
          if (received.length < length) return
          received = received.subarray(length)
          continue
        }
        const end = received.indexOf('\r\n\r\n')
        if (end < 0) return
        const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n')
        received = received.subarray(end + 4)
        const [method = '', url = ''] = first.split(' ')
        const headers = Object.fromEntries(
          lines.map((line) => [
            line.slice(0, line.indexOf(':')).toLowerCase(),
            line.slice(line.indexOf(':') + 1).trim(),
          ]),
        )
        const request = { method, url, headers }
        requests.push(request)
        answer(request)
      }
    })
  })

  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      resolve({
        port,
        requests,
        connections,
        url: (path = 'stream', userinfo = '') => `rtsp://${userinfo && `${userinfo}@`}127.0.0.1:${port}/${path}`,
        close: () =>
          new Promise((done) => {
            for (const connection of connections) connection.destroy()
            server.close(() => done())
          }),
      })
    })
  })
}
