import type { WebSocket } from 'ws'
import { limitControlFrames } from './control-frames.ts'
import { keepAlive } from './push-messages.ts'

/** `excess`: the sender is above its rates. */
type IntakeFault = 'invalid' | 'excess'

/** Receiver of the messages of a client, over an accepted WebSocket. */
export interface Intake {
  /** Bytes; a longer message ends the connection. */
  readonly longestMessage: number
  /** Takes a binary message. Another result than null ends the connection. */
  message(bytes: Uint8Array): IntakeFault | null
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
  excess: [1008, 'Mensagens rápidas demais. Espere e conecte outra vez.'],
  lost: [1012, 'O destino deste envio mudou. Conecte outra vez.'],
  ended: [4410, 'Este envio terminou. Espere a próxima ordem.'],
} as const

/** Time for the closing handshake. A client that goes on sending is cut off. */
const CLOSE_MS = 3_000
/** The same for a client that is at fault. Nothing of it is read meanwhile. */
const FAULT_CLOSE_MS = 1_000

/**
 * Passes the binary messages of `socket` to `intake`. Drops a client that leaves two pings in a row unanswered, or
 * sends too many of its own.
 */
export function receiveMessages(
  socket: WebSocket,
  { message, ended, lost }: Intake,
  stopping: AbortSignal,
  { pingMs = 15_000 }: { readonly pingMs?: number } = {},
): void {
  let cutOff: NodeJS.Timeout | undefined
  const end = (reason: keyof typeof close) => {
    const isFault = reason === 'invalid' || reason === 'excess'
    const [code, text] = close[reason]
    socket.close(code, text)
    if (isFault) socket.pause()
    cutOff ??= setTimeout(() => socket.terminate(), isFault ? FAULT_CLOSE_MS : CLOSE_MS)
  }
  const onEnded = () => end('ended')
  const onLost = () => end('lost')
  const onStopping = () => end('stopping')
  // After an invalid or too long frame, ws has already closed with the matching code.
  socket.on('error', () => {})
  limitControlFrames(socket, () => end('excess'))
  socket.on('message', (data, isBinary) => {
    if (socket.readyState !== socket.OPEN) return
    const fault = isBinary && Buffer.isBuffer(data) ? message(data) : 'invalid'
    if (fault !== null) end(fault)
  })
  keepAlive(socket, pingMs)
  ended.addEventListener('abort', onEnded, { once: true })
  lost?.addEventListener('abort', onLost, { once: true })
  stopping.addEventListener('abort', onStopping, { once: true })
  socket.once('close', () => {
    clearTimeout(cutOff)
    ended.removeEventListener('abort', onEnded)
    lost?.removeEventListener('abort', onLost)
    stopping.removeEventListener('abort', onStopping)
  })
  if (ended.aborted) onEnded()
  if (lost?.aborted) onLost()
}
