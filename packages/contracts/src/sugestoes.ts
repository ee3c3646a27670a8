import { z } from 'zod'
import { nomesIas } from './ias.ts'
import { decimalTexto } from './values.ts'

export const sugestaoQuerySchema = z.object({
  ia: z.enum(nomesIas).optional().describe('Sem ela, a primeira IA ligada da câmera.'),
  precisao: decimalTexto(0.5, 0.99)
    .optional()
    .default(0.9)
    .describe('Quanto dos alarmes deve ser verdadeiro. Sem ela, 0.9.'),
})
export type SugestaoQuery = z.infer<typeof sugestaoQuerySchema>

export const sugestaoSchema = z
  .object({
    ia: z.enum(nomesIas),
    precisao: z.number().describe('A precisão pedida.'),
    conf_atual: z.number(),
    verdadeiros: z.int().describe('Eventos revisados como verdadeiros, com a confiança de hoje ou mais.'),
    falsos: z.int(),
    sugestao: z
      .object({
        conf: z.number(),
        precisao: z.number().describe('Verdadeiros entre os revisados que teriam vindo.'),
        falsos_evitados: z.int(),
        verdadeiros_perdidos: z.int(),
      })
      .nullable()
      .describe('null: não há sugestão, e `frase` diz por quê. Nunca é aplicada sozinha.'),
    motivo: z
      .enum(['poucas_revisoes', 'ja_cumpre', 'sem_valor'])
      .nullable()
      .describe('Por que não há sugestão; null: há uma.'),
    frase: z.string(),
  })
  .meta({ id: 'SugestaoCalibracao', description: 'Um valor de `conf` a partir das revisões. Nada muda por ela.' })
export type SugestaoCalibracao = z.infer<typeof sugestaoSchema>
