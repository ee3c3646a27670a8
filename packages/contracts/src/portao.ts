import { z } from 'zod'
import { idSchema, instanteSchema } from './values.ts'

/** Lowest probability of a reading that may open a gate, whatever an Empresa sets. */
export const CONF_PORTAO_MIN = 0.9

/** Confidence that a reading must have unless an Empresa says otherwise. */
export const CONF_PORTAO = 0.97

/** The gate that a camera opens for plates of the list `permitida`. */
export const portaoSchema = z
  .strictObject({
    canal_id: idSchema.describe('Canal `webhook` ou `mqtt` da mesma Empresa, que recebe `portao.abrir`.'),
    conf: z
      .number()
      .min(CONF_PORTAO_MIN)
      .max(1)
      .default(CONF_PORTAO)
      .describe('Menor confiança da leitura que abre o portão; mais alta que `conf_placa`.'),
  })
  .meta({
    id: 'PortaoCamera',
    description: 'Qualquer pessoa pode imprimir uma placa: a placa sozinha não identifica ninguém.',
  })

/** Kind of the message that opens a gate. */
export const tipoMensagemPortao = 'portao.abrir'

/** Fields of that message. */
export const corpoPortao = {
  passagem: z.object({
    id: z.int(),
    placa: z.string(),
    dono: z.string().nullable(),
    confianca: z.number(),
    ocorrido_em: instanteSchema,
  }),
}
