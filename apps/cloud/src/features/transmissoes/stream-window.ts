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

export interface WindowSegment {
  /** Media sequence number: increases by one, also across epochs. */
  readonly msn: number
  readonly init: WindowInit
  /** It does not continue the segment before. */
  readonly discontinuity: boolean
  readonly parts: readonly ParteTransmissao[]
  /** No part follows. */
  readonly complete: boolean
}

interface OpenSegment extends WindowSegment {
  readonly parts: ParteTransmissao[]
  complete: boolean
  /** Number of the segment at the edge. */
  readonly segmento: number
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

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

const bytesOf = ({ parts }: WindowSegment): number => parts.reduce((sum, { dados }) => sum + dados.length, 0)

/**
 * @param limits beyond one of them the oldest segments are removed. A single segment beyond `maxBytes` is removed too;
 * the window then waits for the next one.
 */
export function createStreamWindow({ maxSegments = 8, maxBytes = 64 * 1024 * 1024 }: WindowLimits = {}): StreamWindow {
  let segments: OpenSegment[] = []
  let init: WindowInit | null = null
  let inits = 0
  let nextMsn = 0
  let firstMsn = 0
  let removedDiscontinuities = 0
  let ended = false
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
    // A record is a view into the memory of a larger message.
    init = { id: inits++, descricao, dados: Uint8Array.from(dados) }
  }

  function trim() {
    let bytes = segments.reduce((sum, segment) => sum + bytesOf(segment), 0)
    while (segments.length > maxSegments || bytes > maxBytes) {
      const [oldest] = segments
      if (!oldest) return
      bytes -= bytesOf(oldest)
      if (oldest.discontinuity) removedDiscontinuities++
      if (oldest === current()) isBroken = true
      segments = segments.slice(1)
    }
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
    const kept = { ...parte, dados: Uint8Array.from(parte.dados) }
    if (continues(parte)) current()?.parts.push(kept)
    else if (parte.indice === 0) {
      const last = current()
      if (last && last.segmento + 1 !== parte.segmento) isBroken = true
      close()
      const { segmento } = parte
      segments.push({ msn: nextMsn++, init, discontinuity: isBroken, parts: [kept], complete: false, segmento })
      isBroken = false
    } else interrupt()
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
