import { z } from 'zod'

/** Warnings for the operator of the server; only codes, because the endpoint is public. */
export const avisoSaudeSchema = z.enum(['disco_baixo', 'disco_cheio', 'disco_somente_leitura', 'enlace_fora'])
export type AvisoSaude = z.infer<typeof avisoSaudeSchema>

export const saudeSchema = z.object({
  status: z.literal('ok'),
  /** Absent: none. */
  avisos: z.array(avisoSaudeSchema).optional(),
})
export const prontidaoSchema = z.object({ status: z.literal('ok') })

export type Saude = z.infer<typeof saudeSchema>
