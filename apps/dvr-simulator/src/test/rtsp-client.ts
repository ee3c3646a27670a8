import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { type Credentials, respond } from '@vigia/rtsp/digest'
import { waitFor } from '@vigia/testing/wait'

export interface ClientResponse {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

export interface ReceivedPacket {
  readonly channel: number
  readonly data: Buffer
  readonly atMs: number
}

export interface RtspClient {
  readonly socket: Socket
  /** Sends a request and resolves with its answer; signs it after a challenge if credentials are set. */
  request(method: string, uri: string, headers?: Record<string, string>): Promise<ClientResponse>
  /** Interleaved packets received so far. */
  readonly packets: readonly ReceivedPacket[]
  readonly closed: boolean
  close(): void
}

/** A client without automatic behaviour, so that tests see the exact answers of the server. */
export async function connectClient(port: number, credentials?: Credentials): Promise<RtspClient> {
  const socket = connect(port, '127.0.0.1')
  const packets: ReceivedPacket[] = []
  const waiting = new Map<string, (response: ClientResponse) => void>()
  let pending = Buffer.alloc(0)
  let cseq = 0
  let closed = false
  let challenge: string | undefined
  let nonceCount = 0
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    closed = true
  })
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    for (let length = take(); length > 0; length = take()) pending = pending.subarray(length)
  })

  function take(): number {
    if (pending[0] === 0x24) {
      const length = pending.length < 4 ? Number.POSITIVE_INFINITY : 4 + pending.readUInt16BE(2)
      if (pending.length < length) return 0
      packets.push({
        channel: pending[1] ?? 0,
        data: Buffer.from(pending.subarray(4, length)),
        atMs: performance.now(),
      })
      return length
    }
    const end = pending.indexOf('\r\n\r\n')
    if (end < 0) return 0
    const [first = '', ...lines] = pending.toString('utf8', 0, end).split('\r\n')
    const headers = new Map(
      lines.map((line): [string, string] => {
        const at = line.indexOf(':')
        return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
      }),
    )
    const length = end + 4 + Number(headers.get('content-length') ?? 0)
    if (pending.length < length) return 0
    const response = { status: Number(first.split(' ')[1]), headers, body: pending.toString('utf8', end + 4, length) }
    waiting.get(headers.get('cseq') ?? '')?.(response)
    return length
  }

  const send = (method: string, uri: string, headers: Record<string, string>): Promise<ClientResponse> => {
    const id = String(++cseq)
    const signed =
      credentials && challenge
        ? respond(
            [challenge],
            credentials,
            { method, uri },
            { nonceCount: ++nonceCount, cnonce: randomBytes(8).toString('hex') },
          )
        : null
    const all = { CSeq: id, ...(signed ? { Authorization: signed } : {}), ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`${method} ${uri} RTSP/1.0\r\n${lines.join('')}\r\n`)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), 5000)
      const gone = () => reject(new Error(`connection closed on ${method}`))
      socket.once('close', gone)
      waiting.set(id, (response) => {
        clearTimeout(timer)
        socket.off('close', gone)
        resolve(response)
      })
    })
  }

  return {
    socket,
    packets,
    get closed() {
      return closed
    },
    async request(method, uri, headers = {}) {
      const response = await send(method, uri, headers)
      const asked = response.headers.get('www-authenticate')
      if (response.status !== 401 || !credentials || !asked || (challenge && !asked.includes('stale=true')))
        return response
      challenge = asked
      return await send(method, uri, headers)
    },
    close: () => socket.destroy(),
  }
}

export const TCP = { Transport: 'RTP/AVP/TCP;unicast;interleaved=0-1' }

/** Sends DESCRIBE, SETUP over TCP and PLAY; resolves with the session's id. */
export async function play(client: RtspClient, uri: string): Promise<string> {
  const described = await client.request('DESCRIBE', uri, { Accept: 'application/sdp' })
  const base = described.headers.get('content-base') ?? ''
  const setup = await client.request('SETUP', `${base}trackID=0`, TCP)
  const session = setup.headers.get('session')?.split(';')[0] ?? ''
  const played = await client.request('PLAY', base, { Session: session })
  if (played.status !== 200) throw new Error(`PLAY: ${described.status}, ${setup.status}, ${played.status}`)
  return session
}

export interface RtpPacket {
  readonly marker: boolean
  readonly sequence: number
  readonly timestamp: number
  readonly payload: Buffer
}

export const rtpPackets = (client: RtspClient): RtpPacket[] =>
  client.packets
    .filter(({ channel }) => channel === 0)
    .map(({ data }) => ({
      marker: ((data[1] ?? 0) & 0x80) !== 0,
      sequence: data.readUInt16BE(2),
      timestamp: data.readUInt32BE(4),
      payload: data.subarray(12),
    }))

/** Waits for this many RTP packets on a TCP session. */
export const receive = (client: RtspClient, count: number): Promise<RtpPacket[]> =>
  waitFor(`${count} RTP packets`, () => {
    const packets = rtpPackets(client)
    return packets.length >= count && packets
  })
