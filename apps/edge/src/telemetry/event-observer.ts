import type { Candidato, Confirmacao } from '@vigia/contracts/candidate'
import type { OpenSpan, Tracing } from '@vigia/runtime/spans'
import type { EdgeMetrics } from './metrics.ts'

/** A record on the line. */
interface SentRecord {
  readonly id: string
  readonly traceparent: string | undefined
}

/** Follows the events from their detection to the answer of the cloud. */
export interface EventObserver {
  /**
   * Called when an event arrives from its capture process.
   * @returns the trace of the event, which its candidate carries; undefined: tracing is off
   */
  detected(event: Pick<Candidato, 'id' | 'ia' | 'camera_id' | 'ocorrido_em'>): string | undefined
  stored(ids: readonly string[]): void
  sent(records: readonly SentRecord[]): void
  settled(confirmacao: Pick<Confirmacao, 'id' | 'resultado'>): void
}

/** Records that are followed at the same time; the oldest ones are forgotten. */
const MOST = 4_096

/** Creates the spans `deteccao`, `caixa` (until it is on the disk) and `envio` of each event. */
export function createEventObserver(deps: {
  readonly tracing: Tracing
  readonly metrics: Pick<EdgeMetrics, 'candidate' | 'confirmed'> | null
}): EventObserver {
  const { tracing, metrics } = deps
  const storing = new Map<string, OpenSpan>()
  const sending = new Map<string, { readonly at: number; readonly span: OpenSpan | null }>()

  return {
    detected({ id, ia, camera_id, ocorrido_em }) {
      metrics?.candidate(ia)
      const attributes = { 'vigia.camera_id': camera_id, 'vigia.ia': ia }
      const detection = tracing.start('deteccao', { startMs: ocorrido_em, attributes })
      if (detection.traceparent === null) return undefined
      detection.end()
      keep(storing, id, tracing.start('caixa', { parent: detection.traceparent }))
      return detection.traceparent
    },
    stored(ids) {
      for (const id of ids) {
        storing.get(id)?.end()
        storing.delete(id)
      }
    },
    sent(records) {
      for (const { id, traceparent: parent } of records) {
        // An earlier message with this record had no answer.
        sending.get(id)?.span?.end({ failed: true })
        const span = parent === undefined ? null : tracing.start('envio', { parent })
        keep(sending, id, { at: performance.now(), span })
      }
    },
    settled({ id, resultado }) {
      const sent = sending.get(id)
      if (sent === undefined) return
      sending.delete(id)
      metrics?.confirmed(resultado, performance.now() - sent.at)
      sent.span?.end({ failed: resultado === 'recusado', attributes: { 'vigia.result': resultado } })
    },
  }
}

function keep<T>(map: Map<string, T>, id: string, value: T): void {
  map.delete(id)
  map.set(id, value)
  const [oldest] = map.keys()
  if (map.size > MOST && oldest !== undefined) map.delete(oldest)
}
