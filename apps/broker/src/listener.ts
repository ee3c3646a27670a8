import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type Server, type TLSSocket } from 'node:tls'
import { VigiaError } from '@vigia/contracts/errors'
import type { TlsFiles } from './config.ts'
import { createHandshakeGate, type Entrant, type HandshakeLimits } from './handshake-gate.ts'
import type { KnownSources } from './known-sources.ts'
import type { RefusalLog } from './refusal-log.ts'

export interface ListenerOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly tls: TlsFiles
  readonly maxConnections: number
  readonly handshakeMs: number
  readonly handshakes: HandshakeLimits
  readonly known: KnownSources
  /** A connection with a certificate of the CA. Call `admitted` with its name on admission. */
  onConnection(socket: TLSSocket, admitted: (name: string) => void): void
  onError(error: Error): void
  readonly refusals: RefusalLog
}

export interface Listener {
  /** @throws VigiaError `indisponivel` when the port is taken */
  start(): Promise<number>
  /** Accepts no more connections; resolves when the open ones have ended. */
  stop(): Promise<void>
  /** Ends every connection, also during a handshake. */
  destroyAll(): void
}

/** Length of the kernel's accept queue, which net.core.somaxconn bounds as well. */
const BACKLOG = 4096

/**
 * Listens on the port: TCP, handshake gate, TLS with certificates on both sides. @throws VigiaError `interno`: unusable
 * certificates
 */
export function createListener(options: ListenerOptions): Listener {
  const { host, port, refusals } = options
  const gate = createHandshakeGate(options.handshakes, options.known)
  /** Keyed by remote address and port, because the TLS socket is another object than the TCP socket. */
  const open = new Map<string, { readonly entrant: Entrant; readonly socket: Socket }>()
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress}:${remotePort}`

  const tls = createSecureServer(options)
  tls.on('secureConnection', (socket) => {
    const entrant = open.get(keyOf(socket))?.entrant
    options.onConnection(socket, (name) => entrant?.admitted(name))
  })
  tls.on('tlsClientError', (error, socket) => {
    socket.destroy()
    refusals.log({ endereco: socket.remoteAddress, motivo: error.message }, 'TLS handshake failed')
  })

  const tcp = createTcpServer((socket) => {
    const key = keyOf(socket)
    const entrant = gate.enter(socket.remoteAddress ?? '', () => socket.destroy())
    if (entrant === null) {
      refusals.log({ endereco: socket.remoteAddress }, 'too many connections that do not say who they are')
      socket.on('error', () => {})
      socket.resetAndDestroy()
      return
    }
    open.set(key, { entrant, socket })
    socket.once('close', () => {
      open.delete(key)
      entrant.closed(socket.bytesRead > 0)
    })
    tls.emit('connection', socket)
  })
  tcp.maxConnections = options.maxConnections

  return {
    start: async () => {
      await new Promise<void>((resolve, reject) => {
        tcp.once('error', (error) => reject(cannotListen(error, host, port)))
        tcp.listen({ port, host, backlog: BACKLOG }, resolve)
      })
      tcp.on('error', options.onError)
      return (tcp.address() as AddressInfo).port
    },
    stop: () => new Promise((resolve) => tcp.close(() => resolve())),
    destroyAll: () => {
      for (const { socket } of open.values()) socket.destroy()
    },
  }
}

function createSecureServer({ tls: { ca, cert, key }, handshakeMs }: ListenerOptions): Server {
  try {
    return createTlsServer({
      ca,
      cert,
      key,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      handshakeTimeout: handshakeMs,
    })
  } catch (cause) {
    throw new VigiaError('interno', {
      detalhe: 'Os certificados do broker estão danificados. Apague a pasta e rode "node apps/cloud/src/prepare.ts".',
      cause,
    })
  }
}

function cannotListen(error: Error, host: string, port: number): VigiaError {
  const code = 'code' in error ? error.code : null
  const why =
    code === 'EADDRINUSE'
      ? 'a porta já está em uso por outro programa'
      : code === 'EACCES'
        ? 'falta permissão para usar essa porta'
        : 'o endereço não pode ser usado nesta máquina'
  const detalhe = `O broker MQTT não abriu ${host}:${port}: ${why}. Libere a porta ou mude VIGIA_MQTT_PORT.`
  return new VigiaError('indisponivel', { detalhe, cause: error })
}
