import { z } from 'zod'
import { nomesIas } from './ias.ts'

/** 0 = segunda-feira … 6 = domingo; empty = every day. */
export const diasSchema = z
  .array(z.int().min(0).max(6))
  .max(7)
  .refine((dias) => new Set(dias).size === dias.length, { error: 'Dia repetido' })
  .default([])
  .describe('0 = segunda-feira … 6 = domingo, o dia em que a janela começa; vazio = todos.')

/**
 * One window [inicio, fim) in whole hours of the Empresa's time zone. `inicio` > `fim` passes midnight and belongs to
 * the day on which it starts; equal values mean the whole day. `dias`: 0 = segunda-feira … 6 = domingo; empty = every
 * day.
 */
export const janelaSchema = z
  .strictObject({
    inicio: z.int().min(0).max(23),
    fim: z.int().min(0).max(24),
    dias: diasSchema,
  })
  .meta({
    id: 'Janela',
    description:
      'Horas no fuso da Empresa: de `inicio` até antes de `fim`. `inicio` maior que `fim` passa da meia-noite; ' +
      'iguais, o dia inteiro.',
  })
export type Janela = z.infer<typeof janelaSchema>

/** IA name → window. An IA without an entry is armed 24 hours. */
export const agendaSchema = z
  .partialRecord(z.enum(nomesIas), janelaSchema)
  .meta({ id: 'Agenda', description: 'Nome da IA → janela em que ela fica armada. IA sem entrada: sempre armada.' })
export type Agenda = z.infer<typeof agendaSchema>
