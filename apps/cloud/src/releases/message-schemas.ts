import { loteSchema, registroSchema, respostaCentralSchema } from '@vigia/contracts/candidate'
import {
  desejadoSchema,
  fontesSchema,
  pedidoRenovacaoSchema,
  presencaSchema,
  relatoSchema,
  renovadoSchema,
} from '@vigia/contracts/edge-state'
import { comandoLacradoSchema, pedidoSchema, quadroAoVivoSchema, respostaSchema } from '@vigia/contracts/pedidos'
import { z } from 'zod'

/** What an edge writes and the cloud reads. */
export const edgeMessages = {
  lote: loteSchema,
  registro: registroSchema,
  relato: relatoSchema,
  presenca: presencaSchema,
  resposta: respostaSchema,
  renovacao: pedidoRenovacaoSchema,
  quadro_ao_vivo: quadroAoVivoSchema,
} as const

/** What the cloud writes and an edge reads. */
export const cloudMessages = {
  desejado: desejadoSchema,
  fontes: fontesSchema,
  resposta_central: respostaCentralSchema,
  pedido: pedidoSchema,
  comando: comandoLacradoSchema,
  renovado: renovadoSchema,
} as const

/** The JSON Schema of what a reader of this kind of message accepts. */
export const readerSchema = (schema: z.ZodType): object =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: z.registry() })

/** The JSON Schema of what a writer of this kind of message produces. */
export const writerSchema = (schema: z.ZodType): object =>
  z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', metadata: z.registry() })
