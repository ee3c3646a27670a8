import { createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

export interface RawServer {
  readonly porta: number
  /** Connections so far with their requests. */
  readonly connections: readonly { readonly requests: string[] }[]
  close(): Promise<void>
}

/**
 * Answers as a simulated device: `n` counts its requests from 1 over all connections; `cseq` belongs to the request.
 */
export type Behaviour = (socket: Socket, request: string, n: number, cseq: string) => void

/** A server that passes each request to `behaviour`; without `behaviour` it never answers. */
export async function startRawServer(
  behaviour: Behaviour = () => {},
  { host = '127.0.0.1', porta = 0, tls }: { host?: string; porta?: number; tls?: { key: string; cert: string } } = {},
): Promise<RawServer> {
  const connections: { requests: string[] }[] = []
  const sockets = new Set<Socket>()
  let count = 0
  const serve = (socket: Socket) => {
    const connection = { requests: [] as string[] }
    connections.push(connection)
    sockets.add(socket)
    let pending = ''
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk: Buffer) => {
      pending += chunk.toString('latin1')
      for (let end = pending.indexOf('\r\n\r\n'); end >= 0; end = pending.indexOf('\r\n\r\n')) {
        const request = pending.slice(0, end)
        pending = pending.slice(end + 4)
        connection.requests.push(request)
        behaviour(socket, request, ++count, /^CSeq: (\d+)/m.exec(request)?.[1] ?? '')
      }
    })
  }
  const server = tls ? createTlsServer(tls, serve) : createServer(serve)
  await new Promise<void>((resolve) => server.listen(porta, host, resolve))
  const address = server.address()
  return {
    porta: typeof address === 'object' && address ? address.port : 0,
    connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** The description of an H.264 track, and the answer to its SETUP. */
export const VIDEO = [
  'm=video 0 RTP/AVP 96',
  'a=rtpmap:96 H264/90000',
  'a=fmtp:96 sprop-parameter-sets=Z0LAFtkAoC/5cBEAAAMAAQAAAwAUDxYuSA==,aM44gA==',
  'a=control:video',
  '',
]
export const SETUP = ['Session: s1;timeout=60', 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1']

/** A device's answer with the usual headers and a length. */
export const answer = (cseq: string, status: number, headers: readonly string[] = [], body = ''): string =>
  [
    `RTSP/1.0 ${status} Motivo`,
    `CSeq: ${cseq}`,
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')

export const SDP = [
  'v=0',
  's=x',
  'm=video 0 RTP/AVP 96',
  'a=rtpmap:96 H264/90000',
  'a=framesize:96 1280-720',
  'a=control:trackID=0',
  '',
].join('\r\n')
