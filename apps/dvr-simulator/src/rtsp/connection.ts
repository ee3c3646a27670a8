import type { Socket } from 'node:net'
import { createTcpTransport } from '../rtp/tcp-transport.ts'
import { createUdpTransport } from '../rtp/udp-transport.ts'
import { createDialogue, type DialogueOptions, type Line } from './dialogue.ts'
import { createMessageReader, formatResponse, type Incoming } from './message.ts'

/** Largest number of unsent bytes of answers to a client that never reads; well above the limit for media. */
const MAX_UNREAD = 8 * 1024 * 1024

/**
 * Serves one client until it disconnects, becomes silent or sends invalid data; its session ends with the connection.
 */
export function serveConnection(socket: Socket, options: DialogueOptions, isSurplus: boolean): void {
  const reader = createMessageReader()
  const silence = setTimeout(() => socket.destroy(), options.sessionTimeoutMs)
  const dialogue = createDialogue(
    lineOver(socket, isSurplus, () => sign(null)),
    options,
  )
  /** A request of the client, or a report (null). */
  const sign = (method: string | null) => {
    if (dialogue.keepsAlive(method)) silence.refresh()
  }
  /** Requests are answered in order, although SETUP waits for its ports. */
  let turn: Promise<void> = Promise.resolve()

  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    for (const incoming of reader.push(chunk)) turn = turn.then(() => handle(incoming))
  })
  // Many clients disconnect by a reset; the 'close' event follows.
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    clearTimeout(silence)
    dialogue.end()
  })

  async function handle(incoming: Incoming): Promise<void> {
    if (socket.destroyed) return
    if (incoming.kind === 'invalid') {
      socket.write(formatResponse({ status: 400 }, null))
      socket.destroySoon()
      return
    }
    sign(incoming.kind === 'request' ? incoming.request.method : null)
    if (incoming.kind === 'interleaved') return
    const cseq = /^\d{1,10}$/.exec(incoming.request.headers.get('cseq') ?? '')?.[0] ?? null
    const response = cseq === null ? ({ status: 400 } as const) : await dialogue.answer(incoming.request)
    if (!response || socket.destroyed) return
    socket.write(formatResponse(response, cseq))
    if (socket.writableLength > MAX_UNREAD) socket.destroy()
  }
}

function lineOver(socket: Socket, isSurplus: boolean, onReport: () => void): Line {
  const localAddress = plain(socket.localAddress)
  const clientAddress = plain(socket.remoteAddress)
  return {
    localAddress,
    clientAddress,
    isSurplus,
    cut: () => socket.destroy(),
    flood(text) {
      socket.write('RTSP/1.0 200 OK\r\n')
      const pour = () => {
        while (!socket.destroyed && socket.write(text));
      }
      socket.on('drain', pour)
      pour()
    },
    async openTransport(offer) {
      if (offer.kind === 'tcp') return createTcpTransport(socket, offer.channels)
      return await createUdpTransport({ localAddress, clientAddress, clientPorts: offer.ports, onReport })
    },
  }
}

/** An IPv4 client of a socket on `::` has the address `::ffff:10.0.0.9`. */
const plain = (address: string | undefined): string => (address ?? '127.0.0.1').replace(/^::ffff:(?=\d+\.)/i, '')
