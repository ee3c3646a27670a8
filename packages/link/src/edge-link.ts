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
import type { ConfirmacoesExtras } from '@vigia/contracts/extras'
import type { QuadroAoVivo } from '@vigia/contracts/pedidos'
import type { BackoffLimits } from '@vigia/runtime/backoff'
import { createConnection, type LinkStatus } from './connection.ts'
import { createDuplicateMonitor } from './duplicate-identity.ts'
import { encodeFramed } from './framed.ts'
import { edgeName } from './identity.ts'
import { MAX_RECORD_BYTES } from './limits.ts'
import { createListeners } from './listeners.ts'
import type { LinkLog } from './log.ts'
import { deliver, encodeMessage } from './messages.ts'
import { createRefusalMonitor } from './refused-identity.ts'
import { type CommandHandler, createResponder } from './responder.ts'
import type { TlsIdentity } from './session.ts'
import { topics } from './topics.ts'

export interface EdgeLinkOptions {
  /** `mqtts://host:port` */
  readonly url: string
  readonly edgeId: number
  /** Read at each attempt, so that the next attempt uses a renewed certificate. */
  tls(): TlsIdentity
  /** Right time in epoch ms; null: not known. Absent: the wall clock is right. */
  now?(): number | null
  readonly log: LinkLog
  /** Waits between attempts; default 1 s to 30 s. */
  readonly backoff?: BackoffLimits
  /** Default 15. */
  readonly keepaliveS?: number
}

/** The edge's side of the link. It keeps no records: the outbox holds all unconfirmed records. */
export interface EdgeLink {
  /** Connects and reconnects without end. */
  start(): void
  /** Publishes `presenca` false and ends within 3 s. The link cannot be restarted. */
  stop(): Promise<void>
  /** Ends the session with DISCONNECT and reconnects at once with the result of `tls()`. */
  reconnect(): void
  readonly connected: boolean
  readonly status: LinkStatus
  /** Called with true when the link is ready for records, and with false when the connection ends. */
  onConnection(listener: (connected: boolean) => void | Promise<void>): void
  onDesired(listener: (desejado: Desejado) => void | Promise<void>): void
  onConfirmations(listener: (confirmacoes: Confirmacoes) => void | Promise<void>): void
  onExtrasConfirmed(listener: (confirmacoes: ConfirmacoesExtras) => void | Promise<void>): void
  /**
   * Called with the answer to a report. Listeners run synchronously on arrival, because the echo measures the clock.
   */
  onEcho(listener: (eco: Eco) => void): void
  onRenewed(listener: (renovado: Renovado) => void | Promise<void>): void
  /** Handler of commands (responder.ts). Without one, the answer to every command is `comando_desconhecido`. */
  onRequest(handler: CommandHandler): void
  /**
   * Sends one batch (batch.ts). Resolves at PUBACK; the cloud's confirmation comes later. Rejects without a connection
   * and when the connection ends first. Time limit: 20 s plus the upload time, at 64 kbit/s, of its bytes and of those
   * ahead of it.
   */
  publishBatch(payload: Buffer): Promise<void>
  /** Sends extras (extras-batch.ts); settles like `publishBatch`. */
  publishExtras(payload: Buffer): Promise<void>
  /** Resolves after the write (QoS 0): the next report replaces this one. Rejects without a connection. */
  publishReport(relato: Relato): Promise<void>
  /** Resolves at PUBACK; rejects like `publishBatch`. */
  publishRenewal(pedido: PedidoRenovacao): Promise<void>
  /** Sends a picture, or drops it and returns false: no connection, too large, or earlier bytes are still unsent. */
  publishLiveFrame(quadro: QuadroAoVivo, jpeg: Buffer): boolean
}

const presence = (online: boolean): Buffer => encodeMessage({ v: 1, online } satisfies typeof presencaSchema._output)

/** Encodes a report. A report above the size limit (thousands of cameras) is sent without its display-only details. */
export function encodeReport(relato: Relato): Buffer {
  const whole = encodeMessage(relato)
  if (whole.length <= MAX_RECORD_BYTES) return whole
  const none = {
    complemento: null,
    codec: null,
    resolucao: null,
    fps: null,
    quadro_chave_ms: null,
    quadro_chave_ha_ms: null,
    taxa_kbps: null,
    ias_sem_suporte: [],
    ias_indisponiveis: [],
    leitura: undefined,
    cai_a_cada_s: undefined,
    conexoes: undefined,
    secundario_falhou: undefined,
    espera_quadro_chave: undefined,
  }
  return encodeMessage({ ...relato, cameras: relato.cameras.map((camera) => ({ ...camera, ...none })) })
}

export function createEdgeLink({ url, edgeId, tls, now, log, backoff, keepaliveS }: EdgeLinkOptions): EdgeLink {
  const mine = topics(edgeId)
  const listeners = {
    connection: createListeners<[boolean]>(log, 'connection'),
    desired: createListeners<[Desejado]>(log, 'desired'),
    confirmations: createListeners<[Confirmacoes]>(log, 'confirmations'),
    extras: createListeners<[ConfirmacoesExtras]>(log, 'extras'),
    echo: createListeners<[Eco]>(log, 'echo'),
    renewed: createListeners<[Renovado]>(log, 'renewed'),
  }
  const duplicates = createDuplicateMonitor(log, () => performance.now())
  const refusals = createRefusalMonitor(log, () => performance.now())

  const responder = createResponder({
    send: (answer) => publish(mine.respostas, answer, 1),
    log,
    now: () => performance.now(),
  })

  function answered(resposta: RespostaCentral): void {
    if (resposta.tipo === 'eco') listeners.echo.emit(resposta)
    else if (resposta.tipo === 'extras') listeners.extras.emit(resposta)
    else listeners.confirmations.emit(resposta)
  }

  function read(topic: string, payload: Buffer): boolean {
    if (topic === mine.desejado) return deliver(desejadoSchema, payload, listeners.desired.emit)
    if (topic === mine.pedidos) return responder.receive(payload)
    if (topic === mine.confirmacoes) return deliver(respostaCentralSchema, payload, answered)
    if (topic === mine.certificado) return deliver(renovadoSchema, payload, listeners.renewed.emit)
    return false
  }

  function onMessage(topic: string, payload: Buffer): void {
    // An empty payload means that the retained message was cleared.
    if (payload.length === 0) return
    if (!read(topic, payload)) log.warn({ topic, bytes: payload.length }, 'unreadable message dropped')
  }

  const connection = createConnection({
    url,
    clientId: edgeName(edgeId),
    tls,
    ...(now && { now }),
    subscriptions: () => [mine.confirmacoes, mine.desejado, mine.pedidos, mine.certificado],
    will: { topic: mine.presenca, payload: presence(false) },
    birth: { topic: mine.presenca, payload: presence(true) },
    onMessage,
    onState: listeners.connection.emit,
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
    onConnection: listeners.connection.add,
    onDesired: listeners.desired.add,
    onConfirmations: listeners.confirmations.add,
    onExtrasConfirmed: listeners.extras.add,
    onEcho: listeners.echo.add,
    onRenewed: listeners.renewed.add,
    onRequest: responder.handle,
    publishBatch: (payload) => publish(mine.candidatos, payload, 1),
    publishExtras: (payload) => publish(mine.extras, payload, 1),
    publishReport: (relato) => publish(mine.relato, encodeReport(relato), 0),
    publishRenewal: (pedido) => publish(mine.renovacao, encodeMessage(pedido), 1),
    publishLiveFrame: (quadro, jpeg) => {
      const frame = connection.session === null ? null : encodeFramed(quadro, [jpeg])
      return frame !== null && connection.session?.offer(mine.aovivo, frame) === true
    },
  }
}
