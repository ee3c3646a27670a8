import type { TLSSocket } from 'node:tls'
import { type Identity, identityOf } from '@vigia/link/identity'
import type { LinkLog } from '@vigia/link/log'
import { plainFingerprint } from '@vigia/link/pki/fingerprint'
import { CERTIFICATES_TOPIC, everyEdge, parseTopic } from '@vigia/link/topics'
import { Aedes, type AuthenticateError, type Client, type Connection, type PublishPacket } from 'aedes'
import { mayPublish, maySubscribe } from './acl.ts'
import { type Admission, admit } from './admission.ts'
import { createAllowList, type Holder } from './allow-list.ts'
import type { TlsFiles } from './config.ts'
import { createEdgeAccounts, type EdgeAccount } from './edge-accounts.ts'
import { createForwardTurns, type Destination, type Publication } from './forward-turns.ts'
import { type ConnectionBounds, type GuardedConnection, guardConnection } from './guarded-connection.ts'
import { createKnownSources } from './known-sources.ts'
import { type BrokerLimits, DEFAULT_LIMITS } from './limits.ts'
import { createListener } from './listener.ts'
import { createRefusalLog } from './refusal-log.ts'
import { createRetainedStates } from './retained-states.ts'
import { createSessions } from './sessions.ts'
import type { StoredMessage } from './state-folder.ts'

/** For a client of an Empresa or a root with all its connections. */
const TOO_MANY: Admission = { ok: false, returnCode: 3, motivo: 'too many connections of this Empresa' }
/** Number of levels of the longest topic; aedes allows a hundred. */
const MAX_TOPIC_LEVELS = 5
/** Topics whose messages an edge repeats, or that are useless later: dropped while the cloud takes nothing. */
export const SHEDDABLE = ['candidatos', 'extras', 'aovivo'] as const
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
  /** null: the cloud. */
  readonly account: EdgeAccount | null
  /** Publications that wait for their turn, or are being passed on. */
  readonly underWay: Set<Publication>
  /** Set at the admission of a cloud, which then reads the topics of edges. */
  destination: Destination | null
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
  const { lineageOf } = allowList
  const states = createRetainedStates({ dir: stateDir, limits: limit.retained, lineageOf, log })
  const accounts = createEdgeAccounts(limit, () => performance.now())
  const clouds = new Set<Destination>()
  const forwarding = createForwardTurns({
    destinations: () => clouds,
    aboveBytes: limit.forwardAboveBytes,
    stalledMs: limit.stalledMs,
  })
  /** By the packet of aedes. */
  const forwarded = new WeakMap<object, { readonly peer: Peer; readonly publication: Publication }>()
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
      const admission = admit(packet, { ...peer, objection: allowList.objection(peer) })
      const hasSpace = !admission.ok || peer.account === null || peer.account.admit()
      peer.admission = hasSpace ? admission : TOO_MANY
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
      if (peer.identity.kind === 'cloud') readAs(peer, client)
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
      // A last will has no command and comes from a connection that has ended.
      const { account } = peer
      const inTurn = account !== null && packet.cmd === 'publish' ? waitForTurn(peer, account, packet, done) : done
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
      inTurn(null)
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
      const peer = peerOf(client)
      if (!isSheddable(name) || !peer?.destination || !forwarding.isStalled(peer.destination)) return packet
      refusals.log(
        { cliente: peer.name, topico: packet.topic },
        'client does not read fast enough: message not passed on',
      )
      count.dropped(name)
      return null
    },
  })
  const sessions = createSessions(aedes)

  /** From now on publications of edges wait while this client does not read fast enough. */
  function readAs(peer: Peer, client: Client): void {
    peer.destination ??= {
      get queuedBytes() {
        return peer.guarded.queuedBytes
      },
      reads: (topic) => {
        const { name } = parseTopic(topic) ?? {}
        const { subscriptions } = client as Client & { readonly subscriptions: Readonly<Record<string, unknown>> }
        return topic in subscriptions || (name !== undefined && everyEdge[name] in subscriptions)
      },
    }
    clouds.add(peer.destination)
  }

  /** Returns the function that passes the packet on when its edge has its turn. */
  function waitForTurn(peer: Peer, { lineage }: EdgeAccount, packet: PublishPacket, done: (error: null) => void) {
    return () => {
      const { topic, payload } = packet
      const publication = { lineage, topic, bytes: payload.length, begin: () => done(null) }
      forwarded.set(packet, { peer, publication })
      peer.underWay.add(publication)
      forwarding.push(publication)
    }
  }

  aedes.on('publish', (packet) => {
    const passed = forwarded.get(packet)
    if (passed === undefined) return
    const { peer, publication } = passed
    peer.underWay.delete(publication)
    peer.account?.passedOn((packet as { readonly length?: number }).length ?? 0)
    forwarding.done(publication)
  })

  function left(peer: Peer): void {
    const { account, destination, underWay } = peer
    for (const publication of underWay) forwarding.done(publication)
    underWay.clear()
    account?.close()
    if (!destination) return
    clouds.delete(destination)
    forwarding.progressed(destination)
  }

  /** This also ends connections during admission. A connection without CONNECT so far is refused at its CONNECT. */
  function enforce(list: Buffer): boolean {
    if (!allowList.replace(list)) return false
    states.regroup()
    for (const { account, identity } of present)
      if (identity.kind === 'edge') account?.regroup(lineageOf(identity.edgeId))
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
    const account = identity.kind === 'edge' ? accounts.open(lineageOf(identity.edgeId)) : null
    const bounds = account ?? ofCloud(() => peer.destination)
    const guarded = guardConnection(socket, { maxPublishBytes: limit.maxPublishBytes, ...bounds })
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
      account,
      underWay: new Set(),
      destination: null,
    }
    peers.set(guarded.stream, peer)
    present.add(peer)
    socket.once('close', () => {
      present.delete(peer)
      left(peer)
      open.delete(socket)
      if (open.size === 0) socketsOf.delete(sha256)
    })
    aedes.handle(guarded.stream)
  }

  /** The cloud is read without a rate. A queue that gets shorter lets waiting publications pass. */
  function ofCloud(destination: () => Destination | null): Omit<ConnectionBounds, 'maxPublishBytes'> {
    let before = 0
    return {
      paceMs: () => 0,
      reserve: () => true,
      mayQueue(bytes) {
        const reader = destination()
        if (bytes < before && reader) forwarding.progressed(reader)
        before = bytes
        return bytes <= limit.maxQueuedBytesOfCloud
      },
    }
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
