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
import { decodeFramed } from './framed.ts'
import { CLOUD_NAME, replicaName } from './identity.ts'
import { createListeners } from './listeners.ts'
import type { LinkLog } from './log.ts'
import { createMessageBounds, isBounded } from './message-bounds.ts'
import { decodeMessage, deliver, encodeMessage } from './messages.ts'
import { createNewestOnly } from './newest-only.ts'
import { createRequests, type Requests } from './requests.ts'
import { createSerialQueues, type SerialQueueLimits } from './serial-queues.ts'
import type { TlsIdentity } from './session.ts'
import { CERTIFICATES_TOPIC, everyEdge, parseTopic, topics } from './topics.ts'

export interface CloudLinkOptions {
  /** `mqtts://host:port` */
  readonly url: string
  readonly tls: TlsIdentity
  readonly log: LinkLog
  /** Waits between attempts; default 1 s to 30 s. */
  readonly backoff?: BackoffLimits
  /** Default 15. */
  readonly keepaliveS?: number
  readonly queues?: SerialQueueLimits
  /**
   * Name of this replica among several clouds of one installation, which makes its client id unique. Such a link reads
   * the edges of `own` only. Without a name it is the only cloud and reads every edge.
   */
  readonly replica?: string | undefined
}

type BatchHandler = (edgeId: number, payload: Buffer) => Promise<void>
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
  /** Called with one report of an edge at a time. After all listeners are done, the newest waiting report follows. */
  onReport(listener: (edgeId: number, relato: Relato) => void | Promise<void>): void
  /** Delivered like reports. */
  onPresence(listener: (edgeId: number, online: boolean) => void | Promise<void>): void
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
  /**
   * Publishes the retained list of certificates in force. Resolves at PUBACK: by then the embedded broker has
   * disconnected every edge outside of the list. Rejects like `publishAnswer`.
   */
  publishAllowed(list: Certificados): Promise<void>
  /** Sends a command to an edge and waits for its answer (requests.ts), at most until the deadline. */
  readonly request: Requests['request']
}

/** A correct edge has at most 4 MiB of live records and three batches of backlog (up to 6 MiB each) in flight. */
const DEFAULT_QUEUES: SerialQueueLimits = {
  perKey: 64,
  // A fraction of the total, so that a few flooding edges cannot displace the batches of all others.
  bytesPerKey: 24 * 1024 * 1024,
  bytes: 256 * 1024 * 1024,
}
const DRAIN_MS = 3_000
/** Shortest interval between two handled reports of one edge. Edges report every few seconds. */
const BETWEEN_MS = 200
/** Topics that edges write. */
const edgeTopicNames = ['candidatos', 'extras', 'relato', 'presenca', 'respostas', 'aovivo', 'renovacao'] as const
/** Topics that every replica reads of every edge. A replica drops the answers to the commands of others. */
const commonTopicNames = ['presenca', 'respostas'] as const

/** Gives the log lines of a message from an edge an id. */
const asMessage = <T>(edgeId: number, run: () => T): T =>
  runActivity({ fields: { edge_id: edgeId, enlace_id: randomUUID() } }, run)

export function createCloudLink(options: CloudLinkOptions): CloudLink {
  const { url, tls, log, backoff, keepaliveS, queues, replica } = options
  const listeners = {
    connected: createListeners<[]>(log, 'connected'),
    report: createListeners<[number, Relato]>(log, 'report'),
    presence: createListeners<[number, boolean]>(log, 'presence'),
    renewal: createListeners<[number, PedidoRenovacao]>(log, 'renewal'),
    liveFrame: createListeners<[number, QuadroAoVivo, Buffer]>(log, 'live frame'),
  }
  const batchHandlers: Partial<Record<BatchKind, BatchHandler>> = {}

  const batches = createSerialQueues<BatchKind>(queues ?? DEFAULT_QUEUES, (edgeId, payload, kind) =>
    asMessage(edgeId, async () => {
      try {
        await batchHandlers[kind]?.(edgeId, payload)
      } catch (err) {
        log.error({ err, edgeId }, 'batch not processed; the edge will send it again')
      }
    }),
  )

  const dropped = createCountedWarnings(log)
  const bounds = createMessageBounds()
  const unreadable = (topic: string, payload: Buffer): void =>
    dropped.warn(`unreadable ${topic}`, { topic, bytes: payload.length }, 'unreadable message dropped')

  const reports = createNewestOnly<Buffer>(BETWEEN_MS, (edgeId, payload) =>
    asMessage(edgeId, async () => {
      const relato = decodeMessage(relatoSchema, payload)
      if (relato === null) unreadable(topics(edgeId).relato, payload)
      else await listeners.report.emitAndWait(edgeId, relato)
    }),
  )

  const presences = createNewestOnly<boolean>(BETWEEN_MS, (edgeId, online) =>
    asMessage(edgeId, () => listeners.presence.emitAndWait(edgeId, online)),
  )

  function enqueue(edgeId: number, payload: Buffer, kind: BatchKind): boolean {
    if (!batches.push(edgeId, payload, kind)) {
      const fields = { edgeId, bytes: payload.length }
      dropped.warn(`full ${edgeId}`, fields, 'too many batches waiting; the edge will send it again')
    }
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

  function present(edgeId: number, online: boolean): void {
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
    if (name === 'candidatos' || name === 'extras') return enqueue(edgeId, payload, name)
    if (isBounded(name) && !bounds.accepts(edgeId, name, payload.length)) {
      dropped.warn(`excess ${topic}`, { topic, bytes: payload.length }, 'message above the bounds of its edge dropped')
      return true
    }
    if (name === 'relato') {
      reports.push(edgeId, payload)
      return true
    }
    if (name === 'presenca') return deliver(presencaSchema, payload, ({ online }) => present(edgeId, online))
    if (name === 'respostas') return requests.answered(edgeId, payload)
    if (name === 'aovivo') return show(edgeId, payload)
    if (name === 'renovacao') {
      return deliver(pedidoRenovacaoSchema, payload, (pedido) =>
        asMessage(edgeId, () => listeners.renewal.emit(edgeId, pedido)),
      )
    }
    return false
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
    onRenewal: listeners.renewal.add,
    onLiveFrame: listeners.liveFrame.add,
    publishAnswer: (edgeId, resposta) => publish(topics(edgeId).confirmacoes, encodeMessage(resposta), false),
    publishRenewed: (edgeId, renovado) => publish(topics(edgeId).certificado, encodeMessage(renovado), false),
    publishDesired: (edgeId, desejado) =>
      publish(topics(edgeId).desejado, desejado === null ? Buffer.alloc(0) : encodeMessage(desejado), true),
    request: requests.request,
    publishAllowed: (list) => publish(CERTIFICATES_TOPIC, encodeMessage(list), true),
  }
}
