import { LONGEST_GROUP_MS, USUAL_GROUP_MS } from '@vigia/contracts/keyframes'
import type { DescricaoTransmissao, ParteTransmissao } from '@vigia/contracts/transmissao'

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

export interface WindowLimits {
  readonly maxSegments?: number
  readonly maxBytes?: number
}

/** Largest memory of one window. The ring of an edge, whose last group begins a stream, has at most 24 MiB. */
export const MOST_WINDOW_BYTES = 32 * 1024 * 1024
/** Parts of 250 ms in the longest group of pictures, four times. */
export const MOST_PARTS = (4 * LONGEST_GROUP_MS) / 250
/** Memory of a part beside its bytes. */
export const PART_BYTES = 256
/**
 * Older segments are removed while the others last this long. A playlist holds at least three complete segments
 * (RFC 8216, 6.2.2).
 */
export const KEPT_MS = 8_000
const KEPT_SEGMENTS = 4
const TICKS_PER_MS = 90

/** Whether the stream has long groups of pictures, as far as the window shows it. */
export const hasLongGroup = (segments: readonly WindowSegment[]): boolean =>
  segments.some((segment) => (segment.init.descricao.gop_ms ?? 0) > USUAL_GROUP_MS || lastsLong(segment))

/** From the sums of the first and the last part, so that a long segment costs no more than a short one. */
function lastsLong({ parts }: WindowSegment): boolean {
  const [first, last] = [parts[0], parts.at(-1)]
  return (
    first !== undefined && last !== undefined && last.ticksBefore - first.ticksBefore > USUAL_GROUP_MS * TICKS_PER_MS
  )
}

const memoryOf = ({ dados }: ParteTransmissao): number => dados.length + PART_BYTES

/** The segments of one window, with the sums of their parts. Beyond a limit the oldest segments are removed. */
export function createSegmentList({ maxSegments = 8, maxBytes = MOST_WINDOW_BYTES }: WindowLimits) {
  let segments: OpenSegment[] = []
  let nextMsn = 0
  let removedDiscontinuities = 0
  let ticks = 0
  let bytes = 0
  let heldBytes = 0
  /** Whether the next segment does not continue the last one. */
  let isBroken = false
  /** Whether the newest segment exceeded `maxBytes`, and was removed. */
  let isTooLarge = false

  const current = () => segments.at(-1)

  function close() {
    const segment = current()
    if (segment) segment.complete = true
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
    isTooLarge = segments.length === 0
  }

  return {
    get segments(): readonly OpenSegment[] {
      return segments
    },
    get nextMsn() {
      return nextMsn
    },
    get removedDiscontinuities() {
      return removedDiscontinuities
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
    get isTooLarge() {
      return isTooLarge
    },
    removeOldest,
    /** Ends the newest segment. The next one does not continue it. */
    interrupt() {
      close()
      isBroken = nextMsn > 0
    },
    continues({ segmento, indice }: ParteTransmissao): boolean {
      const last = current()
      return last !== undefined && !last.complete && last.segmento === segmento && last.parts.length === indice
    },
    open(segmento: number, init: WindowInit) {
      const last = current()
      if (last && last.segmento + 1 !== segmento) isBroken = true
      close()
      const held = init.dados.length
      const discontinuity = isBroken
      segments.push({ msn: nextMsn++, init, discontinuity, parts: [], complete: false, segmento, bytes: held })
      heldBytes += held
      isBroken = false
      isTooLarge = false
    },
    append(parte: ParteTransmissao) {
      const segment = current()
      if (!segment) return
      // A copy, because a record is a view into the memory of a larger message.
      segment.parts.push({ ...parte, dados: new Uint8Array(parte.dados), ticksBefore: ticks, bytesBefore: bytes })
      ticks += parte.duracao
      bytes += parte.dados.length
      segment.bytes += memoryOf(parte)
      heldBytes += memoryOf(parte)
      trim()
    },
  }
}
