import { encodeRegistro, type RegistroTransmissao } from '@vigia/contracts/transmissao'
import { WebSocket } from 'ws'
import { belowCloud } from '../link/cloud-address.ts'
import { createPartSender } from './part-sender.ts'
import type { BudgetSeat } from './uplink-budget.ts'

/** An upload of one epoch of a live stream. */
export interface StreamUpload {
  add(registro: RegistroTransmissao): void
  /** For the next connection. */
  renew(token: string): void
  /** Parts left out because the line was too slow. */
  readonly dropped: number
  /** Sends the end of the stream and closes the connection. */
  end(): void
}

export interface StreamUploadOptions {
  /** `http:` or `https:` address of the cloud. */
  readonly cloudUrl: string
  readonly path: string
  readonly token: string
  /** Share of the uplink. The upload leaves it at its end. */
  readonly seat: BudgetSeat
  /** The cloud refuses the upload, or has ended it. It is not repeated. */
  onRefused(): void
  /** Pause before the next connection, ms. */
  pauseMs?(): number
}

/** Close code of the cloud for an upload that has ended. */
const ENDED = 4410
/** A connection without an answer for this long is dead. */
const LONGEST_SILENCE_MS = 20_000
const CONNECT_MS = 10_000

/**
 * Sends the records of a stream over a WebSocket. A new connection begins with the header and the newest segment.
 * Only the newest segment is kept (part-sender.ts).
 */
export function createStreamUpload(options: StreamUploadOptions): StreamUpload {
  const { seat, onRefused, pauseMs = () => 200 + Math.random() * 1_800 } = options
  const address = belowCloud(options.path, options.cloudUrl)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  let { token } = options
  let socket: WebSocket | null = null
  let timer: NodeJS.Timeout | undefined
  let header: RegistroTransmissao | null = null
  const parts = createPartSender({ seat, send: (registro) => send(registro) })
  let ended = false

  function send(registro: RegistroTransmissao): void {
    if (!socket) return
    const bytes = encodeRegistro(registro)
    socket.send(bytes)
    if (seat.sent(bytes.length)) socket.ping()
  }

  function connect(): void {
    const headers = { authorization: `Bearer ${token}` }
    // A redirect is not followed, so that the token reaches no other host.
    const opened = new WebSocket(address, { headers, perMessageDeflate: false, handshakeTimeout: CONNECT_MS })
    let isRefused = false
    opened.on('unexpected-response', (_request, { statusCode = 0 }) => {
      isRefused = statusCode >= 400 && statusCode < 500 && statusCode !== 408 && statusCode !== 429
      opened.terminate()
    })
    // 'close' follows.
    opened.on('error', () => {})
    opened.on('open', () => {
      if (ended) return opened.close()
      socket = opened
      if (header) send(header)
      parts.repeat()
    })
    opened.on('pong', () => {
      if (socket !== opened) return
      if (seat.answered()) opened.ping()
      parts.resume()
    })
    opened.on('close', (code) => {
      if (socket === opened) socket = null
      seat.reset()
      if (ended) return
      if (isRefused || code === ENDED) return onRefused()
      timer = setTimeout(connect, pauseMs())
    })
  }

  connect()
  return {
    add(registro) {
      if (registro.tipo === 'parte') {
        seat.produced(registro)
        if (seat.silentMs > LONGEST_SILENCE_MS) socket?.terminate()
        parts.add(registro, socket !== null)
        return
      }
      parts.forget()
      if (registro.tipo === 'inicio') header = registro
      send(registro)
    },
    renew(next) {
      token = next
    },
    get dropped() {
      return parts.dropped
    },
    end() {
      if (ended) return
      ended = true
      clearTimeout(timer)
      seat.leave()
      send({ tipo: 'fim' })
      socket?.close()
    },
  }
}
