import { z } from 'zod'
import { instanteSchema } from './values.ts'

/** Maximum number of events of one export of a period, and of bytes of its pictures and clips. */
export const MAX_EVENTOS_EXPORTACAO = 1_000
/** Maximum number of passages of one export. */
export const MAX_PASSAGENS_EXPORTACAO = 1_000
export const MAX_BYTES_EXPORTACAO = 3_000_000_000

export const contagemExportacaoSchema = z
  .object({
    eventos: z.int(),
    passagens: z.int().describe('Passagens de veículos, com as fotos e os dados de treinamento delas.'),
    bytes: z.int().describe('Das imagens já medidas e dos clipes.'),
    cabe: z.boolean().describe('Se cabe em um arquivo ZIP.'),
    corte: instanteSchema
      .nullable()
      .describe('Se não cabe: um fim com o qual cabe. Exporte até aí, e depois a partir daí. null: nenhum.'),
  })
  .meta({ id: 'ContagemExportacao', description: 'O que a exportação de um período traria.' })
export type ContagemExportacao = z.infer<typeof contagemExportacaoSchema>
