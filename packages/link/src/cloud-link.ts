import { randomUUID } from 'node:crypto'
import type { RespostaCentral } from '@vigia/contracts/candidate'
import {
  type Certificados,
  type Desejado,
  type PedidoRenovacao,
  pedidoRenovacaoSchema,
  presencaSchema,
  type Relato,
  type Renovado,
  relatoSchema,
} from '@vigia/contracts/edge-state'
import { type QuadroAoVivo, quadroAoVivoSchema } from '@vigia/contracts/pedidos'
import { runActivity } from '@vigia/runtime/activity'
import type { BackoffLimits } from '@vigia/runtime/backoff'
import { createChosenEdges } from './chosen-edges.ts'
import { createConnection } from './connection.ts'
import { createCountedWarnings } from './counted-warnings.ts'
import { type EdgeLineage, ownLineage } from './edge-lineage.ts'
import { decodeFramed } from './framed.ts'
import { CLOUD_NAME, replicaName } from './identity.ts'
import { MAX_QUEUED, MAX_QUEUED_ITEMS, MESSAGE_BYTES, RATES } from './limits.ts'
import { createListeners } from './listeners.ts'
import type { LinkLog } from './log.ts'
import { decodeMessage, deliver, encodeMessage } from './messages.ts'
import { createNewestOnly } from './newest-only.ts'
import { createRates, type RateLimits } from './rates.ts'
import { createRequests, type Requests } from './requests.ts'
import { createSerialQueues } from './serial-queues.ts'
import type { TlsIdentity } from './session.ts'
import { createShares, type ShareLimits } from './shares.ts'
import { CERTIFICATES_TOPIC, edgeTopicNames, everyEdge, isEdgeTopic, parseTopic, topics } from './topics.ts'

export interface CloudLinkOptions {
  /** `mqtts://host:port` */
  readonly url: string
  readonly tls: TlsIdentity
  readonly log: LinkLog
  /** Waits between attempts; default 1 s to 30 s. */
  readonly backoff?: BackoffLimits
  /** Default 15. */
  readonly keepaliveS?: number
  /** Bounds of waiting messages; default `MAX_QUEUED` and `MAX_QUEUED_ITEMS`. */
  readonly queues?: { readonly perEdge: number; readonly bytes: ShareLimits }
  /** Bounds of the messages that are handled at once (answers, live pictures); default `RATES`. */
  readonly rates?: RateLimits<'packets' | 'bytes'>
  /** Empresa and root of an edge; default: each edge belongs to nobody else. */
  readonly lineageOf?: (edgeId: number) => EdgeLineage
  /**
   * Runs the work of one message when the edge has its turn; default: at once. The work resolves with the number of its
   * records. Batches, extras, reports, presence and renewals run in turns.
   */
  readonly inTurn?: (edgeId: number, bytes: number, work: () => Promise<number>) => Promise<void>
  /**
   * Name of this replica among several clouds of one installation, which makes its client id unique. Such a link reads
   * the edges of `own` only. Without a name it is the only cloud and reads every edge.
   */
  readonly replica?: string | undefined
}

/** Resolves with the number of records. */
type BatchHandler = (edgeId: number, payload: Buffer) => Promise<number | undefined>
/** Messages that an edge repeats until they are answered. */
type BatchKind = 'candidatos' | 'extras'

/** The cloud's side of the link: an MQTT 3.1.1 client of any broker. */
export interface CloudLink {
  /** Connects and reconnects without end. */
  start(): void
  /** Ends the connection and waits up to 3 s for running batch handlers. The link cannot be restarted. */
  stop(): Promise<void>
  readonly connected: boolean
  /** Sets the edges that a named replica serves. The presence that is known of new ones is delivered again. */
  own(edgeIds: Iterable<number>): void
  /** Reads the live pictures of an edge until the returned function is called. */
  watch(edgeId: number): () => void
  /** Called after each connection. Publish all retained messages again, because a broker may have lost them. */
  onConnected(listener: () => void | Promise<void>): void
  /**
   * Sets the only consumer of batches, which gets them undecoded (batch.ts). Batches of one edge run in order, one at a
   * time; batches of different edges run in parallel. A batch without queue space, or with a failed handler, gets no
   * answer, so that the edge sends it again.
   */
  onBatch(handler: BatchHandler): void
  /** Sets the only consumer of extras (extras-batch.ts). They wait and run in the order of the edge's batches. */
  onExtras(handler: BatchHandler): void
  /**
   * Called with one report of an edge at a time, and the time for which it waited (ms). After all listeners are done,
   * the newest waiting report follows.
   */
  onReport(listener: (edgeId: number, relato: Relato, waitedMs: number) => void | Promise<void>): void
  /** Delivered like reports. */
  onPresence(listener: (edgeId: number, online: boolean) => void | Promise<void>): void
  /** Called with each edge that announces itself, or whose last presence the broker has kept; also edges of others. */
  onAnnounced(listener: (edgeId: number) => void): void
  /** Called when an edge requests a certificate for a new key. */
  onRenewal(listener: (edgeId: number, pedido: PedidoRenovacao) => void | Promise<void>): void
  /** Called with a live picture of a camera. `jpeg` is unchecked, and a view into the message, not a copy. */
  onLiveFrame(listener: (edgeId: number, quadro: QuadroAoVivo, jpeg: Buffer) => void): void
  /** Answers a batch or a report. Resolves at PUBACK; rejects without a connection, on close and after 20 s. */
  publishAnswer(edgeId: number, resposta: RespostaCentral): Promise<void>
  /** Resolves at PUBACK; rejects like `publishAnswer`. */
  publishRenewed(edgeId: number, renovado: Renovado): Promise<void>
  /**
   * Publishes a retained desired state; null clears it. Resolves at PUBACK. Rejects like `publishAnswer`, and with a
   * MessageTooLargeError (limits.ts) like every publisher of the link.
   */
  publishDesired(edgeId: number, desejado: Desejado | null): Promise<void>
  /** Clears the retained presence of a removed edge. Resolves and rejects like `publishDesired`. */
  clearPresence(edgeId: number): Promise<void>
  /**
   * Publishes the retained list of certificates in force. Resolves at PUBACK: by then the embedded broker has
   * disconnected every edge outside of the list. Rejects like `publishAnswer`.
   */
  publishAllowed(list: Certificados): Promise<void>
  /** Sends a command to an edge and waits for its answer (requests.ts), at most until the deadline. */
  readonly request: Requests['request']
}

const DRAIN_MS = 3_000
/** Shortest interval between two handled reports of one edge. Edges report every few seconds. */
const BETWEEN_MS = 200
/** Burst of the messages that are handled at once. */
const BURST_MS = 4_000
/** Topics that every replica reads of every edge. A replica drops the answers to the commands of others. */
const commonTopicNames = ['presenca', 'respostas'] as const

/** Gives the log lines of a message from an edge an id. */
const asMessage = <T>(edgeId: number, run: () => T): T =>
  runActivity({ fields: { edge_id: edgeId, enlace_id: randomUUID() } }, run)

export function createCloudLink(options: CloudLinkOptions): CloudLink {
  const { url, tls, log, backoff, keepaliveS, queues, replica, rates = RATES } = options
  const { lineageOf = ownLineage, inTurn = async (_edgeId, _bytes, work) => void (await work()) } = options
  const listeners = {
    connected: createListeners<[]>(log, 'connected'),
    report: createListeners<[number, Relato, number]>(log, 'report'),
    presence: createListeners<[number, boolean]>(log, 'presence'),
    announced: createListeners<[number]>(log, 'announced'),
    renewal: createListeners<[number, PedidoRenovacao]>(log, 'renewal'),
    liveFrame: createListeners<[number, QuadroAoVivo, Buffer]>(log, 'live frame'),
  }
  const batchHandlers: Partial<Record<BatchKind, BatchHandler>> = {}

  /** All waiting messages share one memory, so that their sum is bounded. */
  const space = { shares: createShares(queues?.bytes ?? MAX_QUEUED), lineageOf }
  const atOnce = createRates(rates, BURST_MS, () => performance.now())

  const batches = createSerialQueues<BatchKind>(queues?.perEdge ?? MAX_QUEUED_ITEMS, space, (edgeId, payload, kind) =>
    asMessage(edgeId, async () => {
      try {
        await inTurn(edgeId, payload.length, async () => (await batchHandlers[kind]?.(edgeId, payload)) ?? 0)
      } catch (err) {
        log.error({ err, edgeId }, 'batch not processed; the edge will send it again')
      }
    }),
  )

  const dropped = createCountedWarnings(log)
  const unreadable = (topic: string, payload: Buffer): void =>
    dropped.warn(`unreadable ${topic}`, { topic, bytes: payload.length }, 'unreadable message dropped')

  const reports = createNewestOnly<{ payload: Buffer; at: number }>(BETWEEN_MS, space, (edgeId, { payload, at }) =>
    asMessage(edgeId, () =>
      inTurn(edgeId, payload.length, async () => {
        const relato = decodeMessage(relatoSchema, payload)
        if (relato === null) {
          unreadable(topics(edgeId).relato, payload)
          return 0
        }
        await listeners.report.emitAndWait(edgeId, relato, performance.now() - at)
        return relato.cameras.length
      }),
    ),
  )

  const presences = createNewestOnly<boolean>(BETWEEN_MS, space, (edgeId, online) =>
    asMessage(edgeId, () =>
      inTurn(edgeId, 0, async () => {
        await listeners.presence.emitAndWait(edgeId, online)
        return 0
      }),
    ),
  )

  const renewals = createNewestOnly<Buffer>(BETWEEN_MS, space, (edgeId, payload) =>
    asMessage(edgeId, () =>
      inTurn(edgeId, payload.length, async () => {
        const pedido = decodeMessage(pedidoRenovacaoSchema, payload)
        if (pedido === null) unreadable(topics(edgeId).renovacao, payload)
        else await listeners.renewal.emitAndWait(edgeId, pedido)
        return 1
      }),
    ),
  )

  /** Always true: a message without space was readable. */
  function queued(edgeId: number, payload: Buffer, hasSpace: boolean): boolean {
    const fields = { edgeId, bytes: payload.length }
    if (!hasSpace) dropped.warn(`full ${edgeId}`, fields, 'too many messages waiting; the edge will send it again')
    return true
  }

  /** Counts a message that is handled at once. false: its edge, Empresa or root is over its rate. */
  function withinRates(edgeId: number, payload: Buffer): boolean {
    const lineage = lineageOf(edgeId)
    if (atOnce.waitMs(lineage) > 0) {
      dropped.warn(`rate ${edgeId}`, { edgeId, bytes: payload.length }, 'too many answers or pictures; one dropped')
      return false
    }
    atOnce.charge(lineage, { packets: 1, bytes: payload.length })
    return true
  }

  function show(edgeId: number, payload: Buffer): boolean {
    const framed = decodeFramed(payload)
    const quadro = framed.ok ? quadroAoVivoSchema.safeParse(framed.header).data : undefined
    if (!framed.ok || quadro === undefined || framed.body.length === 0) return false
    listeners.liveFrame.emit(edgeId, quadro, framed.body)
    return true
  }

  const requests = createRequests({
    isConnected: () => connection.session !== null,
    send: (edgeId, pedido) => publish(topics(edgeId).pedidos, encodeMessage(pedido), false),
    log,
  })

  /** Last presence of each edge, for an owner that comes later. */
  const known = new Map<number, boolean>()
  const chosen = createChosenEdges(() => connection.session, log)

  function present(edgeId: number, payload: Buffer): boolean {
    // The presence of a removed edge was cleared.
    if (payload.length === 0) {
      known.delete(edgeId)
      return true
    }
    return deliver(presencaSchema, payload, ({ online }) => announce(edgeId, online))
  }

  function announce(edgeId: number, online: boolean): void {
    listeners.announced.emit(edgeId)
    requests.presence(edgeId, online)
    if (replica !== undefined) known.set(edgeId, online)
    if (replica === undefined || chosen.owns(edgeId)) presences.push(edgeId, online)
  }

  function own(edgeIds: Iterable<number>): void {
    const before = new Set([...known.keys()].filter((edgeId) => chosen.owns(edgeId)))
    chosen.own(edgeIds)
    for (const [edgeId, online] of known) if (chosen.owns(edgeId) && !before.has(edgeId)) presences.push(edgeId, online)
  }

  function read(topic: string, payload: Buffer): boolean {
    const source = parseTopic(topic)
    if (source === null) return false
    const { edgeId, name } = source
    if (!isEdgeTopic(name) || payload.length > MESSAGE_BYTES[name]) return false
    if (name === 'candidatos' || name === 'extras') return queued(edgeId, payload, batches.push(edgeId, payload, name))
    if (name === 'relato')
      return queued(edgeId, payload, reports.push(edgeId, { payload, at: performance.now() }, payload.length))
    if (name === 'renovacao') return queued(edgeId, payload, renewals.push(edgeId, payload, payload.length))
    if (name === 'presenca') return present(edgeId, payload)
    if (!withinRates(edgeId, payload)) return true
    return name === 'aovivo' ? show(edgeId, payload) : requests.answered(edgeId, payload)
  }

  function setHandler(kind: BatchKind, handler: BatchHandler): void {
    if (batchHandlers[kind] !== undefined) throw new Error(`${kind} have one consumer`)
    batchHandlers[kind] = handler
  }

  function onMessage(topic: string, payload: Buffer): void {
    if (!read(topic, payload)) unreadable(topic, payload)
  }

  const connection = createConnection({
    url,
    clientId: replica === undefined ? CLOUD_NAME : replicaName(replica),
    tls: () => tls,
    subscriptions: () =>
      replica === undefined
        ? edgeTopicNames.map((name) => everyEdge[name])
        : [...commonTopicNames.map((name) => everyEdge[name]), ...chosen.begin()],
    onMessage,
    onState: (connected) => {
      if (connected) {
        chosen.update()
        listeners.connected.emit()
      } else requests.disconnected()
    },
    log,
    backoff,
    keepaliveS,
  })

  async function publish(topic: string, payload: Buffer, retain: boolean): Promise<void> {
    if (connection.session === null) throw new Error('link not connected')
    await connection.session.publish(topic, payload, { qos: 1, retain })
  }

  return {
    start: connection.start,
    stop: async () => {
      reports.stop()
      presences.stop()
      renewals.stop()
      await connection.stop()
      await Promise.race([batches.idle(), new Promise((resolve) => setTimeout(resolve, DRAIN_MS).unref())])
    },
    get connected() {
      return connection.session !== null
    },
    own,
    // Without a name the link reads the pictures of every edge.
    watch: replica === undefined ? () => () => {} : chosen.watch,
    onConnected: listeners.connected.add,
    onBatch: (handler) => setHandler('candidatos', handler),
    onExtras: (handler) => setHandler('extras', handler),
    onReport: listeners.report.add,
    onPresence: listeners.presence.add,
    onAnnounced: listeners.announced.add,
    onRenewal: listeners.renewal.add,
    onLiveFrame: listeners.liveFrame.add,
    publishAnswer: (edgeId, resposta) => publish(topics(edgeId).confirmacoes, encodeMessage(resposta), false),
    publishRenewed: (edgeId, renovado) => publish(topics(edgeId).certificado, encodeMessage(renovado), false),
    publishDesired: (edgeId, desejado) =>
      publish(topics(edgeId).desejado, desejado === null ? Buffer.alloc(0) : encodeMessage(desejado), true),
    clearPresence: (edgeId) => publish(topics(edgeId).presenca, Buffer.alloc(0), true),
    request: requests.request,
    publishAllowed: (list) => publish(CERTIFICATES_TOPIC, encodeMessage(list), true),
  }
}
