import type { MensagemAlerta } from '@vigia/contracts/alertas'
import { mensagemAlertaSchema } from '@vigia/contracts/alertas'
import { waitFor } from '@vigia/testing/wait'
import { WebSocket } from 'ws'

/** Close code and reason of the server. */
interface Closed {
  readonly code: number
  readonly reason: string
}

/** A WebSocket client of the alerta stream that keeps every message and checks it against its schema. */
export interface WsReader {
  readonly socket: WebSocket
  readonly messages: readonly MensagemAlerta[]
  readonly closed: Promise<Closed>
  /** Waits for `count` messages of that kind and returns all of them. */
  until(tipo: MensagemAlerta['tipo'], count: number): Promise<MensagemAlerta[]>
  close(): void
}

/** HTTP answer of a refused handshake. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: unknown
}

/** `url` with http:// or ws://. The open reader, or the HTTP answer that refused the handshake. */
export function openWs(url: string, headers: Record<string, string> = {}): Promise<WsReader | Refusal> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers })
  const messages: MensagemAlerta[] = []
  socket.on('message', (data) => messages.push(mensagemAlertaSchema.parse(JSON.parse(String(data)))))
  const closed = new Promise<Closed>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }))
  })
  const reader: WsReader = {
    socket,
    messages,
    closed,
    until: (tipo, count) =>
      waitFor(
        `${count} messages "${tipo}"`,
        () => {
          const some = messages.filter((message) => message.tipo === tipo)
          return some.length >= count && some
        },
        { everyMs: 20 },
      ),
    close: () => socket.terminate(),
  }
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () => resolve(reader))
    socket.on('unexpected-response', (_request, response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text === '' ? null : JSON.parse(text),
        }),
      )
    })
  })
}
