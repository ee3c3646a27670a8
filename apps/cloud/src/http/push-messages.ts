import type { WebSocket } from 'ws'
import { limitControlFrames } from './control-frames.ts'

/** Messages of a route over an accepted WebSocket. */
export interface Feed {
  /**
   * Texts and bytes, produced as fast as the client reads. They end with the session, or return `fim`: the subject of
   * the connection has ended.
   */
  readonly messages: AsyncGenerator<string | Uint8Array, unknown, void>
  /** Called when the connection is closed. */
  finished(): void
  /** Called when `messages` throws. */
  failed(error: unknown): void
}

/** Close codes (RFC 6455, section 7.4); 4000–4999 are application-specific. */
const close = {
  over: [1000, 'Acabou.'],
  stopping: [1001, 'O serviço está parando. Conecte outra vez.'],
  unexpected: [1008, 'Este canal só envia: não mande mensagens.'],
  failed: [1011, 'Erro interno. Conecte outra vez.'],
  sessionEnded: [4401, 'Sessão encerrada. Entre outra vez.'],
} as const

/**
 * Sends `messages` over `socket`. The next message is produced after the previous one left the process, so a slow
 * client costs one message of memory. Drops a client that reads nothing for `stallMs`, or that leaves two pings in a
 * row unanswered (within 3 × `pingMs`). Resolves after the last message; the closing handshake may still run.
 */
export async function pushMessages(
  socket: WebSocket,
  { messages, failed }: Pick<Feed, 'messages' | 'failed'>,
  {
    stopping,
    pingMs = 15_000,
    stallMs = 30_000,
  }: { readonly stopping: AbortSignal; readonly pingMs?: number; readonly stallMs?: number },
): Promise<void> {
  const end = (reason: keyof typeof close) => {
    const [code, text] = close[reason]
    socket.close(code, text)
  }
  // After an invalid or too long frame, ws has already closed with the matching code.
  socket.on('error', () => {})
  socket.on('message', () => end('unexpected'))
  limitControlFrames(socket, () => socket.terminate())
  keepAlive(socket, pingMs)
  try {
    let next = await messages.next()
    for (; !next.done; next = await messages.next()) {
      if (await sent(socket, next.value, stallMs)) continue
      await messages.return(undefined)
      return
    }
    end(stopping.aborted ? 'stopping' : next.value === 'fim' ? 'over' : 'sessionEnded')
  } catch (error) {
    failed(error)
    end('failed')
  }
}

/** Detects a peer that vanished without closing the connection. */
export function keepAlive(socket: WebSocket, pingMs: number): void {
  let unanswered = 0
  const timer = setInterval(() => {
    if (unanswered === 2) return socket.terminate()
    unanswered += 1
    socket.ping()
  }, pingMs)
  socket.on('pong', () => {
    unanswered = 0
  })
  socket.once('close', () => clearInterval(timer))
}

/** true: the system has accepted `message`; false: the client disconnected or was dropped. */
function sent(socket: WebSocket, message: string | Uint8Array, stallMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const stall = setTimeout(() => socket.terminate(), stallMs)
    socket.send(message, (error) => {
      clearTimeout(stall)
      resolve(!error)
    })
  })
}
