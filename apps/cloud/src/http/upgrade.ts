import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { type Feed, pushMessages } from './push-messages.ts'
import { type Intake, receiveMessages } from './receive-messages.ts'

/** A connection sends or receives, never both. */
type WebSocketContent = { readonly feed: Feed } | { readonly intake: Intake }

/** Binding of a WebSocket request, in place of `outgoing`. */
export interface UpgradeBinding {
  readonly incoming: IncomingMessage
  /** Answers with a WebSocket that sends the feed, or receives the intake, until it ends or `stopping` aborts. */
  accept(content: WebSocketContent, stopping: AbortSignal): void
}

/** Largest client message in bytes. Any client message ends the connection; a longer one is not read. */
export const LONGEST_MESSAGE = 1024

/** Maximum number of frames of one client message. Empty frames cost time without a message. */
const MOST_FRAGMENTS = 256

/** For the server's `shouldUpgradeCallback`: ignores other upgrades (cleartext HTTP/2), as RFC 9110, 7.8, allows. */
export const asksForWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

/**
 * Passes each WebSocket handshake to `answer` like any request. `answer` accepts it, or its response is sent unchanged.
 * Returns a function that closes all these connections, because the server no longer tracks them.
 */
export function answerUpgrades(
  server: Server,
  answer: (request: Request, env: UpgradeBinding) => Response | Promise<Response>,
): () => void {
  const senders = newServer(LONGEST_MESSAGE)
  const open = new Set<Duplex>()

  async function decide(incoming: IncomingMessage, socket: Duplex, head: Buffer, gone: AbortSignal): Promise<void> {
    const accepted: { content: WebSocketContent; stopping: AbortSignal }[] = []
    const accept = (content: WebSocketContent, stopping: AbortSignal) => accepted.push({ content, stopping })
    const request = toRequest(incoming, gone)
    const response = request ? await answer(request, { incoming, accept }) : new Response(null, { status: 400 })
    const [{ content, stopping } = {}] = accepted
    if (!content || !stopping) return refuse(socket, response)
    const { finished } = 'feed' in content ? content.feed : content.intake
    if (gone.aborted) return finished()
    gone.addEventListener('abort', finished, { once: true })
    const wss = 'feed' in content ? senders : newServer(content.intake.longestMessage)
    const addRequestId = (headers: string[]) => headers.push(`X-Request-Id: ${response.headers.get('x-request-id')}`)
    wss.on('headers', addRequestId)
    // ws does not call back for a malformed handshake.
    wss.handleUpgrade(incoming, socket, head, (websocket) => {
      if ('feed' in content) void pushMessages(websocket, content.feed, { stopping })
      else receiveMessages(websocket, content.intake, stopping)
    })
    wss.off('headers', addRequestId)
  }

  server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const gone = new AbortController()
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => {
      open.delete(socket)
      gone.abort()
    })
    decide(incoming, socket, head, gone.signal).catch((error: unknown) => {
      socket.destroy()
      // The application answers its own errors, so this is a defect of the server itself.
      process.emitWarning(error instanceof Error ? error : String(error))
    })
  })
  return () => {
    for (const socket of open) socket.destroy()
  }
}

function newServer(maxPayload: number): WebSocketServer {
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload,
    // An edge sends a record in one frame; a proxy may divide it.
    maxFragments: MOST_FRAGMENTS,
    perMessageDeflate: false,
    autoPong: false,
    clientTracking: false,
  })
  // With this listener, ws leaves the answer to a malformed handshake to the application.
  wss.on('wsClientError', (_error, socket) => {
    const detail = 'O pedido de WebSocket está malformado (Sec-WebSocket-Key, Sec-WebSocket-Version: 13).'
    void refuse(socket, Response.json({ detail }, { status: 400 }))
  })
  return wss
}

/** null: the target is not a path. The host is irrelevant for routing; handlers read the header. */
function toRequest({ url = '', rawHeaders }: IncomingMessage, signal: AbortSignal): Request | null {
  const target = url.startsWith('/') ? URL.parse(`http://localhost${url}`) : null
  if (target === null) return null
  const headers = new Headers()
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '')
  return new Request(target, { headers, signal })
}

/** Writes the response and ends the connection, which speaks no HTTP after an upgrade request. */
async function refuse(socket: Duplex, response: Response): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer())
  const headers = new Headers(response.headers)
  headers.set('connection', 'close')
  headers.set('content-length', String(body.length))
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.once('finish', () => socket.destroy())
  socket.write(`HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}\r\n${lines}\r\n`)
  socket.end(body)
}
