import type { Confirmacao } from '@vigia/contracts/candidate'
import { SPACE_WAIT_S } from '../../../scope/media-space.ts'
import { type CameraOfEvento, MAX_INSTANTE } from './candidate-row.ts'
import type { EventoIds } from './evento-ids.ts'
import type { Span } from './read-batch.ts'
import { accountBelow, explain, isSettled, restart, type Sequence, splitsWait, waits } from './sequence.ts'

/** A camera's sequence and the outbox that numbers it; null: not known yet. */
export type Counted = Sequence & { readonly serie: string | null }

/** Answer to one record. */
export type Resultado = Pick<Confirmacao, 'resultado' | 'motivo' | 'espere_s'>
export const gravado: Resultado = { resultado: 'gravado', motivo: null }
export const repetido: Resultado = { resultado: 'repetido', motivo: null }
const foraDeOrdem: Resultado = { resultado: 'fora_de_ordem', motivo: null }
/** The edge keeps the record and sends it again later. An older edge knows this answer, and repeats sooner. */
const espere = (motivo: string): Resultado => ({ ...foraDeOrdem, motivo, espere_s: SPACE_WAIT_S })
export const recusado = (motivo: string): Resultado => ({ resultado: 'recusado', motivo })

interface Reached {
  readonly camera: CameraOfEvento
  readonly below: Sequence
}

interface SequencesDeps {
  /** Mark of the outbox that sends the batch. */
  readonly serie: string
  readonly known: {
    readonly cameras: ReadonlyMap<number, CameraOfEvento>
    readonly sequencias: ReadonlyMap<number, Counted>
  }
  readonly now: number
  /** Empresas without space for media, each with the reason. */
  readonly waiting: ReadonlyMap<number, string>
  readonly eventoIds: EventoIds
}

/**
 * Limit of expected runs of one camera. Each batch reads all of them, and an edge could otherwise create any number.
 */
const MAX_WAITS = 256

const emptySequence: Counted = { ultimo: 0, lacunas: [], serie: null }

/** null: a time that the database does not store. */
export const readable = (epochMs: number): number | null => (epochMs > MAX_INSTANTE ? null : epochMs)

/** The sequences of the cameras during a batch. */
export function createCameraSequences({ serie, known, now, waiting, eventoIds }: SequencesDeps) {
  /** Those that the batch changes. */
  const changed = new Map<number, Counted>()
  const put = (cameraId: number, sequence: Sequence): void => {
    changed.set(cameraId, { ...sequence, serie })
  }
  return {
    changed,
    put,
    /**
     * Returns the camera's sequence below the numbers of `span`, or the answer if nothing can be stored there now.
     */
    reach({ camera_id, de, ate, base, desde }: Span): Reached | Resultado {
      const camera = known.cameras.get(camera_id)
      if (camera === undefined) return recusado('A câmera foi removida ou não é atendida por esta caixa.')
      const motivo = waiting.get(camera.empresa_id)
      if (motivo !== undefined) return espere(motivo)
      if (ate < de) return recusado('A lacuna termina antes de começar.')
      const before = changed.get(camera_id) ?? known.sequencias.get(camera_id) ?? emptySequence
      // The edge's outbox begins at the latest with the record that it sends.
      const lowest = Math.min(base, de)
      const sequence = before.serie === null || before.serie === serie ? before : restart(before, lowest, now)
      if (!isSettled(sequence, { de: Math.max(desde, lowest), ate: de - 1 })) return foraDeOrdem
      // Each reconnection may add one overtaken run. At the limit, live records wait for the backlog.
      const overtakes = Math.max(sequence.ultimo + 1, lowest) < de
      if ((overtakes || splitsWait(sequence, de)) && waits(sequence) >= MAX_WAITS) return foraDeOrdem
      const below = accountBelow(sequence, { de, base: lowest, now }, eventoIds.reserveFor(camera.empresa_id))
      return { camera, below }
    },
    /** Records the numbers of a refused record, so that the sequence continues without a jump. */
    refuse(span: Span, below: Sequence, motivo: string, times: readonly [number, number] | null): Resultado {
      const [ocorridoDe, ocorridoAte] = times === null ? [null, null] : [readable(times[0]), readable(times[1])]
      const why = { motivo: 'recusado', uuid: null, ocorridoDe, ocorridoAte, registradaEm: now } as const
      put(span.camera_id, explain(below, span, why))
      return recusado(motivo)
    },
  }
}
