import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { VigiaError } from '@vigia/contracts/errors'
import { type Identity, identityOf } from '@vigia/link/identity'
import { MAX_PACKET_BYTES } from '@vigia/link/limits'
import type { LinkLog } from '@vigia/link/log'
import { plainFingerprint } from '@vigia/link/pki/fingerprint'
import { CERTIFICATES_TOPIC } from '@vigia/link/topics'
import { Aedes, type AuthenticateError, type Client, type Connection } from 'aedes'
import { mayPublish, maySubscribe } from './acl.ts'
import { type Admission, admit } from './admission.ts'
import { createAllowList, type Holder } from './allow-list.ts'
import type { TlsFiles } from './config.ts'
import { type GuardedConnection, guardConnection } from './guarded-connection.ts'
import { createRefusalLog } from './refusal-log.ts'
import { createSessions } from './sessions.ts'

export interface BrokerLimits {
  readonly maxConnections: number
  /** TCP, TLS and MQTT handshakes each, ms. */
  readonly handshakeMs: number
  readonly maxPublishBytes: number
  /** Bytes that may wait for one client that does not read. */
  readonly maxQueuedBytes: { readonly [kind in Identity['kind']]: number }
  /** Open sockets of one certificate, those about to be taken over included. */
  readonly maxSocketsPerCertificate: number
}

const DEFAULT_LIMITS: BrokerLimits = {
  maxConnections: 4096,
  handshakeMs: 10_000,
  maxPublishBytes: MAX_PACKET_BYTES,
  maxQueuedBytes: { edge: 8 * 1024 * 1024, cloud: 128 * 1024 * 1024 },
  maxSocketsPerCertificate: 8,
}

export interface BrokerOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly tls: TlsFiles
  readonly log: LinkLog
  readonly limits?: Partial<BrokerLimits>
}

export interface Broker {
  /** @throws VigiaError `indisponivel` when the port is taken, `interno` when the certificates are unusable */
  start(): Promise<{ readonly porta: number }>
  stop(): Promise<void>
}

/** The holder of a certificate at the other end of one socket. */
interface Peer extends Holder {
  readonly address: string
  readonly guarded: GuardedConnection
  admission: Admission | null
}

/** The embedded MQTT 3.1.1 broker: mutual TLS, certificates in force only, each client confined to its own topics. */
export function createBroker({ host, port, tls, log, limits }: BrokerOptions): Broker {
  const limit: BrokerLimits = { ...DEFAULT_LIMITS, ...limits }
  const refusals = createRefusalLog(log)
  const peers = new WeakMap<Connection, Peer>()
  const present = new Set<Peer>()
  const allowList = createAllowList()
  /** By certificate and not by name: a box that was replaced must not be able to use up the room of the new one. */
  const socketsOf = new Map<string, Set<TLSSocket>>()
  const peerOf = (client: Client | null): Peer | undefined => (client === null ? undefined : peers.get(client.conn))

  const aedes = new Aedes({
    // With a limit, mqemitter recurses over its backlog when a stalled client leaves, and the process dies of a RangeError.
    concurrency: 0,
    connectTimeout: limit.handshakeMs,
    preConnect: (client, packet, done) => {
      const peer = peerOf(client)
      if (peer === undefined) return done(new Error('unknown connection'), false)
      peer.admission = admit(packet, { ...peer, objection: allowList.objection(peer) })
      if (peer.admission.ok) peer.guarded.expectBytesEvery(peer.admission.keepaliveS * 1500)
      // The guard keeps the time; aedes would count whole packets only.
      packet.keepalive = 0
      done(null, true)
    },
    authenticate: (client, _user, _password, done) => {
      const peer = peerOf(client)
      if (peer?.admission?.ok !== true) {
        const { returnCode = 5, motivo = 'unknown connection' } = peer?.admission ?? {}
        return done(refusal(motivo, returnCode), false)
      }
      sessions.take(peer.name, client).then(
        (taken) => (taken ? done(null, true) : done(refusal('session not free', 3), false)),
        (error: Error) => done(refusal(error.message, 3), false),
      )
    },
    authorizePublish: (client, { topic, qos, retain, payload }, done) => {
      const peer = peerOf(client)
      const bytes = Buffer.byteLength(payload)
      if (peer === undefined || !mayPublish(peer.identity, { topic, qos, retain, bytes })) {
        refusals.log({ cliente: peer?.name, topico: topic.slice(0, 100) }, 'publish refused')
        return done(new Error('publish not allowed'))
      }
      // Here and not on delivery: the PUBACK that follows tells the cloud that the list is in force.
      if (topic === CERTIFICATES_TOPIC && !enforce(Buffer.from(payload))) return done(new Error('unreadable list'))
      done(null)
    },
    authorizeSubscribe: (client, subscription, done) => {
      const peer = peerOf(client)
      if (peer !== undefined && maySubscribe(peer.identity, subscription.topic, subscription.qos)) {
        return done(null, subscription)
      }
      refusals.log({ cliente: peer?.name, topico: subscription.topic.slice(0, 100) }, 'subscription refused')
      done(null, null)
    },
  })
  const sessions = createSessions(aedes)

  /** Also ends those whose admission is under way. One that has not said CONNECT yet is refused when it does. */
  function enforce(list: Buffer): boolean {
    if (!allowList.replace(list)) return false
    for (const { admission, guarded, ...holder } of present) {
      const objection = admission?.ok === true ? allowList.objection(holder) : null
      if (objection !== null) guarded.stream.destroy(new Error(objection))
    }
    return true
  }

  aedes.on('clientReady', (client) => {
    log.info({ cliente: client.id, endereco: peerOf(client)?.address }, 'client connected')
  })
  aedes.on('clientDisconnect', (client) => log.info({ cliente: client.id }, 'client gone'))
  const onConnectionError = (client: Client, error: Error) => {
    // The message only: the error of a malformed packet carries the packet.
    const peer = peerOf(client)
    refusals.log({ cliente: peer?.name, endereco: peer?.address, motivo: error.message }, 'connection ended')
  }
  aedes.on('clientError', onConnectionError)
  aedes.on('connectionError', onConnectionError)
  aedes.addListener('error', (err: unknown) => log.error({ err }, 'broker error'))

  function accept(socket: TLSSocket): void {
    const address = `${socket.remoteAddress}:${socket.remotePort}`
    const { subject, fingerprint256 } = socket.getPeerCertificate()
    const { CN: name } = subject
    // A certificate with two names has an array here, one without any has nothing.
    const identity = typeof name === 'string' ? identityOf(name) : null
    if (typeof name !== 'string' || identity === null) {
      refusals.log({ endereco: address }, 'certificate name refused')
      socket.destroy()
      return
    }
    const sha256 = plainFingerprint(fingerprint256)
    const open = socketsOf.get(sha256) ?? new Set()
    if (open.size >= limit.maxSocketsPerCertificate) {
      refusals.log({ endereco: address, cliente: name }, 'too many connections with one certificate')
      socket.destroy()
      return
    }
    socketsOf.set(sha256, open.add(socket))
    socket.setNoDelay(true)
    const guarded = guardConnection(socket, {
      maxPublishBytes: limit.maxPublishBytes,
      maxQueuedBytes: limit.maxQueuedBytes[identity.kind],
    })
    const peer: Peer = { name, identity, sha256, address, guarded, admission: null }
    peers.set(guarded.stream, peer)
    present.add(peer)
    socket.once('close', () => {
      present.delete(peer)
      open.delete(socket)
      if (open.size === 0) socketsOf.delete(sha256)
    })
    aedes.handle(guarded.stream)
  }

  const server = createTlsServer(tls, limit.handshakeMs)
  server.maxConnections = limit.maxConnections
  server.on('secureConnection', accept)
  server.on('tlsClientError', (error, socket) => {
    socket.destroy()
    refusals.log({ endereco: socket.remoteAddress, motivo: error.message }, 'TLS handshake failed')
  })

  return {
    start: async () => {
      await aedes.listen()
      await new Promise<void>((resolve, reject) => {
        server.once('error', (error) => reject(cannotListen(error, host, port)))
        server.listen(port, host, resolve)
      })
      server.on('error', (err) => log.error({ err }, 'server error'))
      return { porta: (server.address() as AddressInfo).port }
    },
    stop: async () => {
      const stopped = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      await new Promise<void>((resolve) => {
        aedes.close(resolve)
      })
      for (const open of socketsOf.values()) for (const socket of open) socket.destroy()
      await stopped
    },
  }
}

const refusal = (motivo: string, returnCode: number): AuthenticateError =>
  Object.assign(new Error(motivo), { returnCode })

function createTlsServer({ ca, cert, key }: TlsFiles, handshakeTimeout: number) {
  try {
    return createServer({
      ca,
      cert,
      key,
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      handshakeTimeout,
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
