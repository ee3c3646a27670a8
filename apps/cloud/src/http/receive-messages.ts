import type { WebSocket } from 'ws'
import { keepAlive } from './push-messages.ts'

/** Receiver of the messages of a client, over an accepted WebSocket. */
export interface Intake {
  /** Bytes; a longer message ends the connection. */
  readonly longestMessage: number
  /** Takes a binary message. false: it is invalid, which ends the connection. */
  message(bytes: Uint8Array): boolean
  /** Aborts when the connection must end. The client does not connect again. */
  readonly ended: AbortSignal
  /** Aborts when the connection must end, and the client must connect again. */
  readonly lost?: AbortSignal
  /** Called when the connection is closed. */
  finished(): void
}

/** Close codes (RFC 6455, section 7.4); 4000–4999 are application-specific. */
const close = {
  stopping: [1001, 'O serviço está parando. Conecte outra vez.'],
  invalid: [1008, 'Mensagem inválida.'],
  lost: [1012, 'O destino deste envio mudou. Conecte outra vez.'],
  ended: [4410, 'Este envio terminou. Espere a próxima ordem.'],
} as const

/** Passes the binary messages of `socket` to `intake`. Drops a client that leaves two pings in a row unanswered. */
export function receiveMessages(
  socket: WebSocket,
  { message, ended, lost }: Intake,
  stopping: AbortSignal,
  { pingMs = 15_000 }: { readonly pingMs?: number } = {},
): void {
  const end = (reason: keyof typeof close) => {
    const [code, text] = close[reason]
    socket.close(code, text)
  }
  const onEnded = () => end('ended')
  const onLost = () => end('lost')
  const onStopping = () => end('stopping')
  // After an invalid or too long frame, ws has already closed with the matching code.
  socket.on('error', () => {})
  socket.on('ping', (data) => socket.pong(data))
  socket.on('message', (data, isBinary) => {
    if (socket.readyState !== socket.OPEN) return
    if (!isBinary || !Buffer.isBuffer(data) || !message(data)) end('invalid')
  })
  keepAlive(socket, pingMs)
  ended.addEventListener('abort', onEnded, { once: true })
  lost?.addEventListener('abort', onLost, { once: true })
  stopping.addEventListener('abort', onStopping, { once: true })
  socket.once('close', () => {
    ended.removeEventListener('abort', onEnded)
    lost?.removeEventListener('abort', onLost)
    stopping.removeEventListener('abort', onStopping)
  })
  if (ended.aborted) onEnded()
  if (lost?.aborted) onLost()
}
