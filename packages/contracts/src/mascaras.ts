import { z } from 'zod'
import { zonasNovasSchema, zonasSchema } from './geometria.ts'

/** Whether the edge hides the masked parts of a camera. `caixa_antiga`: its program does not know masks. */
export const situacoesMascara = ['sem_mascara', 'aplicada', 'aguardando', 'caixa_antiga'] as const
export type SituacaoMascara = (typeof situacoesMascara)[number]

export const mascarasPutSchema = z
  .strictObject({ mascaras: zonasNovasSchema.describe('Na forma de `zonas`; vazio: sem máscara.') })
  .meta({
    id: 'MascarasPut',
    description: 'Todas as máscaras da câmera: as que faltam são removidas.',
    examples: [{ mascaras: [[0.6, 0.1, 0.9, 0.1, 0.9, 0.4, 0.6, 0.4]] }],
  })
export type MascarasPut = z.infer<typeof mascarasPutSchema>

export const mascarasSchema = z
  .object({
    mascaras: zonasSchema.describe('Na forma de `zonas`; vazio: sem máscara.'),
    situacao: z.enum(situacoesMascara).describe('Se a caixa já esconde o que as máscaras cobrem.'),
    detalhe: z
      .string()
      .nullable()
      .describe('O que falta para a máscara valer; também as câmeras que mostram a mesma imagem sem ela.'),
  })
  .meta({ id: 'Mascaras' })
export type Mascaras = z.infer<typeof mascarasSchema>
