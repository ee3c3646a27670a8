import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly bytes: Buffer
}

/** An HTTP server on this machine in the role of an external one. */
export interface HttpReceiver {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** Number of connections, including those without a request. */
  readonly connections: () => number
  close(): Promise<void>
}

/** Answers in place of a stand-in. @returns whether it did */
export type Intercept = (response: ServerResponse, request: Received) => Promise<boolean>

type Answer = (response: ServerResponse, request: Received, incoming: IncomingMessage) => unknown

interface ReceiverOptions {
  /** An address of this machine. */
  readonly host?: string
  readonly port?: number
  /** Serves HTTPS with this certificate. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** Starts a server that answers 204, or with `answer`. */
export async function startHttpReceiver(
  answer: Answer = (response) => response.writeHead(204).end(),
  { host = '127.0.0.1', port = 0, tls }: ReceiverOptions = {},
): Promise<HttpReceiver> {
  const received: Received[] = []
  let connections = 0
  const take = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers as Record<string, string>,
      body: bytes.toString('utf8'),
      bytes,
    }
    received.push(request)
    await answer(response, request, incoming)
  }
  const listener = (incoming: IncomingMessage, response: ServerResponse) => {
    take(incoming, response).catch(() => response.destroy())
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  const own = (server.address() as AddressInfo).port
  return {
    url: `${tls ? 'https' : 'http'}://${host}:${own}`,
    port: own,
    received,
    connections: () => connections,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
