import { connect } from 'node:net'
import { type StreamEnd, streamEnd } from './failure.ts'

export interface Peer {
  readonly host: string
  readonly port: number
  readonly tls: boolean
}

/** What a look at a peer found: what is wrong with it, that it speaks RTSP, or nothing (aborted, or TLS hides the rest). */
type PeerSight = StreamEnd | 'speaks-rtsp' | 'unknown'

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

/** The shortest request every RTSP server answers (RFC 2326 section 10.1); it carries no path and no credentials. */
const optionsRequest = 'OPTIONS * RTSP/1.0\r\nCSeq: 1\r\nUser-Agent: Vigia\r\n\r\n'

/**
 * Tells apart the cases behind one FFmpeg error code by one short connection to the peer: does its name resolve, does it
 * accept, does it answer, does it speak RTSP? Only done after an open failed, so a healthy recorder never sees it.
 * Never rejects.
 */
export function lookAtPeer(peer: Peer, timeoutMs: number, signal: AbortSignal): Promise<PeerSight> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve('unknown')
    const socket = connect({ host: peer.host, port: peer.port })
    let connected = false
    let answer = ''
    const finish = (sight: PeerSight) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.destroy()
      resolve(sight)
    }
    const onAbort = () => finish('unknown')
    const timer = setTimeout(() => finish(streamEnd(connected ? 'sem_resposta' : 'sem_rota')), timeoutMs)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.on('connect', () => {
      connected = true
      // An encrypted peer is only asked whether it accepts: a TLS handshake would add nothing to what FFmpeg saw.
      if (peer.tls) finish('unknown')
      else socket.write(optionsRequest)
    })
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1', 0, 16)
      if (answer.length >= 5) finish(answer.startsWith('RTSP/') ? 'speaks-rtsp' : streamEnd('nao_e_rtsp'))
    })
    // Accepts and hangs up without a word: a firewall or a recorder that is out of connections.
    socket.on('close', () => finish(streamEnd(answer === '' ? 'conexao_recusada' : 'nao_e_rtsp')))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const known = connectFailures[error.code ?? '']
      if (known) finish(known)
      else if (error.code === 'ETIMEDOUT') finish(streamEnd('sem_rota'))
      // Anything else (a reset) is followed by `close`, which judges it.
    })
  })
}
