import type { Confirmacao } from '@vigia/contracts/candidate'
import {
  type Certificados,
  type Desejado,
  presencaSchema,
  type Relato,
  relatoSchema,
} from '@vigia/contracts/edge-state'
import type { BackoffLimits } from './backoff.ts'
import { createConnection } from './connection.ts'
import { CLOUD_NAME } from './identity.ts'
import { createListeners } from './listeners.ts'
import type { LinkLog } from './log.ts'
import { deliver, encodeMessage } from './messages.ts'
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
}

type RecordHandler = (edgeId: number, payload: Buffer) => Promise<void>

/** The cloud's end of the link: an ordinary MQTT 3.1.1 client of whatever broker. */
export interface CloudLink {
  /** Connects, and connects again for ever. */
  start(): void
  /** Ends the connection and waits for the records in work, 3 s at most each. The link cannot be started again. */
  stop(): Promise<void>
  readonly connected: boolean
  /** Told each time the subscriptions stand: the moment to publish every desired state again, a broker may have lost them. */
  onConnected(listener: () => void | Promise<void>): void
  /**
   * The one consumer of records: envelopes as they came, not yet decoded. Those of one edge are handed over one after the other,
   * in order; those of different edges side by side. A record that finds no room, or whose handler fails, is not
   * confirmed, and so the edge sends it again.
   */
  onRecord(handler: RecordHandler): void
  onReport(listener: (edgeId: number, relato: Relato) => void | Promise<void>): void
  onPresence(listener: (edgeId: number, online: boolean) => void | Promise<void>): void
  /** Resolves at PUBACK; rejects when not connected, on close and after 20 s. */
  publishAck(edgeId: number, confirmacao: Confirmacao): Promise<void>
  /** Retained; null clears what is retained. Resolves at PUBACK; rejects like `publishAck`. */
  publishDesired(edgeId: number, desejado: Desejado | null): Promise<void>
  /**
   * Retained: the certificates in force. Resolves at PUBACK; the embedded broker has then cut off every edge that is not in the
   * list. Rejects like `publishAck`.
   */
  publishAllowed(list: Certificados): Promise<void>
  /** Asks an edge to do something now and waits for its answer (requests.ts); never beyond the deadline, nor for one that is gone. */
  readonly request: Requests['request']
}

/** Far above what a well-behaved edge has under way; what an edge may cost when it is not. */
const DEFAULT_QUEUES: SerialQueueLimits = {
  perKey: 64,
  bytesPerKey: 64 * 1024 * 1024,
  bytes: 256 * 1024 * 1024,
}
const DRAIN_MS = 3_000

export function createCloudLink({ url, tls, log, backoff, keepaliveS, queues }: CloudLinkOptions): CloudLink {
  const heard = {
    connected: createListeners<[]>(log, 'connected'),
    report: createListeners<[number, Relato]>(log, 'report'),
    presence: createListeners<[number, boolean]>(log, 'presence'),
  }
  let recordHandler: RecordHandler | null = null

  const records = createSerialQueues(queues ?? DEFAULT_QUEUES, async (edgeId, payload) => {
    try {
      await recordHandler?.(edgeId, payload)
    } catch (err) {
      log.error({ err, edgeId }, 'record not processed; the edge will send it again')
    }
  })

  function enqueue(edgeId: number, payload: Buffer): boolean {
    if (!records.push(edgeId, payload)) {
      log.warn({ edgeId, bytes: payload.length }, 'too many records waiting; the edge will send it again')
    }
    return true
  }

  const requests = createRequests({
    isConnected: () => connection.session !== null,
    send: (edgeId, pedido) => publish(topics(edgeId).pedidos, encodeMessage(pedido), false),
    log,
  })

  function present(edgeId: number, online: boolean): void {
    requests.presence(edgeId, online)
    heard.presence.emit(edgeId, online)
  }

  function read(topic: string, payload: Buffer): boolean {
    const source = parseTopic(topic)
    if (source === null) return false
    const { edgeId, name } = source
    if (name === 'candidatos') return enqueue(edgeId, payload)
    if (name === 'relato') return deliver(relatoSchema, payload, (relato) => heard.report.emit(edgeId, relato))
    if (name === 'presenca') return deliver(presencaSchema, payload, ({ online }) => present(edgeId, online))
    if (name === 'respostas') return requests.answered(edgeId, payload)
    return false
  }

  function onMessage(topic: string, payload: Buffer): void {
    if (!read(topic, payload)) log.warn({ topic, bytes: payload.length }, 'unreadable message dropped')
  }

  const connection = createConnection({
    url,
    clientId: CLOUD_NAME,
    tls,
    subscriptions: [everyEdge.candidatos, everyEdge.relato, everyEdge.presenca, everyEdge.respostas],
    onMessage,
    onState: (connected) => {
      if (connected) heard.connected.emit()
      else requests.disconnected()
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
      await connection.stop()
      await Promise.race([records.idle(), new Promise((resolve) => setTimeout(resolve, DRAIN_MS).unref())])
    },
    get connected() {
      return connection.session !== null
    },
    onConnected: heard.connected.add,
    onRecord: (handler) => {
      if (recordHandler !== null) throw new Error('records have one consumer')
      recordHandler = handler
    },
    onReport: heard.report.add,
    onPresence: heard.presence.add,
    publishAck: (edgeId, confirmacao) => publish(topics(edgeId).confirmacoes, encodeMessage(confirmacao), false),
    publishDesired: (edgeId, desejado) =>
      publish(topics(edgeId).desejado, desejado === null ? Buffer.alloc(0) : encodeMessage(desejado), true),
    request: requests.request,
    publishAllowed: (list) => publish(CERTIFICATES_TOPIC, encodeMessage(list), true),
  }
}
