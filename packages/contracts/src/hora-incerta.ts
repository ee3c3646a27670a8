import { z } from 'zod'
import { instanteSchema } from './values.ts'

/** `suposta`: from a battery clock, which nothing has confirmed since the machine started. */
export const estadosHora = ['desconhecida', 'suposta', 'conhecida'] as const
export type EstadoHora = (typeof estadosHora)[number]

/**
 * Earliest and latest time of a record whose edge never knew the time between its start and its end, in epoch ms. The
 * time of the record is the earliest. An older edge sends none; an older cloud drops it.
 */
export const intervaloIncertoSchema = z
  .object({ de: z.int().min(0), ate: z.int().min(0) })
  .refine(({ de, ate }) => de <= ate)
  .optional()
  .catch(undefined)

/** The same in answers of the API; absent: the time is known. */
export const horaIncertaSchema = z.object({ de: instanteSchema, ate: instanteSchema }).meta({
  id: 'HoraIncerta',
  description:
    'A caixa ligou sem saber a hora e desligou antes de saber: o registro é de um instante entre os dois. ' +
    'Ausente: a hora é certa.',
})
export type HoraIncerta = z.infer<typeof horaIncertaSchema>
