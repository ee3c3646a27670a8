import { createServer, type Socket } from 'node:net'
import type { ArchiveCounts } from './archive.ts'
import { serveConnection } from './connection.ts'
import type { DialogueOptions } from './dialogue.ts'
import { createLedger } from './ledger.ts'
import { formatResponse } from './message.ts'

export interface RtspServerOptions extends Omit<DialogueOptions, 'ledger'> {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Limit of parallel clients; further clients get 503 and are disconnected. */
  readonly maxConnections: number
  /** Limit of parallel clients; further clients get 401 for any password. Left out: none. */
  readonly refuseBeyond?: number
}

/** Counters for the tests of clients. */
export interface Counts extends Partial<ArchiveCounts> {
  readonly conexoes: number
  readonly conexoes_max: number
  /** Wrong passwords. */
  readonly logins_recusados: number
  /** Requests with a password that were refused, also with the right one. */
  readonly recusas: number
  readonly describes: number
  readonly audios: number
}

export interface RtspServer {
  /** Resolves when the server listens; rejects with the system's error (EADDRINUSE, …). */
  start(): Promise<{ port: number }>
  /** Disconnects all clients and resolves when all sockets are closed. */
  stop(): Promise<void>
  readonly counts: Counts
}

export function createRtspServer(options: RtspServerOptions): RtspServer {
  const sockets = new Set<Socket>()
  const ledger = createLedger()
  const server = createServer((socket) => {
    socket.once('close', ledger.enter())
    if (sockets.size >= options.maxConnections) {
      socket.on('error', () => socket.destroy())
      socket.write(formatResponse({ status: 503 }, null))
      socket.destroySoon()
      return
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serveConnection(socket, { ...options, ledger }, ledger.open > (options.refuseBeyond ?? Number.POSITIVE_INFINITY))
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
        // `close` fails when the server does not listen; then nothing is open.
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
    get counts() {
      return {
        conexoes: ledger.open,
        conexoes_max: ledger.most,
        logins_recusados: options.gatekeeper.failedLogins,
        recusas: ledger.refusals,
        describes: ledger.describes,
        audios: ledger.audios,
        ...options.archive?.counts,
      }
    },
  }
}
