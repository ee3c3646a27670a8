import { z } from 'zod'
import { idTexto, instanteComFusoSchema } from './values.ts'

/** Images of one export of training data. */
export const MAX_IMAGENS_TREINAMENTO = 10_000

export const treinamentoQuerySchema = z.object({
  empresa_id: idTexto.optional(),
  desde: instanteComFusoSchema.optional().describe('De quando é o evento. Inclusive.'),
  ate: instanteComFusoSchema.optional().describe('Exclusive.'),
})
export type TreinamentoQuery = z.infer<typeof treinamentoQuerySchema>
