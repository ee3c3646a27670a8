import type { Identity } from '@vigia/link/identity'
import type { LinkLog } from '@vigia/link/log'
import { Aedes, type Client } from 'aedes'
import { createAllowList } from './allow-list.ts'
import { createAuthorization } from './authorization.ts'
import type { BrokerMetrics } from './broker-metrics.ts'
import type { TlsFiles } from './config.ts'
import { createEdgeAccounts } from './edge-accounts.ts'
import { createKnownSources } from './known-sources.ts'
import { type BrokerLimits, DEFAULT_LIMITS } from './limits.ts'
import { createListener } from './listener.ts'
import { createPeers, type Peers } from './peers.ts'
import { createPublications } from './publications.ts'
import { createRefusalLog, type RefusalLog } from './refusal-log.ts'
import { createRetainedStates, type RetainedStates } from './retained-states.ts'
import { createSessions } from './sessions.ts'
import type { StoredMessage } from './state-folder.ts'

/** Number of levels of the longest topic; aedes allows a hundred. */
const MAX_TOPIC_LEVELS = 5

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

const noMetrics: BrokerMetrics = { message: () => {}, dropped: () => {}, refused: () => {} }

export interface Broker {
  /** @throws VigiaError `indisponivel` when the port is taken, `interno` when the certificates are unusable */
  start(): Promise<{ readonly porta: number }>
  stop(): Promise<void>
  /** Number of admitted clients. */
  clients(): Record<Identity['kind'], number>
}

/** The embedded MQTT 3.1.1 broker: mutual TLS, only certificates in force, each client confined to its own topics. */
export function createBroker({ host, port, tls, stateDir, log, limits, metrics }: BrokerOptions): Broker {
  const limit: BrokerLimits = { ...DEFAULT_LIMITS, ...limits }
  const count = metrics ?? noMetrics
  const refusals = createRefusalLog(log, undefined, count.refused)
  const allowList = createAllowList()
  const known = createKnownSources({ dir: stateDir, log })
  const { lineageOf } = allowList
  const states = createRetainedStates({ dir: stateDir, limits: limit.retained, lineageOf, log })
  const accounts = createEdgeAccounts(limit, () => performance.now())
  const publications = createPublications(limit)
  const peers = createPeers({
    limit,
    allowList,
    accounts,
    refusals,
    onProgress: publications.progressed,
    onLeft: publications.left,
  })
  const aedes = new Aedes({
    // It has no limit, because with a limit mqemitter recurses over its backlog when a stalled client leaves, and a
    // RangeError ends the process.
    concurrency: 0,
    connectTimeout: limit.handshakeMs,
    maxTopicLevels: MAX_TOPIC_LEVELS,
    ...createAuthorization({
      limit,
      allowList,
      peers,
      publications,
      states,
      refusals,
      count,
      // The client id is the name of the certificate, or that of one replica of the cloud.
      takeSession: (client) => sessions.take(client.id, client),
    }),
  })
  const sessions = createSessions(aedes)
  aedes.on('publish', publications.passedOn)

  const publishRetained = ({ topic, payload }: StoredMessage) =>
    new Promise<void>((resolve) => {
      aedes.publish({ cmd: 'publish', topic, payload, qos: 1, retain: true, dup: false }, () => resolve())
    })
  followClients(aedes, { log, peers, states, refusals })
  const listener = createListener({
    host,
    port,
    tls,
    refusals,
    known,
    handshakeMs: limit.handshakeMs,
    handshakes: limit.handshakes,
    maxConnections: limit.maxConnections,
    onConnection(socket, admitted) {
      const peer = peers.accept(socket, admitted)
      if (peer) aedes.handle(peer.guarded.stream)
    },
    onError: (err) => log.error({ err }, 'server error'),
  })

  return {
    clients: peers.count,
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

interface ClientEvents {
  readonly log: LinkLog
  readonly peers: Peers
  readonly states: RetainedStates
  readonly refusals: RefusalLog
}

/** Logs the begin and the end of each client, and keeps its last will. */
function followClients(aedes: Aedes, { log, peers, states, refusals }: ClientEvents): void {
  aedes.on('clientReady', (client) => {
    const peer = peers.of(client)
    log.info({ cliente: client.id, endereco: peer?.address }, 'client connected')
    if (peer?.will) states.keepWill(peer.will)
  })
  aedes.on('clientDisconnect', (client) => log.info({ cliente: client.id }, 'client gone'))
  const onConnectionError = (client: Client, error: Error) => {
    // Only the message is logged: the error of a malformed packet contains the packet.
    const peer = peers.of(client)
    refusals.log({ cliente: peer?.name, endereco: peer?.address, motivo: error.message }, 'connection ended')
  }
  aedes.on('clientError', onConnectionError)
  aedes.on('connectionError', onConnectionError)
  aedes.addListener('error', (err: unknown) => log.error({ err }, 'broker error'))
}
