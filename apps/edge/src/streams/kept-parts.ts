import { USUAL_GROUP_MS } from '@vigia/contracts/keyframes'
import type { ParteTransmissao } from '@vigia/contracts/transmissao'

/** The parts of the newest segment, for the next connection and for the rest of a long group. */
export interface KeptParts {
  readonly parts: readonly ParteTransmissao[]
  /** Its keyframe is so long ago that the next one may be far away. */
  readonly isLong: boolean
  add(parte: ParteTransmissao): void
  clear(): void
}

/** A larger segment is not kept. */
const MOST_BYTES = 8 * 1024 * 1024
const TICKS_PER_MS = 90

export function createKeptParts(): KeptParts {
  let parts: ParteTransmissao[] = []
  let bytes = 0
  let ticks = 0
  const clear = () => {
    parts = []
    bytes = 0
    ticks = 0
  }
  return {
    get parts() {
      return parts
    },
    get isLong() {
      return ticks > USUAL_GROUP_MS * TICKS_PER_MS
    },
    add(parte) {
      if (parte.indice === 0) clear()
      parts.push(parte)
      bytes += parte.dados.length
      ticks += parte.duracao
      if (bytes > MOST_BYTES) clear()
    },
    clear,
  }
}
