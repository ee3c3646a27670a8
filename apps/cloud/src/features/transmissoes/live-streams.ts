import { randomUUID } from 'node:crypto'
import type { Prioridade } from '@vigia/contracts/ao-vivo'
import { VigiaError } from '@vigia/contracts/errors'
import type { FalhaPedido } from '@vigia/contracts/pedidos'
import { decodeRegistro, type Fluxo, MAX_REGISTRO_BYTES } from '@vigia/contracts/transmissao'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import type { Intake } from '../../http/receive-messages.ts'
import type { Logger } from '../../http/request-log.ts'
import type { EdgeCredential } from '../../http/route.ts'
import type { AskEdge } from '../edges/ask/ask-edge.ts'
import { CREDENTIAL_MS, issueCredential } from '../edges/edge-credentials.ts'
import { claimStream, extendStream, type StreamKey } from './store.ts'
import { createStreamWindow, type StreamWindow } from './stream-window.ts'

/** Why a stream ended: a failure of the edge's command, silence, or another process that serves it. */
export type StreamEnd = FalhaPedido | 'sem_dados' | 'outra_replica'

/** One viewer of a stream. */
export interface StreamSeat {
  readonly window: StreamWindow
  /** Part length of the stream. */
  readonly partMs: number
  /** Aborts when the stream has ended. */
  readonly ended: AbortSignal
  /** null while the stream runs. */
  readonly end: StreamEnd | null
  leave(): void
}

/** The live streams of this process. All viewers of a stream share one upload of its edge. */
export interface LiveStreams {
  watch(camera: { readonly id: number; readonly edgeId: number }, fluxo: Fluxo, prioridade: Prioridade): StreamSeat
  /** Receiver of an upload. @throws VigiaError `nao_autenticado`: the credential belongs to another stream or epoch */
  receive(credential: EdgeCredential, key: StreamKey, epoca: number): Intake
  stop(): void
}

interface LiveStreamsDeps {
  readonly db: Database
  readonly clock: Clock
  readonly askEdge: AskEdge
  readonly log: Logger
  readonly times?: Partial<typeof TIMES>
}

const TIMES = {
  /** The edge ends an upload this long after the last order. */
  leaseMs: 30_000,
  repeatMs: 10_000,
  /** Time for which a stream without viewers goes on. */
  lingerMs: 30_000,
  retryMs: 2_000,
  /** A stream without a record for this time has ended. */
  silentMs: 15_000,
}

/** A stream whose owner died is free after this time. */
const OWNER_MS = 15_000
/**
 * Ordered part length, by the first viewer. Many tiles in one page cannot append more often; an opened camera has the
 * shorter delay.
 */
const PART_MS: Readonly<Record<Prioridade, number>> = { aberta: 250, mosaico: 500 }
const ASK_MS = 8_000
/** The order repeats the token of its epoch until this age. */
const NEW_TOKEN_MS = CREDENTIAL_MS / 2

/** Address of the upload, below that of the cloud. */
export const INGEST_PATH = '/api/v1/edges/transmissoes'

/** Failures after which the next order would fail too. */
const FINAL: ReadonlySet<StreamEnd> = new Set<StreamEnd>([
  'comando_desconhecido',
  'sem_conexao_livre',
  'sem_codificador',
  'sem_banda',
  'fluxo_inexistente',
])

interface Stream extends StreamKey {
  readonly edgeId: number
  readonly partMs: number
  readonly window: StreamWindow
  readonly seats: Set<{ readonly prioridade: Prioridade }>
  readonly ending: AbortController
  epoca: number | null
  end: StreamEnd | null
  /** Ends the current upload, when a new connection replaces it. */
  upload: AbortController | null
  /** Monotonic ms. */
  recordAt: number
  /** Signals that the viewers changed. */
  wake(): void
}

const keyOf = ({ cameraId, fluxo }: StreamKey) => `${cameraId}/${fluxo}`
const targetOf = (key: StreamKey, epoca: number) => `${keyOf(key)}/${epoca}`

export function createLiveStreams({ db, clock, askEdge, log, times }: LiveStreamsDeps): LiveStreams {
  const { leaseMs, repeatMs, lingerMs, retryMs, silentMs } = { ...TIMES, ...times }
  const replica = randomUUID()
  const streams = new Map<string, Stream>()
  const stopping = new AbortController()

  const priorityOf = ({ seats }: Stream): Prioridade =>
    [...seats].some(({ prioridade }) => prioridade === 'aberta') ? 'aberta' : 'mosaico'

  const leaseOf = ({ cameraId, fluxo }: Stream) => ({ cameraId, fluxo, replica })

  /** null: the edge has accepted the order. */
  async function order(stream: Stream, epoca: number, token: string): Promise<StreamEnd | null> {
    const { cameraId, fluxo, edgeId } = stream
    const comando = {
      ...({ acao: 'transmitir', camera_id: cameraId, fluxo, epoca, token } as const),
      caminho: `${INGEST_PATH}/${cameraId}/${fluxo}?epoca=${epoca}`,
      parte_ms: stream.partMs,
      validade_ms: leaseMs,
      prioridade: priorityOf(stream),
    }
    try {
      const answer = await askEdge(edgeId, comando, { prazoMs: ASK_MS, signal: stopping.signal })
      return answer.ok ? null : answer.falha
    } catch (error) {
      if (error instanceof VigiaError) return 'prazo_esgotado'
      throw error
    }
  }

  /** The edge ends an upload by itself; the command saves the rest of its lease on the uplink. */
  async function tellEnd({ edgeId, cameraId, fluxo }: Stream): Promise<void> {
    const comando = { acao: 'parar_transmissao', camera_id: cameraId, fluxo } as const
    await askEdge(edgeId, comando, { prazoMs: ASK_MS, signal: stopping.signal }).catch((err: unknown) =>
      log.debug({ err, camera: cameraId }, 'end of stream not sent to the edge'),
    )
  }

  /** Resolves after `ms`, or as soon as `until` holds; it is tested at each change of the viewers. */
  async function pause(stream: Stream, ms: number, until: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    stream.wake = () => {
      if (stopping.signal.aborted || until()) resolve()
    }
    stream.wake()
    await promise
    clearTimeout(timer)
    stream.wake = () => {}
  }

  /** One loop for each stream, so that its edge gets one order at a time. Returns why the stream ended. */
  async function serve(stream: Stream): Promise<StreamEnd | null> {
    const epoca = await claimStream(db, leaseOf(stream), { now: clock.now(), venceEm: clock.now() + OWNER_MS })
    if (epoca === null) return 'outra_replica'
    stream.epoca = epoca
    const lease = { ...leaseOf(stream), epoca }
    const credential = { edgeId: stream.edgeId, finalidade: 'transmissao', alvo: targetOf(stream, epoca) } as const
    let token: { readonly text: string; readonly at: number } | null = null
    try {
      while (!stopping.signal.aborted) {
        if (stream.seats.size === 0) {
          await pause(stream, lingerMs, () => stream.seats.size > 0)
          if (stream.seats.size === 0) return null
        }
        if (!(await extendStream(db, lease, clock.now() + OWNER_MS))) return 'outra_replica'
        if (token === null || performance.now() - token.at > NEW_TOKEN_MS)
          token = { text: await issueCredential(db, credential, clock.now()), at: performance.now() }
        const prioridade = priorityOf(stream)
        const failure = await order(stream, epoca, token.text)
        if (failure !== null && FINAL.has(failure)) return failure
        if (performance.now() - stream.recordAt > silentMs) return failure ?? 'sem_dados'
        const isUrgent = () => stream.seats.size === 0 || (prioridade === 'mosaico' && priorityOf(stream) === 'aberta')
        await pause(stream, failure === null ? repeatMs : retryMs, isUrgent)
      }
      return null
    } finally {
      stream.upload?.abort()
      await extendStream(db, lease, 0)
      if (!stopping.signal.aborted) await tellEnd(stream)
    }
  }

  function open(key: StreamKey, edgeId: number, partMs: number): Stream {
    const stream: Stream = {
      ...key,
      edgeId,
      partMs,
      window: createStreamWindow(),
      seats: new Set(),
      ending: new AbortController(),
      epoca: null,
      end: null,
      upload: null,
      recordAt: performance.now(),
      wake: () => {},
    }
    const over = (end: StreamEnd | null) => {
      if (streams.get(keyOf(key)) === stream) streams.delete(keyOf(key))
      stream.end = end
      stream.ending.abort()
    }
    streams.set(keyOf(key), stream)
    // The loop starts later, because the first viewer is added after this call.
    queueMicrotask(() =>
      serve(stream).then(over, (err: unknown) => {
        log.error({ err, camera: key.cameraId, fluxo: key.fluxo }, 'live stream failed')
        over('interno')
      }),
    )
    return stream
  }

  return {
    watch({ id, edgeId }, fluxo, prioridade) {
      const key = { cameraId: id, fluxo }
      const known = streams.get(keyOf(key))
      const stream =
        known?.edgeId === edgeId && !known.ending.signal.aborted ? known : open(key, edgeId, PART_MS[prioridade])
      const seat = { prioridade }
      stream.seats.add(seat)
      stream.wake()
      return {
        window: stream.window,
        partMs: stream.partMs,
        ended: stream.ending.signal,
        get end() {
          return stream.end
        },
        leave() {
          if (stream.seats.delete(seat)) stream.wake()
        },
      }
    },
    receive({ edgeId, finalidade, alvo }, key, epoca) {
      const stream = streams.get(keyOf(key))
      const isOwn = finalidade === 'transmissao' && alvo === targetOf(key, epoca) && stream?.edgeId === edgeId
      if (!stream || !isOwn || stream.epoca !== epoca)
        throw new VigiaError('nao_autenticado', { detalhe: 'Esta transmissão terminou. Espere a próxima ordem.' })
      stream.upload?.abort()
      const upload = new AbortController()
      stream.upload = upload
      return {
        longestMessage: MAX_REGISTRO_BYTES,
        message(bytes) {
          // A connection that a newer one has replaced may still deliver.
          if (upload.signal.aborted) return true
          const registro = decodeRegistro(bytes)
          if (registro === null) return false
          stream.recordAt = performance.now()
          stream.window.add(registro)
          return true
        },
        ended: upload.signal,
        finished() {
          if (stream.upload === upload) stream.upload = null
        },
      }
    },
    stop() {
      stopping.abort()
      for (const stream of streams.values()) stream.wake()
    },
  }
}
