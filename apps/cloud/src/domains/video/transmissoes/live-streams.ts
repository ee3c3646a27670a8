import { randomUUID } from 'node:crypto'
import type { Prioridade } from '@vigia/contracts/ao-vivo'
import { VigiaError } from '@vigia/contracts/errors'
import { decodeRegistro, type Fluxo, MAX_REGISTRO_BYTES } from '@vigia/contracts/transmissao'
import type { Intake } from '../../../http/receive-messages.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { EdgeCredential } from '../../../http/route.ts'
import type { AskEdge } from '../../locais/public.ts'
import { type AdmitDeps, admit } from './admit-stream.ts'
import { createFollower, type FollowDeps } from './follow-owner.ts'
import { createOwner, type StreamTimes, TIMES } from './own-stream.ts'
import { claimStream, type StreamKey } from './store.ts'
import {
  AGAIN,
  addRecord,
  keyOf,
  newStream,
  OWNER_MS,
  type Stream,
  type StreamEnd,
  type StreamSeat,
  seatOf,
  streamTarget,
  type TurnEnd,
} from './stream-state.ts'

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

interface LiveStreamsDeps extends FollowDeps, AdmitDeps {
  readonly askEdge: AskEdge
  readonly times?: Partial<StreamTimes>
}

/**
 * Ordered part length, by the first viewer. Many tiles in one page cannot append more often; an opened camera has the
 * shorter delay.
 */
const PART_MS: Readonly<Record<Prioridade, number>> = { aberta: 250, mosaico: 500 }
export function createLiveStreams(deps: LiveStreamsDeps): LiveStreams {
  const { db, clock, log } = deps
  const times = { ...TIMES, ...deps.times }
  const replica = deps.replica.name ?? randomUUID()
  const streams = new Map<string, Stream>()
  const serving = new Map<Stream, Promise<void>>()
  const stopping = new AbortController()
  const follow = createFollower(deps, times, stopping.signal)
  const own = createOwner({ ...deps, owner: replica }, times, stopping.signal)

  /** One loop for each stream, so that its edge gets one order at a time. Returns why the stream ended. */
  async function serve(stream: Stream): Promise<StreamEnd | null> {
    let end: TurnEnd = AGAIN
    const refused = await admit(deps, stream, () => over(stream, 'sem_memoria'))
    if (refused !== null) return refused
    while (end === AGAIN && !stopping.signal.aborted) {
      if (stream.evicted) return 'sem_memoria'
      // The camera has moved to another edge, and its new stream owns the row.
      if (streams.get(keyOf(stream)) !== stream) return 'outra_replica'
      const span = { now: clock.now(), venceEm: clock.now() + OWNER_MS }
      const { cameraId, fluxo } = stream
      const epoca = await claimStream(db, { cameraId, fluxo, replica }, span)
      end = epoca === null ? await follow(stream) : await own(stream, epoca)
      if (epoca !== null && end === AGAIN) stream.owning.abort()
    }
    return end === AGAIN ? null : end
  }

  function over(stream: Stream, end: StreamEnd | null): void {
    if (streams.get(keyOf(stream)) === stream) streams.delete(keyOf(stream))
    stream.end = stream.evicted ? 'sem_memoria' : end
    stream.admission?.share.release()
    stream.ending.abort()
  }

  function open(key: StreamKey, edgeId: number, partMs: number): Stream {
    const stream = newStream(key, edgeId, partMs)
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
      return intakeOf(stream, log)
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

/** The receiver of a new upload, which ends the one before. */
function intakeOf(stream: Stream, log: Logger): Intake {
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
      log.warn(
        { edge_id: stream.edgeId, camera: stream.cameraId, fluxo: stream.fluxo },
        'live upload ended: above its rates',
      )
      return 'excess'
    },
    ended: upload.signal,
    finished() {
      if (stream.upload === upload) stream.upload = null
    },
  }
}
