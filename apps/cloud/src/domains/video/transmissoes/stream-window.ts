import type {
  DescricaoTransmissao,
  InicioTransmissao,
  ParteTransmissao,
  RegistroTransmissao,
} from '@vigia/contracts/transmissao'

export interface WindowInit {
  /** Counts the init segments of this window. */
  readonly id: number
  readonly descricao: DescricaoTransmissao
  readonly dados: Uint8Array
}

/** A part, with the sums of the parts that this window took before it. */
export interface WindowPart extends ParteTransmissao {
  readonly ticksBefore: number
  readonly bytesBefore: number
}

export interface WindowSegment {
  /** Media sequence number: increases by one, also across epochs. */
  readonly msn: number
  readonly init: WindowInit
  /** It does not continue the segment before. */
  readonly discontinuity: boolean
  readonly parts: readonly WindowPart[]
  /** No part follows. */
  readonly complete: boolean
}

interface OpenSegment extends WindowSegment {
  readonly parts: WindowPart[]
  complete: boolean
  /** Number of the segment at the edge. */
  readonly segmento: number
  /** Memory of its parts and of its init segment. */
  bytes: number
}

/** The newest segments of one stream, in memory. One window feeds all its viewers. */
export interface StreamWindow {
  readonly segments: readonly WindowSegment[]
  /** Number of the first segment of this epoch. */
  readonly firstMsn: number
  /** Discontinuities among the removed segments (EXT-X-DISCONTINUITY-SEQUENCE). */
  readonly removedDiscontinuities: number
  /** The edge has ended the stream. */
  readonly ended: boolean
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

export interface WindowLimits {
  readonly maxSegments?: number
  readonly maxBytes?: number
}

/** Largest memory of one window. The ring of an edge, whose last group begins a stream, has at most 24 MiB. */
export const MOST_WINDOW_BYTES = 32 * 1024 * 1024
/** Parts of 250 ms in the longest interval of keyframes (60 s), four times. */
export const MOST_PARTS = 1_024
/** Memory of a part beside its bytes. */
export const PART_BYTES = 256
/**
 * Older segments are removed while the others last this long. A playlist holds at least three complete segments
 * (RFC 8216, 6.2.2).
 */
export const KEPT_MS = 8_000
const KEPT_SEGMENTS = 4
const TICKS_PER_MS = 90
/** Segments that a viewer needs: another replica begins with the one before the newest. */
const NEEDED_SEGMENTS = 2

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

const memoryOf = ({ dados }: ParteTransmissao): number => dados.length + PART_BYTES

/**
 * Sums are kept with each part, so that a part costs the same in a full window and in an empty one.
 * @param limits beyond one of them the oldest segments are removed. A single segment beyond `maxBytes` is removed too;
 * the window then waits for the next one, as after a segment of more than MOST_PARTS.
 */
export function createStreamWindow({ maxSegments = 8, maxBytes = MOST_WINDOW_BYTES }: WindowLimits = {}): StreamWindow {
  let segments: OpenSegment[] = []
  let init: WindowInit | null = null
  let inits = 0
  let nextMsn = 0
  let firstMsn = 0
  let removedDiscontinuities = 0
  let ended = false
  let ticks = 0
  let bytes = 0
  let heldBytes = 0
  /** Whether the next segment does not continue the last one. */
  let isBroken = false
  const listeners = new Set<() => void>()

  const current = () => segments.at(-1)

  function close() {
    const segment = current()
    if (segment) segment.complete = true
  }

  function interrupt() {
    close()
    isBroken = nextMsn > 0
  }

  function begin({ descricao, dados }: InicioTransmissao) {
    if (init !== null && isSame(init.dados, dados)) return
    interrupt()
    init = { id: inits++, descricao, dados: new Uint8Array(dados) }
  }

  function removeOldest() {
    const [oldest] = segments
    if (!oldest) return
    heldBytes -= oldest.bytes
    if (oldest.discontinuity) removedDiscontinuities++
    if (oldest === current()) isBroken = true
    segments = segments.slice(1)
  }

  /** Whether the other segments suffice without the oldest one. */
  const isSpare = () =>
    segments.length > KEPT_SEGMENTS && ticks - (segments[1]?.parts[0]?.ticksBefore ?? ticks) >= KEPT_MS * TICKS_PER_MS

  function trim() {
    while (segments.length > maxSegments || heldBytes > maxBytes || isSpare()) removeOldest()
  }

  /** Whether the part repeats one of this window. */
  const isHeld = (parte: ParteTransmissao) =>
    segments.some(
      ({ msn, segmento, parts }) =>
        msn >= firstMsn && segmento === parte.segmento && parts[parte.indice]?.instante === parte.instante,
    )

  function continues({ segmento, indice }: ParteTransmissao): boolean {
    const last = current()
    return last !== undefined && !last.complete && last.segmento === segmento && last.parts.length === indice
  }

  function addPart(parte: ParteTransmissao) {
    if (init === null || isHeld(parte)) return
    if (continues(parte)) {
      if (parte.indice >= MOST_PARTS) return interrupt()
    } else if (parte.indice === 0) {
      const last = current()
      if (last && last.segmento + 1 !== parte.segmento) isBroken = true
      close()
      const { segmento } = parte
      const held = init.dados.length
      segments.push({
        msn: nextMsn++,
        init,
        discontinuity: isBroken,
        parts: [],
        complete: false,
        segmento,
        bytes: held,
      })
      heldBytes += held
      isBroken = false
    } else return interrupt()
    const segment = current()
    if (!segment) return
    // A copy, because a record is a view into the memory of a larger message.
    segment.parts.push({ ...parte, dados: new Uint8Array(parte.dados), ticksBefore: ticks, bytesBefore: bytes })
    ticks += parte.duracao
    bytes += parte.dados.length
    segment.bytes += memoryOf(parte)
    heldBytes += memoryOf(parte)
    trim()
  }

  return {
    get segments() {
      return segments
    },
    get firstMsn() {
      return firstMsn
    },
    get removedDiscontinuities() {
      return removedDiscontinuities
    },
    get ended() {
      return ended
    },
    get ticks() {
      return ticks
    },
    get bytes() {
      return bytes
    },
    get heldBytes() {
      return heldBytes
    },
    get neededBytes() {
      return segments.slice(-NEEDED_SEGMENTS).reduce((sum, segment) => sum + segment.bytes, 0)
    },
    removeOldest,
    add(registro) {
      ended = registro.tipo === 'fim'
      if (registro.tipo === 'inicio') begin(registro)
      else if (registro.tipo === 'parte') addPart(registro)
      else interrupt()
      for (const listener of [...listeners]) listener()
    },
    restart() {
      interrupt()
      init = null
      firstMsn = nextMsn
      ended = false
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
