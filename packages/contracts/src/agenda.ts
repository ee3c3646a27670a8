import { z } from 'zod'
import { nomesIas } from './ias.ts'

/**
 * One window: [inicio, fim) in whole hours of the Empresa's time zone. `inicio` > `fim` wraps past midnight and belongs to
 * the day on which it starts; equal means the whole day. `dias`: 0 = segunda-feira … 6 = domingo; empty = every day.
 */
export const janelaSchema = z.strictObject({
  inicio: z.int().min(0).max(23),
  fim: z.int().min(0).max(24),
  dias: z.array(z.int().min(0).max(6)).max(7).default([]),
})
export type Janela = z.infer<typeof janelaSchema>

/** IA name → window. An IA without an entry is armed 24 hours. */
export const agendaSchema = z.partialRecord(z.enum(nomesIas), janelaSchema)
export type Agenda = z.infer<typeof agendaSchema>
