import { randomUUID } from 'node:crypto'
import type { Prioridade } from '@vigia/contracts/ao-vivo'
import { VigiaError } from '@vigia/contracts/errors'
import { decodeRegistro, type Fluxo, MAX_REGISTRO_BYTES } from '@vigia/contracts/transmissao'
import type { Intake } from '../../../http/receive-messages.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { EdgeCredential } from '../../../http/route.ts'
import { type AskEdge, CREDENTIAL_MS, issueCredential } from '../../locais/public.ts'
import { createFollower, type FollowDeps } from './follow-owner.ts'
import { claimStream, extendStream, findAccount, type StreamKey } from './store.ts'
import {
  AGAIN,
  addRecord,
  enter,
  keyOf,
  OWNER_MS,
  pause,
  priorityOf,
  type Stream,
  type StreamEnd,
  type StreamSeat,
  seatOf,
  streamTarget,
  type TurnEnd,
  uploadPath,
} from './stream-state.ts'
import { createStreamWindow } from './stream-window.ts'
import type { UploadRates } from './upload-rates.ts'
import type { WindowBudget } from './window-budget.ts'

/**
 * The live streams of this process. All viewers of a stream share one upload of its edge. One replica owns a stream and
 * gets the upload; each of the others reads the stream from it once.
 */
export interface LiveStreams {
  /** Name of this process as an owner. */
  readonly replica: string
  owns(key: StreamKey, epoca: number): boolean
  /** A seat for another replica. It ends when this process no longer owns the stream. null: it does not own it. */
  join(key: StreamKey, epoca: number, prioridade: Prioridade): StreamSeat | null
  watch(camera: { readonly id: number; readonly edgeId: number }, fluxo: Fluxo, prioridade: Prioridade): StreamSeat
  /**
   * Receiver of an upload.
   * @throws VigiaError `nao_autenticado`: the credential belongs to another stream or epoch; `muitas_requisicoes`: its
   * rates are exceeded
   */
  receive(credential: EdgeCredential, key: StreamKey, epoca: number): Intake
  /** Frees the owned streams for the other replicas. */
  stop(): Promise<void>
}

interface LiveStreamsDeps extends FollowDeps {
  readonly askEdge: AskEdge
  readonly rates: UploadRates
  readonly budget: WindowBudget
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

/**
 * Ordered part length, by the first viewer. Many tiles in one page cannot append more often; an opened camera has the
 * shorter delay.
 */
const PART_MS: Readonly<Record<Prioridade, number>> = { aberta: 250, mosaico: 500 }
const ASK_MS = 8_000
/** The order repeats the token of its epoch until this age. */
const NEW_TOKEN_MS = CREDENTIAL_MS / 2

/** Failures after which the next order would fail too. */
const FINAL: ReadonlySet<StreamEnd> = new Set<StreamEnd>([
  'comando_desconhecido',
  'sem_conexao_livre',
  'sem_codificador',
  'sem_banda',
  'fluxo_inexistente',
])

export function createLiveStreams(deps: LiveStreamsDeps): LiveStreams {
  const { db, clock, askEdge, rates, budget, log, times } = deps
  const { leaseMs, repeatMs, lingerMs, retryMs, silentMs } = { ...TIMES, ...times }
  const isAlone = deps.replica.name === undefined
  const replica = deps.replica.name ?? randomUUID()
  const streams = new Map<string, Stream>()
  const serving = new Map<Stream, Promise<void>>()
  const stopping = new AbortController()
  const follow = createFollower(deps, { repeatMs, silentMs }, stopping.signal)

  const leaseOf = ({ cameraId, fluxo }: Stream) => ({ cameraId, fluxo, replica })

  /** null: the edge has accepted the order. */
  async function order(stream: Stream, epoca: number, token: string): Promise<StreamEnd | null> {
    const { cameraId, fluxo, edgeId } = stream
    const comando = {
      ...({ acao: 'transmitir', camera_id: cameraId, fluxo, epoca, token } as const),
      caminho: uploadPath(stream, epoca),
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

  /** Gives the stream its rates and its memory; returns why it cannot. */
  async function admit(stream: Stream): Promise<StreamEnd | null> {
    const account = await findAccount(db, stream.cameraId)
    if (account === null) return 'camera_desconhecida'
    const share = budget.admit(account.rootId, {
      window: stream.window,
      get isIdle() {
        return stream.seats.size === 0
      },
      end() {
        log.warn({ camera: stream.cameraId, fluxo: stream.fluxo }, 'live stream ended: no memory for its window')
        stream.evicted = true
        stream.upload?.abort()
        over(stream, 'sem_memoria')
        stream.wake()
      },
    })
    if (share === null) return 'sem_memoria'
    stream.admission = { meter: rates.meter(account), share }
    return null
  }

  /** One loop for each stream, so that its edge gets one order at a time. Returns why the stream ended. */
  async function serve(stream: Stream): Promise<StreamEnd | null> {
    let end: TurnEnd = AGAIN
    const refused = await admit(stream)
    if (refused !== null) return refused
    while (end === AGAIN && !stopping.signal.aborted) {
      if (stream.evicted) return 'sem_memoria'
      // The camera has moved to another edge, and its new stream owns the row.
      if (streams.get(keyOf(stream)) !== stream) return 'outra_replica'
      const times = { now: clock.now(), venceEm: clock.now() + OWNER_MS }
      const epoca = await claimStream(db, leaseOf(stream), times)
      end = epoca === null ? await follow(stream) : await own(stream, epoca)
      if (epoca !== null && end === AGAIN) stream.owning.abort()
    }
    return end === AGAIN ? null : end
  }

  async function own(stream: Stream, epoca: number): Promise<TurnEnd> {
    enter(stream, epoca)
    stream.epoca = epoca
    stream.owning = new AbortController()
    stream.recordAt = performance.now()
    const lease = { ...leaseOf(stream), epoca }
    const holds = () => extendStream(db, lease, clock.now() + OWNER_MS)
    const lost = isAlone ? 'outra_replica' : AGAIN
    const credential = { edgeId: stream.edgeId, finalidade: 'transmissao', alvo: streamTarget(stream, epoca) } as const
    let token: { readonly text: string; readonly at: number } | null = null
    try {
      while (!stopping.signal.aborted) {
        if (stream.seats.size === 0) {
          await pause(stream, lingerMs, stopping.signal, () => stream.seats.size > 0)
          if (stream.seats.size === 0) return null
        }
        if (stream.evicted) return 'sem_memoria'
        if (!(await holds())) return lost
        if (token === null || performance.now() - token.at > NEW_TOKEN_MS)
          token = { text: await issueCredential(db, credential, clock.now()), at: performance.now() }
        const prioridade = priorityOf(stream)
        const failure = await order(stream, epoca, token.text)
        if (failure !== null && FINAL.has(failure)) return failure
        if (performance.now() - stream.recordAt > silentMs) return failure ?? 'sem_dados'
        // The order and the pause together may last longer than the lease.
        if (!(await holds())) return lost
        const isUrgent = () => stream.seats.size === 0 || (prioridade === 'mosaico' && priorityOf(stream) === 'aberta')
        await pause(stream, failure === null ? repeatMs : retryMs, stopping.signal, isUrgent)
      }
      return null
    } finally {
      stream.epoca = null
      stream.upload?.abort()
      // The edge must not end the upload of a newer epoch.
      if (!stopping.signal.aborted && (await holds())) await tellEnd(stream)
      await extendStream(db, lease, 0)
    }
  }

  function over(stream: Stream, end: StreamEnd | null): void {
    if (streams.get(keyOf(stream)) === stream) streams.delete(keyOf(stream))
    stream.end = stream.evicted ? 'sem_memoria' : end
    stream.admission?.share.release()
    stream.ending.abort()
  }

  function open(key: StreamKey, edgeId: number, partMs: number): Stream {
    const stream: Stream = {
      ...key,
      edgeId,
      partMs,
      window: createStreamWindow(),
      seats: new Set(),
      ending: new AbortController(),
      windowEpoca: null,
      epoca: null,
      owning: new AbortController(),
      end: null,
      upload: null,
      recordAt: performance.now(),
      admission: null,
      evicted: false,
      wake: () => {},
    }
    streams.set(keyOf(key), stream)
    // The loop starts later, because the first viewer is added after this call.
    const served = Promise.resolve()
      .then(() => serve(stream))
      .then(
        (end) => over(stream, end),
        (err: unknown) => {
          log.error({ err, camera: key.cameraId, fluxo: key.fluxo }, 'live stream failed')
          over(stream, 'interno')
        },
      )
      .finally(() => serving.delete(stream))
    serving.set(stream, served)
    return stream
  }

  const ownedBy = (key: StreamKey, epoca: number): Stream | null => {
    const stream = streams.get(keyOf(key))
    return stream?.epoca === epoca ? stream : null
  }

  return {
    replica,
    owns: (key, epoca) => ownedBy(key, epoca) !== null,
    join(key, epoca, prioridade) {
      const stream = ownedBy(key, epoca)
      if (!stream) return null
      return seatOf(stream, prioridade, AbortSignal.any([stream.ending.signal, stream.owning.signal]))
    },
    watch({ id, edgeId }, fluxo, prioridade) {
      const key = { cameraId: id, fluxo }
      const known = streams.get(keyOf(key))
      const stream =
        known?.edgeId === edgeId && !known.ending.signal.aborted ? known : open(key, edgeId, PART_MS[prioridade])
      return seatOf(stream, prioridade, stream.ending.signal)
    },
    receive({ edgeId, finalidade, alvo }, key, epoca) {
      const stream = ownedBy(key, epoca)
      const isOwn = finalidade === 'transmissao' && alvo === streamTarget(key, epoca) && stream?.edgeId === edgeId
      if (!stream || !isOwn) throw uploadEnded()
      if (!stream.admission?.meter.connect()) throw tooManyUploads()
      stream.upload?.abort()
      const upload = new AbortController()
      stream.upload = upload
      return {
        longestMessage: MAX_REGISTRO_BYTES,
        message(bytes) {
          // A connection that a newer one has replaced may still deliver.
          if (upload.signal.aborted) return null
          const registro = decodeRegistro(bytes)
          if (registro === null) return 'invalid'
          if (addRecord(stream, registro, bytes.length)) return null
          log.warn({ edge_id: edgeId, camera: key.cameraId, fluxo: key.fluxo }, 'live upload ended: above its rates')
          return 'excess'
        },
        ended: upload.signal,
        finished() {
          if (stream.upload === upload) stream.upload = null
        },
      }
    },
    async stop() {
      stopping.abort()
      for (const stream of serving.keys()) stream.wake()
      await Promise.all(serving.values())
    },
  }
}

/** Refusal of an upload whose epoch has ended. */
export const uploadEnded = () =>
  new VigiaError('nao_autenticado', { detalhe: 'Esta transmissão terminou. Espere a próxima ordem.' })

/** Refusal of an upload whose Empresa, or root Empresa, is above its rates. The edge connects again after a pause. */
export const tooManyUploads = () =>
  new VigiaError('muitas_requisicoes', {
    detalhe: 'O vídeo ao vivo desta Empresa chega rápido demais. Espere e conecte outra vez.',
    tentarEmS: 2,
  })
