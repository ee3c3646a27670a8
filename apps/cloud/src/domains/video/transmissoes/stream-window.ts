import type { InicioTransmissao, ParteTransmissao, RegistroTransmissao } from '@vigia/contracts/transmissao'
import {
  createSegmentList,
  MOST_PARTS,
  type WindowInit,
  type WindowLimits,
  type WindowSegment,
} from './segment-list.ts'

export type Lack = 'quadro_chave' | 'memoria'

/** The newest segments of one stream, in memory. One window feeds all its viewers. */
export interface StreamWindow {
  readonly segments: readonly WindowSegment[]
  /** Number of the first segment of this epoch. */
  readonly firstMsn: number
  /** Discontinuities among the removed segments (EXT-X-DISCONTINUITY-SEQUENCE). */
  readonly removedDiscontinuities: number
  /** The edge has ended the stream. */
  readonly ended: boolean
  /**
   * Why no part can follow before a keyframe, although pictures arrive; null: parts follow. `quadro_chave`: the stream
   * has no keyframe. `memoria`: the group under way is larger than the memory of a window.
   */
  readonly lacks: Lack | null
  /** Sums of all parts that this window took, also of removed ones. */
  readonly ticks: number
  readonly bytes: number
  /** Memory of the segments. */
  readonly heldBytes: number
  /** Memory of the segments that a viewer needs: the newest two. */
  readonly neededBytes: number
  /** Removes the oldest segment. */
  removeOldest(): void
  /**
   * Adds the next record. A part that the window holds is ignored, because the edge repeats its last segment after a
   * reconnection. After missing parts the window continues at the next segment.
   */
  add(registro: RegistroTransmissao): void
  /** Another epoch: the edge numbers its segments anew, and its next header begins a new init segment. */
  restart(): void
  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void
}

/** Segments that a viewer needs: another replica begins with the one before the newest. */
const NEEDED_SEGMENTS = 2

/** One `lacuna` comes before an ordinary continuation; an edge repeats it while it waits for a keyframe. */
const UNUSED_RECORDS = 2

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/**
 * Sums are kept with each part, so that a part costs the same in a full window and in an empty one.
 * @param limits beyond one of them the oldest segments are removed. A single segment beyond `maxBytes` is removed too;
 * the window then waits for the next one, as after a segment of more than MOST_PARTS.
 */
export function createStreamWindow(limits: WindowLimits = {}): StreamWindow {
  const list = createSegmentList(limits)
  let init: WindowInit | null = null
  let inits = 0
  let firstMsn = 0
  let ended = false
  /** Records since the last part that this window took. */
  let unused = 0
  const listeners = new Set<() => void>()

  function begin({ descricao, dados }: InicioTransmissao) {
    if (init !== null && isSame(init.dados, dados)) return
    list.interrupt()
    init = { id: inits++, descricao, dados: new Uint8Array(dados) }
  }

  /** Whether the part repeats one of this window. */
  const isHeld = (parte: ParteTransmissao) =>
    list.segments.some(
      ({ msn, segmento, parts }) =>
        msn >= firstMsn && segmento === parte.segmento && parts[parte.indice]?.instante === parte.instante,
    )

  function addPart(parte: ParteTransmissao) {
    if (init === null || isHeld(parte)) return
    const continues = list.continues(parte)
    if (continues ? parte.indice >= MOST_PARTS : parte.indice > 0) return list.interrupt()
    if (!continues) list.open(parte.segmento, init)
    list.append(parte)
    unused = 0
  }

  return {
    get segments() {
      return list.segments
    },
    get firstMsn() {
      return firstMsn
    },
    get removedDiscontinuities() {
      return list.removedDiscontinuities
    },
    get ended() {
      return ended
    },
    get lacks() {
      if (unused < UNUSED_RECORDS) return null
      return list.isTooLarge ? 'memoria' : 'quadro_chave'
    },
    get ticks() {
      return list.ticks
    },
    get bytes() {
      return list.bytes
    },
    get heldBytes() {
      return list.heldBytes
    },
    get neededBytes() {
      return list.segments.slice(-NEEDED_SEGMENTS).reduce((sum, segment) => sum + segment.bytes, 0)
    },
    removeOldest: list.removeOldest,
    add(registro) {
      ended = registro.tipo === 'fim'
      if (registro.tipo !== 'inicio') unused++
      if (registro.tipo === 'inicio') begin(registro)
      else if (registro.tipo === 'parte') addPart(registro)
      else list.interrupt()
      for (const listener of [...listeners]) listener()
    },
    restart() {
      list.interrupt()
      init = null
      firstMsn = list.nextMsn
      ended = false
      unused = 0
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
