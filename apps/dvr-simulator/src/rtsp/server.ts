import { createServer, type Socket } from 'node:net'
import { serveConnection } from './connection.ts'
import type { DialogueOptions } from './dialogue.ts'
import { formatResponse } from './message.ts'

export interface RtspServerOptions extends DialogueOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Clients at once; further ones are told 503 and hung up on. */
  readonly maxConnections: number
}

export interface RtspServer {
  /** Resolves once it listens; rejects with the system's error (EADDRINUSE, …). */
  start(): Promise<{ port: number }>
  /** Hangs up on everybody and resolves when all is closed. */
  stop(): Promise<void>
}

export function createRtspServer(options: RtspServerOptions): RtspServer {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    if (sockets.size >= options.maxConnections) {
      socket.on('error', () => socket.destroy())
      socket.write(formatResponse({ status: 503 }, null))
      socket.destroySoon()
      return
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serveConnection(socket, options)
  })
  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(options.port, options.host, () => {
          server.off('error', reject)
          const address = server.address()
          resolve({ port: typeof address === 'object' && address ? address.port : options.port })
        })
      }),
    stop: () =>
      new Promise((resolve) => {
        // Not listening (any more): close says so, and nothing is open.
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
