import { type Confirmacao, confirmacaoSchema } from '@vigia/contracts/candidate'
import { type Desejado, desejadoSchema, type presencaSchema, type Relato } from '@vigia/contracts/edge-state'
import type { BackoffLimits } from './backoff.ts'
import { createConnection } from './connection.ts'
import { edgeName } from './identity.ts'
import { createListeners } from './listeners.ts'
import type { LinkLog } from './log.ts'
import { deliver, encodeMessage } from './messages.ts'
import { type CommandHandler, createResponder } from './responder.ts'
import type { TlsIdentity } from './session.ts'
import { topics } from './topics.ts'

export interface EdgeLinkOptions {
  /** `mqtts://host:port` */
  readonly url: string
  readonly edgeId: number
  readonly tls: TlsIdentity
  readonly log: LinkLog
  /** Waits between attempts; default 1 s to 30 s. */
  readonly backoff?: BackoffLimits
  /** Default 15. */
  readonly keepaliveS?: number
}

/** The edge's end of the link. It keeps no records: what is not confirmed by the cloud belongs to the outbox. */
export interface EdgeLink {
  /** Connects, and connects again for ever. */
  start(): void
  /** Says goodbye (`presenca` false) and ends; within 3 s. The link cannot be started again. */
  stop(): Promise<void>
  readonly connected: boolean
  /** Told true when subscriptions stand and records may be sent, false when that ends. */
  onConnection(listener: (connected: boolean) => void | Promise<void>): void
  onDesired(listener: (desejado: Desejado) => void | Promise<void>): void
  onAck(listener: (confirmacao: Confirmacao) => void | Promise<void>): void
  /** The one who does what the cloud asks for (responder.ts); without it every command is answered `comando_desconhecido`. */
  onRequest(handler: CommandHandler): void
  /**
   * Sends one envelope. Resolves when the broker has it (PUBACK), which is not yet the cloud's confirmation. Rejects when not
   * connected, when the connection ends first, and after 20 s plus the time its bytes need at 64 kbit/s.
   */
  publishRecord(envelope: Buffer): Promise<void>
  /** Resolves when the report is handed to the network; the next one replaces it anyway. Rejects when not connected. */
  publishReport(relato: Relato): Promise<void>
}

const presence = (online: boolean): Buffer => encodeMessage({ v: 1, online } satisfies typeof presencaSchema._output)

export function createEdgeLink({ url, edgeId, tls, log, backoff, keepaliveS }: EdgeLinkOptions): EdgeLink {
  const mine = topics(edgeId)
  const heard = {
    connection: createListeners<[boolean]>(log, 'connection'),
    desired: createListeners<[Desejado]>(log, 'desired'),
    ack: createListeners<[Confirmacao]>(log, 'ack'),
  }

  const responder = createResponder({
    send: (answer) => publish(mine.respostas, answer, 1),
    log,
    now: () => performance.now(),
  })

  function read(topic: string, payload: Buffer): boolean {
    if (topic === mine.desejado) return deliver(desejadoSchema, payload, heard.desired.emit)
    if (topic === mine.pedidos) return responder.receive(payload)
    if (topic === mine.confirmacoes) return deliver(confirmacaoSchema, payload, heard.ack.emit)
    return false
  }

  function onMessage(topic: string, payload: Buffer): void {
    // A cleared retained message arrives empty and asks for nothing.
    if (payload.length === 0) return
    if (!read(topic, payload)) log.warn({ topic, bytes: payload.length }, 'unreadable message dropped')
  }

  const connection = createConnection({
    url,
    clientId: edgeName(edgeId),
    tls,
    subscriptions: [mine.confirmacoes, mine.desejado, mine.pedidos],
    will: { topic: mine.presenca, payload: presence(false) },
    birth: { topic: mine.presenca, payload: presence(true) },
    onMessage,
    onState: heard.connection.emit,
    log,
    backoff,
    keepaliveS,
  })

  async function publish(topic: string, payload: Buffer, qos: 0 | 1): Promise<void> {
    if (connection.session === null) throw new Error('link not connected')
    await connection.session.publish(topic, payload, { qos })
  }

  return {
    start: connection.start,
    stop: () => {
      responder.stop()
      return connection.stop((session) => session.publish(mine.presenca, presence(false), { qos: 1, retain: true }))
    },
    get connected() {
      return connection.session !== null
    },
    onConnection: heard.connection.add,
    onDesired: heard.desired.add,
    onAck: heard.ack.add,
    onRequest: responder.handle,
    publishRecord: (envelope) => publish(mine.candidatos, envelope, 1),
    publishReport: (relato) => publish(mine.relato, encodeMessage(relato), 0),
  }
}
