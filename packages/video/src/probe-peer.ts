import { connect } from 'node:net'
import { type StreamEnd, streamEnd } from './failure.ts'

export interface Peer {
  readonly host: string
  readonly port: number
  readonly tls: boolean
}

/** Result of a probe: the failure, `speaks-rtsp`, or `unknown` (aborted, or TLS). */
type PeerProbe = StreamEnd | 'speaks-rtsp' | 'unknown'

const connectFailures: Readonly<Record<string, StreamEnd>> = {
  ENOTFOUND: streamEnd('nome_nao_resolvido'),
  EAI_AGAIN: streamEnd('nome_nao_resolvido'),
  EAI_FAIL: streamEnd('nome_nao_resolvido'),
  EAI_NODATA: streamEnd('nome_nao_resolvido'),
  ECONNREFUSED: streamEnd('conexao_recusada'),
  EHOSTUNREACH: streamEnd('sem_rota'),
  ENETUNREACH: streamEnd('sem_rota'),
  EHOSTDOWN: streamEnd('sem_rota'),
  ENETDOWN: streamEnd('sem_rota'),
}

/** The shortest request that every RTSP server answers (RFC 2326 section 10.1), without path and credentials. */
const optionsRequest = 'OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nUser-Agent: Vigia\r\n\r\n'

/**
 * Distinguishes the cases behind one FFmpeg error code by one short connection to the peer. It tests name resolution,
 * connection, answer and RTSP. It runs only after a failed open, so a healthy recorder never receives it. Never
 * rejects.
 */
export function probePeer(peer: Peer, timeoutMs: number, signal: AbortSignal): Promise<PeerProbe> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve('unknown')
    const socket = connect({ host: peer.host, port: peer.port })
    let connected = false
    let answer = ''
    const finish = (result: PeerProbe) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.destroy()
      resolve(result)
    }
    const onAbort = () => finish('unknown')
    const timer = setTimeout(() => finish(streamEnd(connected ? 'sem_resposta' : 'sem_rota')), timeoutMs)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.on('connect', () => {
      connected = true
      // For TLS only the TCP connection is tested, because a handshake adds no information to FFmpeg's result.
      if (peer.tls) finish('unknown')
      else socket.write(optionsRequest)
    })
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1', 0, 16)
      if (answer.length >= 5) finish(answer.startsWith('RTSP/') ? 'speaks-rtsp' : streamEnd('nao_e_rtsp'))
    })
    // The peer accepts and closes without an answer: a firewall, or a recorder without free connections.
    socket.on('close', () => finish(streamEnd(answer === '' ? 'conexao_recusada' : 'nao_e_rtsp')))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const known = connectFailures[error.code ?? '']
      if (known) finish(known)
      else if (error.code === 'ETIMEDOUT') finish(streamEnd('sem_rota'))
      // Other errors (a reset) are followed by `close`.
    })
  })
}
