import type { WebSocket } from 'ws'

/** What a route pushes over a WebSocket it accepts. */
export interface Feed {
  /** Texts to send, one message each, made at the client's own pace. They end by themselves when the session does. */
  readonly messages: AsyncGenerator<string, void, void>
  /** Called once the connection is gone, and never otherwise. */
  finished(): void
  /** Called when `messages` throws. */
  failed(error: unknown): void
}

/** Close codes (RFC 6455, section 7.4); 4000–4999 are an application's own. */
const close = {
  stopping: [1001, 'O serviço está parando. Conecte outra vez.'],
  unexpected: [1008, 'Este canal só envia: não mande mensagens.'],
  failed: [1011, 'Erro interno. Conecte outra vez.'],
  sessionEnded: [4401, 'Sessão encerrada. Entre outra vez.'],
} as const

/**
 * Sends `messages` over `socket`, the next one made when the one before it has left this process, so that a slow client
 * costs one message of memory. A client that takes none for `stallMs` is dropped, and so is one that leaves two pings in a
 * row unanswered (within 3 × `pingMs`). Resolves when there is nothing more to send; the closing handshake may still run.
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
  // A frame that breaks the protocol or is too long: ws has closed with the code that says so.
  socket.on('error', () => {})
  socket.on('message', () => end('unexpected'))
  // Answered only while nothing waits to be sent: a client that asks without reading would fill the memory.
  socket.on('ping', (data) => {
    if (socket.bufferedAmount === 0) socket.pong(data)
  })
  keepAlive(socket, pingMs)
  try {
    for await (const message of messages) if (!(await sent(socket, message, stallMs))) return
    end(stopping.aborted ? 'stopping' : 'sessionEnded')
  } catch (error) {
    failed(error)
    end('failed')
  }
}

/** A peer that vanished without a word answers no ping. */
function keepAlive(socket: WebSocket, pingMs: number): void {
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

/** True once the system has taken `message` over; false: the client is gone, or was dropped for not reading. */
function sent(socket: WebSocket, message: string, stallMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const stall = setTimeout(() => socket.terminate(), stallMs)
    socket.send(message, (error) => {
      clearTimeout(stall)
      resolve(!error)
    })
  })
}
