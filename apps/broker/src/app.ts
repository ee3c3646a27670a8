import type { TLSSocket } from 'node:tls'
import { type Identity, identityOf } from '@vigia/link/identity'
import { MAX_PACKET_BYTES } from '@vigia/link/limits'
import type { LinkLog } from '@vigia/link/log'
import { plainFingerprint } from '@vigia/link/pki/fingerprint'
import { CERTIFICATES_TOPIC, parseTopic } from '@vigia/link/topics'
import { Aedes, type AuthenticateError, type Client, type Connection } from 'aedes'
import { mayPublish, maySubscribe } from './acl.ts'
import { type Admission, admit } from './admission.ts'
import { createAllowList, type Holder } from './allow-list.ts'
import type { TlsFiles } from './config.ts'
import { type GuardedConnection, guardConnection } from './guarded-connection.ts'
import { DEFAULT_HANDSHAKES, type HandshakeLimits } from './handshake-gate.ts'
import { createKnownSources } from './known-sources.ts'
import { createListener } from './listener.ts'
import { createRefusalLog } from './refusal-log.ts'
import { createRetainedStates, DEFAULT_RETAINED, type RetainedLimits } from './retained-states.ts'
import { createSessions } from './sessions.ts'
import type { StoredMessage } from './state-folder.ts'

export interface BrokerLimits {
  readonly maxConnections: number
  readonly handshakes: HandshakeLimits
  /** Time limit of each of the TCP, TLS and MQTT handshakes. */
  readonly handshakeMs: number
  readonly maxPublishBytes: number
  /** Largest number of unsent bytes of one client that does not read. */
  readonly maxQueuedBytes: { readonly [kind in Identity['kind']]: number }
  /** Average packets a second that the broker reads from one client. */
  readonly packetsPerS: { readonly [kind in Identity['kind']]: number }
  /** Average bytes a second that the broker reads from one client. */
  readonly bytesPerS: { readonly [kind in Identity['kind']]: number }
  /** Unsent bytes to the cloud above which batches (repeated by the edge) and live frames are dropped. */
  readonly shedAboveBytes: { readonly candidatos: number; readonly aovivo: number }
  /** Largest number of open sockets of one certificate, including sockets about to be replaced. */
  readonly maxSocketsPerCertificate: number
  /**
   * Largest number of refused subscriptions; then the connection ends. Granted subscriptions are bounded by the topic
   * list.
   */
  readonly maxRefusedSubscriptions: number
  readonly retained: RetainedLimits
}

const DEFAULT_LIMITS: BrokerLimits = {
  maxConnections: 4096,
  handshakes: DEFAULT_HANDSHAKES,
  handshakeMs: 10_000,
  maxPublishBytes: MAX_PACKET_BYTES,
  maxQueuedBytes: { edge: 8 * 1024 * 1024, cloud: 128 * 1024 * 1024 },
  // An edge that drains its outbox sends about fifty batches a second and acknowledges as many answers.
  packetsPerS: { edge: 500, cloud: 100_000 },
  // The cloud's own limit for one edge (VIGIA_KB_SEGUNDO_EDGE). Without it the cloud spends its time on reading bytes
  // that it drops.
  bytesPerS: { edge: 4 * 1024 * 1024, cloud: Number.POSITIVE_INFINITY },
  shedAboveBytes: { candidatos: 64 * 1024 * 1024, aovivo: 4 * 1024 * 1024 },
  maxSocketsPerCertificate: 8,
  maxRefusedSubscriptions: 16,
  retained: DEFAULT_RETAINED,
}
/** Number of levels of the longest topic; aedes allows a hundred. */
const MAX_TOPIC_LEVELS = 5
/** Topics whose messages may be dropped. */
export const SHEDDABLE = ['candidatos', 'aovivo'] as const
const isSheddable = (name: string | undefined): name is (typeof SHEDDABLE)[number] =>
  SHEDDABLE.some((each) => each === name)
/** Name of the list of certificates in the metrics. */
const OWN_TOPIC = 'certificados'

export interface BrokerOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly tls: TlsFiles
  /**
   * Folder of the list of certificates, the retained states and the known addresses; without it they are lost at a
   * restart.
   */
  readonly stateDir?: string
  readonly log: LinkLog
  readonly limits?: Partial<BrokerLimits>
  readonly metrics?: BrokerMetrics
}

/** Counts of this process. A topic is the name of a topic without its edge. */
export interface BrokerMetrics {
  message(topic: string, bytes: number): void
  dropped(topic: string): void
  refused(): void
}

const noMetrics: BrokerMetrics = { message: () => {}, dropped: () => {}, refused: () => {} }

export interface Broker {
  /** @throws VigiaError `indisponivel` when the port is taken, `interno` when the certificates are unusable */
  start(): Promise<{ readonly porta: number }>
  stop(): Promise<void>
  /** Number of admitted clients. */
  clients(): Record<Identity['kind'], number>
}

/** The certificate holder of one socket. */
interface Peer extends Holder {
  readonly address: string
  readonly guarded: GuardedConnection
  /** Marks the connection as admitted in the listener. */
  readonly admitted: () => void
  admission: Admission | null
  /** Last will of the client, retained. */
  will: StoredMessage | null
  refusedSubscriptions: number
}

/** The embedded MQTT 3.1.1 broker: mutual TLS, only certificates in force, each client confined to its own topics. */
export function createBroker({ host, port, tls, stateDir, log, limits, metrics }: BrokerOptions): Broker {
  const limit: BrokerLimits = { ...DEFAULT_LIMITS, ...limits }
  const count = metrics ?? noMetrics
  const refusals = createRefusalLog(log, undefined, count.refused)
  const peers = new WeakMap<Connection, Peer>()
  const present = new Set<Peer>()
  const allowList = createAllowList()
  const known = createKnownSources({ dir: stateDir, log })
  const states = createRetainedStates(stateDir, limit.retained, log)
  /**
   * Counted by certificate and not by name, because a replaced edge must not exhaust the connections of its successor.
   */
  const socketsOf = new Map<string, Set<TLSSocket>>()
  const peerOf = (client: Client | null): Peer | undefined => (client === null ? undefined : peers.get(client.conn))

  const aedes = new Aedes({
    // It has no limit, because with a limit mqemitter recurses over its backlog when a stalled client leaves, and a
    // RangeError ends the process.
    concurrency: 0,
    connectTimeout: limit.handshakeMs,
    maxTopicLevels: MAX_TOPIC_LEVELS,
    preConnect: (client, packet, done) => {
      const peer = peerOf(client)
      if (peer === undefined) return done(new Error('unknown connection'), false)
      peer.admission = admit(packet, { ...peer, objection: allowList.objection(peer) })
      if (peer.admission.ok) peer.guarded.expectBytesEvery(peer.admission.keepaliveS * 1500)
      const { will } = packet
      if (will?.retain === true) peer.will = { topic: will.topic, payload: Buffer.from(will.payload) }
      // GuardedConnection measures the keep-alive, because aedes counts only whole packets.
      packet.keepalive = 0
      done(null, true)
    },
    authenticate: (client, _user, _password, done) => {
      const peer = peerOf(client)
      if (peer?.admission?.ok !== true) {
        const { returnCode = 5, motivo = 'unknown connection' } = peer?.admission ?? {}
        return done(refusal(motivo, returnCode), false)
      }
      peer.admitted()
      // The client id is the name of the certificate, or that of one replica of the cloud.
      sessions.take(client.id, client).then(
        (taken) => (taken ? done(null, true) : done(refusal('session not free', 3), false)),
        (error: Error) => done(refusal(error.message, 3), false),
      )
    },
    authorizePublish: (client, packet, done) => {
      const { topic, qos, retain } = packet
      const peer = peerOf(client)
      const payload = Buffer.from(packet.payload)
      if (peer === undefined || !mayPublish(peer.identity, { topic, qos, retain, bytes: payload.length })) {
        refusals.log({ cliente: peer?.name, topico: topic.slice(0, 100) }, 'publish refused')
        return done(new Error('publish not allowed'))
      }
      count.message(parseTopic(topic)?.name ?? OWN_TOPIC, payload.length)
      if (topic === CERTIFICATES_TOPIC) {
        // No client subscribes to this topic; the state folder stores it.
        packet.retain = false
        // The list is stored before the PUBACK, which therefore proves that the list is in force, also after a restart.
        if (!enforce(payload)) return done(new Error('unreadable list'))
        return void states.keepList(payload).then(() => done(null))
      }
      if (retain && !states.retain(topic, payload)) {
        packet.retain = false
        refusals.log(
          { topico: topic, bytes: payload.length },
          'no room for another retained state: passed on, not kept',
        )
      }
      done(null)
    },
    authorizeSubscribe: (client, subscription, done) => {
      const peer = peerOf(client)
      if (peer !== undefined && maySubscribe(peer.identity, subscription.topic, subscription.qos)) {
        return done(null, subscription)
      }
      refusals.log({ cliente: peer?.name, topico: subscription.topic.slice(0, 100) }, 'subscription refused')
      if (peer !== undefined) {
        peer.refusedSubscriptions += 1
        if (peer.refusedSubscriptions > limit.maxRefusedSubscriptions)
          return done(new Error('too many subscriptions refused'))
      }
      done(null, null)
    },
    authorizeForward: (client, packet) => {
      const name = parseTopic(packet.topic)?.name
      if (!isSheddable(name)) return packet
      const peer = peerOf(client)
      if (peer === undefined || peer.guarded.queuedBytes <= limit.shedAboveBytes[name]) return packet
      refusals.log(
        { cliente: peer.name, topico: packet.topic },
        'client does not read fast enough: message not passed on',
      )
      count.dropped(name)
      return null
    },
  })
  const sessions = createSessions(aedes)

  /** This also ends connections during admission. A connection without CONNECT so far is refused at its CONNECT. */
  function enforce(list: Buffer): boolean {
    if (!allowList.replace(list)) return false
    for (const { admission, guarded, ...holder } of present) {
      const objection = admission?.ok === true ? allowList.objection(holder) : null
      if (objection !== null) guarded.stream.destroy(new Error(objection))
    }
    return true
  }

  const publishRetained = ({ topic, payload }: StoredMessage) =>
    new Promise<void>((resolve) => {
      aedes.publish({ cmd: 'publish', topic, payload, qos: 1, retain: true, dup: false }, () => resolve())
    })

  aedes.on('clientReady', (client) => {
    const peer = peerOf(client)
    log.info({ cliente: client.id, endereco: peer?.address }, 'client connected')
    if (peer?.will) states.keepWill(peer.will)
  })
  aedes.on('clientDisconnect', (client) => log.info({ cliente: client.id }, 'client gone'))
  const onConnectionError = (client: Client, error: Error) => {
    // Only the message is logged: the error of a malformed packet contains the packet.
    const peer = peerOf(client)
    refusals.log({ cliente: peer?.name, endereco: peer?.address, motivo: error.message }, 'connection ended')
  }
  aedes.on('clientError', onConnectionError)
  aedes.on('connectionError', onConnectionError)
  aedes.addListener('error', (err: unknown) => log.error({ err }, 'broker error'))

  function accept(socket: TLSSocket, admitted: (name: string) => void): void {
    const address = `${socket.remoteAddress}:${socket.remotePort}`
    const { subject, fingerprint256 } = socket.getPeerCertificate()
    const { CN: name } = subject
    // The value is an array for a certificate with two names, and undefined for one without a name.
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
      packetsPerS: limit.packetsPerS[identity.kind],
      bytesPerS: limit.bytesPerS[identity.kind],
    })
    const peer: Peer = {
      name,
      identity,
      sha256,
      address,
      guarded,
      admitted: () => admitted(name),
      admission: null,
      will: null,
      refusedSubscriptions: 0,
    }
    peers.set(guarded.stream, peer)
    present.add(peer)
    socket.once('close', () => {
      present.delete(peer)
      open.delete(socket)
      if (open.size === 0) socketsOf.delete(sha256)
    })
    aedes.handle(guarded.stream)
  }

  const listener = createListener({
    ...{ host, port, tls, refusals, known, handshakeMs: limit.handshakeMs, handshakes: limit.handshakes },
    maxConnections: limit.maxConnections,
    onConnection: accept,
    onError: (err) => log.error({ err }, 'server error'),
  })

  return {
    clients() {
      const counts = { edge: 0, cloud: 0 }
      for (const { admission, identity } of present) if (admission?.ok === true) counts[identity.kind] += 1
      return counts
    },
    start: async () => {
      await aedes.listen()
      await known.start()
      await states.restore({ allow: allowList.replace, publish: publishRetained })
      return { porta: await listener.start() }
    },
    stop: async () => {
      const stopped = listener.stop()
      await new Promise<void>((resolve) => {
        aedes.close(resolve)
      })
      listener.destroyAll()
      await stopped
      await Promise.all([states.idle(), known.stop()])
    },
  }
}

const refusal = (motivo: string, returnCode: number): AuthenticateError =>
  Object.assign(new Error(motivo), { returnCode })
