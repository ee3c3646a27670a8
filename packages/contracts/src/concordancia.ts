import { z } from 'zod'
import { nomesIas } from './ias.ts'
import { MAX_DIAS_RELATORIO } from './relatorios.ts'
import { idTexto, instanteComFusoSchema, instanteSchema } from './values.ts'

/** Cameras and IAs of one answer: those with the most reviews. */
export const MAX_LINHAS_CONCORDANCIA = 2_000

/** Reviewed events of one class of the verdict. */
const revisados = z.object({
  verdadeiros: z.int().describe('Revisados como `confirmado`.'),
  falsos: z.int().describe('Revisados como `refutado`.'),
})

const classes = {
  alta: revisados.describe('Veredito `confirmado` com certeza `alta`.'),
  baixa: revisados.describe('Veredito `confirmado` com certeza `baixa`.'),
  sem_certeza: revisados.describe('Veredito `confirmado` de uma versão sem certeza.'),
  refutado: revisados.describe('Veredito `refutado`.'),
  revisados: z.int().describe('Todos os revisados com veredito.'),
  concordam: z.int().describe('Aqueles em que a revisão é igual ao veredito.'),
}

export const concordanciaSchema = z
  .object({
    desde: instanteSchema,
    ate: instanteSchema,
    total: z.object(classes),
    linhas: z
      .array(z.object({ camera_id: z.int(), camera_nome: z.string(), ia: z.enum(nomesIas), ...classes }))
      .describe(`Uma por câmera e IA, as ${MAX_LINHAS_CONCORDANCIA} com mais revisões.`),
  })
  .meta({
    id: 'Concordancia',
    description: 'Quantas vezes as revisões dos administradores concordam com a verificação.',
  })
export type Concordancia = z.infer<typeof concordanciaSchema>

export const concordanciaQuerySchema = z.object({
  desde: instanteComFusoSchema.describe('De quando é o evento. Inclusive.'),
  ate: instanteComFusoSchema.describe(`Exclusive; no máximo ${MAX_DIAS_RELATORIO} dias depois de \`desde\`.`),
  empresa_id: idTexto.optional(),
  camera_id: idTexto.optional(),
})
export type ConcordanciaQuery = z.infer<typeof concordanciaQuerySchema>
