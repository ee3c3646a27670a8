import { z } from 'zod'
import { nomesIas } from './ias.ts'
import { instanteSchema } from './values.ts'

export const ajusteSchema = z
  .object({
    ia: z.enum(nomesIas),
    ajuste: z.number().min(-1).max(1).describe('Somado ao logit da verificação; 0: nenhum.'),
    revisoes: z.int().describe('As que contam, das mais novas.'),
    verdadeiros: z.int(),
    esperados: z.number().describe('Quantas a verificação, sem ajuste, esperava que fossem verdadeiras.'),
    minimo_revisoes: z.int().describe('Com menos, o ajuste é 0.'),
    desde: instanteSchema.nullable().describe('Só contam revisões depois daqui; null: todas.'),
    frase: z.string().describe('O motivo do ajuste.'),
  })
  .meta({
    id: 'Ajuste',
    description: 'Quanto as revisões de administradores tornam “confirmado com certeza alta” mais fácil ou difícil.',
  })
export type Ajuste = z.infer<typeof ajusteSchema>
