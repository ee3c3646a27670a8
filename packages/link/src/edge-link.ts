import { type Confirmacoes, type Eco, type RespostaCentral, respostaCentralSchema } from '@vigia/contracts/candidate'
import {
  type Desejado,
  desejadoSchema,
  type PedidoRenovacao,
  type presencaSchema,
  type Relato,
  type Renovado,
  renovadoSchema,
} from '@vigia/contracts/edge-state'
import type { QuadroAoVivo } from '@vigia/contracts/pedidos'
import type { BackoffLimits } from './backoff.ts'
import { createConnection, type LinkStatus } from './connection.ts'
import { createDuplicateWatch } from './duplicate-identity.ts'
import { encodeFramed } from './framed.ts'
import { edgeName } from './identity.ts'
import { MAX_RECORD_BYTES } from './limits.ts'
import { createListeners } from './listeners.ts'
import type { LinkLog } from './log.ts'
import { deliver, encodeMessage } from './messages.ts'
import { createRefusalWatch } from './refused-identity.ts'
import { type CommandHandler, createResponder } from './responder.ts'
import type { TlsIdentity } from './session.ts'
import { topics } from './topics.ts'

export interface EdgeLinkOptions {
  /** `mqtts://host:port` */
  readonly url: string
  readonly edgeId: number
  /** Read at each attempt: a renewed certificate is used from the next one on. */
  tls(): TlsIdentity
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
  /** Ends the session politely and connects again at once, with what `tls` says then. */
  reconnect(): void
  readonly connected: boolean
  readonly status: LinkStatus
  /** Told true when subscriptions stand and records may be sent, false when that ends. */
  onConnection(listener: (connected: boolean) => void | Promise<void>): void
  onDesired(listener: (desejado: Desejado) => void | Promise<void>): void
  onConfirmations(listener: (confirmacoes: Confirmacoes) => void | Promise<void>): void
  /** The answer to a report; the listener is called in the moment of its arrival. */
  onEcho(listener: (eco: Eco) => void): void
  onRenewed(listener: (renovado: Renovado) => void | Promise<void>): void
  /** The one who does what the cloud asks for (responder.ts); without it every command is answered `comando_desconhecido`. */
  onRequest(handler: CommandHandler): void
  /**
   * Sends one batch (batch.ts). Resolves when the broker has it (PUBACK), which is not yet the cloud's confirmation. Rejects when not
   * connected, when the connection ends first, and after 20 s plus the time that its bytes, and those still under way before it,
   * need at 64 kbit/s.
   */
  publishBatch(payload: Buffer): Promise<void>
  /** Resolves when the report is handed to the network; the next one replaces it anyway. Rejects when not connected. */
  publishReport(relato: Relato): Promise<void>
  /** Resolves at PUBACK; rejects like `publishBatch`. */
  publishRenewal(pedido: PedidoRenovacao): Promise<void>
  /**
   * Sends a picture if it can go out now. false: not connected, too large for the link, or what was sent before is not out yet; the
   * picture is dropped, and the next one is newer.
   */
  publishLiveFrame(quadro: QuadroAoVivo, jpeg: Buffer): boolean
}

const presence = (online: boolean): Buffer => encodeMessage({ v: 1, online } satisfies typeof presencaSchema._output)

/** One that is too large with thousands of cameras goes without the details that the cloud only shows. */
export function encodeReport(relato: Relato): Buffer {
  const whole = encodeMessage(relato)
  if (whole.length <= MAX_RECORD_BYTES) return whole
  const none = {
    complemento: null,
    codec: null,
    resolucao: null,
    fps: null,
    ias_sem_suporte: [],
    ias_indisponiveis: [],
  }
  return encodeMessage({ ...relato, cameras: relato.cameras.map((camera) => ({ ...camera, ...none })) })
}

export function createEdgeLink({ url, edgeId, tls, log, backoff, keepaliveS }: EdgeLinkOptions): EdgeLink {
  const mine = topics(edgeId)
  const heard = {
    connection: createListeners<[boolean]>(log, 'connection'),
    desired: createListeners<[Desejado]>(log, 'desired'),
    confirmations: createListeners<[Confirmacoes]>(log, 'confirmations'),
    echo: createListeners<[Eco]>(log, 'echo'),
    renewed: createListeners<[Renovado]>(log, 'renewed'),
  }
  const duplicates = createDuplicateWatch(log, () => performance.now())
  const refusals = createRefusalWatch(log, () => performance.now())

  const responder = createResponder({
    send: (answer) => publish(mine.respostas, answer, 1),
    log,
    now: () => performance.now(),
  })

  function answered(resposta: RespostaCentral): void {
    if (resposta.tipo === 'eco') heard.echo.emit(resposta)
    else heard.confirmations.emit(resposta)
  }

  function read(topic: string, payload: Buffer): boolean {
    if (topic === mine.desejado) return deliver(desejadoSchema, payload, heard.desired.emit)
    if (topic === mine.pedidos) return responder.receive(payload)
    if (topic === mine.confirmacoes) return deliver(respostaCentralSchema, payload, answered)
    if (topic === mine.certificado) return deliver(renovadoSchema, payload, heard.renewed.emit)
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
    subscriptions: [mine.confirmacoes, mine.desejado, mine.pedidos, mine.certificado],
    will: { topic: mine.presenca, payload: presence(false) },
    birth: { topic: mine.presenca, payload: presence(true) },
    onMessage,
    onState: heard.connection.emit,
    onEnded: (ending, livedMs) => {
      duplicates.ended(ending, livedMs)
      refusals.ended(ending)
    },
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
    reconnect: connection.reconnect,
    get connected() {
      return connection.session !== null
    },
    get status() {
      return connection.status
    },
    onConnection: heard.connection.add,
    onDesired: heard.desired.add,
    onConfirmations: heard.confirmations.add,
    onEcho: heard.echo.add,
    onRenewed: heard.renewed.add,
    onRequest: responder.handle,
    publishBatch: (payload) => publish(mine.candidatos, payload, 1),
    publishReport: (relato) => publish(mine.relato, encodeReport(relato), 0),
    publishRenewal: (pedido) => publish(mine.renovacao, encodeMessage(pedido), 1),
    publishLiveFrame: (quadro, jpeg) => {
      const frame = connection.session === null ? null : encodeFramed(quadro, [jpeg])
      return frame !== null && connection.session?.offer(mine.aovivo, frame) === true
    },
  }
}
