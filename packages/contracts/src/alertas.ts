import { z } from 'zod'
import { eventoSchema, mudancaCameraSchema, quedaSchema } from './eventos.ts'
import { incidenteSchema } from './incidentes.ts'
import { idLongoSchema } from './values.ts'

/**
 * Messages of the alert stream: over SSE as `event`, `id` and `data`, over WebSocket as one JSON text. `id` is the
 * event's id.
 */
export const mensagemAlertaSchema = z.discriminatedUnion('tipo', [
  /** A confirmed event. */
  z.object({ tipo: z.literal('alerta'), id: idLongoSchema, dados: eventoSchema }),
  /** A pending or refuted event; only with `todos=true`, like `queda`. */
  z.object({ tipo: z.literal('evento'), id: idLongoSchema, dados: eventoSchema }),
  /** With `todos=true` or `incidentes=true`. */
  z.object({ tipo: z.literal('camera'), id: z.null(), dados: mudancaCameraSchema }),
  z.object({ tipo: z.literal('queda'), id: z.null(), dados: quedaSchema }),
  /** With `incidentes=true`. Without an id, so that a client resumes after the last event that it received. */
  z.object({ tipo: z.literal('incidente'), id: z.null(), dados: incidenteSchema }),
])
export type MensagemAlerta = z.infer<typeof mensagemAlertaSchema>
