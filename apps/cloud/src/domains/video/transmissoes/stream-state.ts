import type { Prioridade } from '@vigia/contracts/ao-vivo'
import type { Causa } from '@vigia/contracts/causa'
import type { FalhaPedido } from '@vigia/contracts/pedidos'
import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import type { StreamKey } from './store.ts'
import { createStreamWindow, type StreamWindow } from './stream-window.ts'
import type { UploadMeter } from './upload-rates.ts'
import type { WindowShare } from './window-budget.ts'

/**
 * Why a stream ended: a failure of the edge's command, silence, an owner that this process cannot read from, or no
 * memory for its window.
 */
export type StreamEnd = FalhaPedido | 'sem_dados' | 'outra_replica' | 'sem_memoria'

/** One viewer of a stream. */
export interface StreamSeat {
  readonly window: StreamWindow
  /** Part length of the stream. */
  readonly partMs: number
  /** Aborts when the stream has ended. */
  readonly ended: AbortSignal
  /** null while the stream runs. */
  readonly end: StreamEnd | null
  /** Answer of the device; null: nothing, or an edge of an earlier release. */
  readonly causa: Causa | null
  leave(): void
}

/** A stream whose owner died is free after this time. */
export const OWNER_MS = 15_000
/** Address of the upload, below that of the cloud. */
export const INGEST_PATH = '/api/v1/edges/transmissoes'
/** Address of a stream for other replicas, below that of its owner. */
export const REPLICA_PATH = '/api/v1/replicas/transmissoes'

/** A live stream of this process, owned or read from its owner. */
export interface Stream extends StreamKey {
  readonly edgeId: number
  partMs: number
  readonly window: StreamWindow
  readonly seats: Set<{ readonly prioridade: Prioridade }>
  readonly ending: AbortController
  /** Epoch of the records in the window; null: none yet. */
  windowEpoca: number | null
  /** Owned epoch; null: another process owns the stream. */
  epoca: number | null
  /** Aborts when this process no longer owns the stream. */
  owning: AbortController
  end: StreamEnd | null
  /** It belongs to the last failure of an order. */
  causa: Causa | null
  /** Ends the current upload, when a new connection replaces it. */
  upload: AbortController | null
  /** Monotonic ms. */
  recordAt: number
  /** Rates of its records, and memory of its window; null: not admitted yet. */
  admission: { readonly meter: UploadMeter; readonly share: WindowShare } | null
  /** The memory of its window was taken, and it must end. */
  evicted: boolean
  /** Signals that the viewers changed. */
  wake(): void
}

/** A stream without viewers and without records. */
export function newStream(key: StreamKey, edgeId: number, partMs: number): Stream {
  return {
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
    causa: null,
    upload: null,
    recordAt: performance.now(),
    admission: null,
    evicted: false,
    wake: () => {},
  }
}

export const keyOf = ({ cameraId, fluxo }: StreamKey) => `${cameraId}/${fluxo}`
/** Target of a credential for this upload. */
export const streamTarget = (key: StreamKey, epoca: number): string => `${keyOf(key)}/${epoca}`
export const uploadPath = (key: StreamKey, epoca: number): string => `${INGEST_PATH}/${keyOf(key)}?epoca=${epoca}`
/** The stream must look for its next owner. */
export const AGAIN = Symbol('again')
export type TurnEnd = StreamEnd | null | typeof AGAIN

export const priorityOf = ({ seats }: Stream): Prioridade =>
  [...seats].some(({ prioridade }) => prioridade === 'aberta') ? 'aberta' : 'mosaico'

/** Adds a record within the rates. false: it exceeds them, and nothing was added. */
export function addRecord(stream: Stream, registro: RegistroTransmissao, bytes: number): boolean {
  if (stream.evicted) return true
  if (!stream.admission?.meter.take(bytes)) return false
  stream.recordAt = performance.now()
  stream.window.add(registro)
  stream.admission.share.changed()
  return true
}

/** Prepares the window for records of this epoch. */
export function enter(stream: Stream, epoca: number): void {
  if (stream.windowEpoca !== null && stream.windowEpoca !== epoca) stream.window.restart()
  stream.windowEpoca = epoca
}

/** Resolves after `ms`, or as soon as `until` holds; it is tested at each change of the viewers. */
export async function pause(stream: Stream, ms: number, stopping: AbortSignal, until: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  stream.wake = () => {
    if (stopping.aborted || stream.evicted || until()) resolve()
  }
  stream.wake()
  await promise
  clearTimeout(timer)
  stream.wake = () => {}
}

export function seatOf(stream: Stream, prioridade: Prioridade, ended: AbortSignal): StreamSeat {
  const seat = { prioridade }
  stream.seats.add(seat)
  stream.wake()
  return {
    window: stream.window,
    get partMs() {
      return stream.partMs
    },
    ended,
    get end() {
      return stream.end
    },
    get causa() {
      return stream.causa
    },
    leave() {
      if (stream.seats.delete(seat)) stream.wake()
    },
  }
}
