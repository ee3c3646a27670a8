import type { Socket } from 'node:net'
import { startRawServer } from '@vigia/rtsp/testing/raw-server'

/** A device that answers with a text of a folder. */
export interface TextServer {
  readonly url: string
  /** Addresses of its SETUP requests, without scheme and server. */
  readonly setups: readonly string[]
  close(): Promise<void>
}

const SETUP = ['Session: 1;timeout=60', 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1']
const RECORDED = ['DESCRIBE', 'SETUP', 'PLAY']

/**
 * Serves the body of an answer to DESCRIBE, or (`isDialogue`) recorded answers to DESCRIBE, SETUP and PLAY, of which
 * later ones may be missing. The text is latin1, so that each byte is sent as it is. No packets are sent.
 */
export async function serveText(text: string, isDialogue: boolean): Promise<TextServer> {
  const recorded = isDialogue ? text.split(/(?=RTSP\/1\.0 \d{3})/).filter((part) => part.trim() !== '') : []
  const setups: string[] = []
  const respond = (socket: Socket, request: string, cseq: string) => {
    const [method = '', url = ''] = request.split(' ')
    if (method === 'SETUP') setups.push(url.replace(/^rtsps?:\/\/[^/]*/i, ''))
    const kept = recorded[RECORDED.indexOf(method)]
    if (kept !== undefined)
      return void socket.write(kept.replace(/^(CSeq[ \t]*:).*?(\r?)$/im, `$1 ${cseq}$2`), 'latin1')
    const body = method === 'DESCRIBE' ? text : ''
    const headers = method === 'DESCRIBE' ? [`Content-Base: ${url}/`, 'Content-Type: application/sdp'] : SETUP
    const head = ['RTSP/1.0 200 OK', `CSeq: ${cseq}`, ...headers, `Content-Length: ${body.length}`]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1')
  }
  const server = await startRawServer((socket, request, _, cseq) => respond(socket, request, cseq))
  return { url: `rtsp://admin:senha@127.0.0.1:${server.porta}/canal`, setups, close: server.close }
}
