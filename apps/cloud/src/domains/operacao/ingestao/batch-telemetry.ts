import type { Confirmacao } from '@vigia/contracts/candidate'
import { relogioSchema } from '@vigia/contracts/candidate'
import type { OpenSpan, Tracing } from '@vigia/runtime/spans'
import type { Metrics } from '../../../telemetry/metrics.ts'
import type { BatchPlan } from './plan-batch.ts'
import type { ReadBatch } from './read-batch.ts'

/** Spans of the candidates of a batch, which continue the traces of the edge. */
export interface BatchSpans {
  /** `traceparent` of each span by the uuid of its candidate; empty: tracing is off. */
  readonly traces: ReadonlyMap<string, string>
  /** @param respostas null: nothing was stored */
  end(respostas: readonly Confirmacao[] | null): void
}

export function startSpans(tracing: Tracing, edgeId: number, { itens }: ReadBatch, startMs: number): BatchSpans {
  const spans = new Map<string, OpenSpan>()
  const traces = new Map<string, string>()
  for (const item of itens) {
    if (!item.ok || item.registro.tipo !== 'candidato') continue
    const { id, traceparent, ia, camera_id } = item.registro
    const attributes = { 'vigia.edge_id': edgeId, 'vigia.camera_id': camera_id, 'vigia.ia': ia }
    const span = tracing.start('ingestao', { parent: traceparent, startMs, attributes })
    if (span.traceparent === null) continue
    spans.set(id.toLowerCase(), span)
    traces.set(id.toLowerCase(), span.traceparent)
  }
  return {
    traces,
    end(respostas) {
      const results = new Map(respostas?.map(({ id, resultado }) => [id.toLowerCase(), resultado]))
      for (const [uuid, span] of spans) {
        const resultado = results.get(uuid)
        span.end({
          failed: respostas === null,
          ...(resultado !== undefined && { attributes: { 'vigia.result': resultado } }),
        })
      }
    },
  }
}

/** Counts the answers of a stored batch, and the time that its live events took. */
export function countBatch(metrics: Metrics, { respostas, eventos }: BatchPlan): void {
  for (const { resultado } of respostas) metrics.record(resultado)
  for (const { retroativo, ocorrido_em, recebido_em, relogio_json } of eventos) {
    const { desvio_ms, sincronizado } = relogioSchema.parse(JSON.parse(relogio_json))
    const offsetMs = desvio_ms ?? (sincronizado ? 0 : null)
    if (retroativo === 0 && offsetMs !== null) metrics.arrived(recebido_em - (ocorrido_em - offsetMs))
  }
}
