import { loteSchema, registroSchema, respostaCentralSchema } from '@vigia/contracts/candidate'
import {
  desejadoSchema,
  fontesSchema,
  pedidoRenovacaoSchema,
  presencaSchema,
  relatoSchema,
  renovadoSchema,
} from '@vigia/contracts/edge-state'
import { extraSchema, loteExtrasSchema } from '@vigia/contracts/extras'
import { comandoLacradoSchema, pedidoSchema, quadroAoVivoSchema, respostaSchema } from '@vigia/contracts/pedidos'
import { z } from 'zod'

/** Messages from the edge to the cloud. */
export const edgeMessages = {
  lote: loteSchema,
  registro: registroSchema,
  lote_extras: loteExtrasSchema,
  extra: extraSchema,
  relato: relatoSchema,
  presenca: presencaSchema,
  resposta: respostaSchema,
  renovacao: pedidoRenovacaoSchema,
  quadro_ao_vivo: quadroAoVivoSchema,
} as const

/** Messages from the cloud to the edge. */
export const cloudMessages = {
  desejado: desejadoSchema,
  fontes: fontesSchema,
  resposta_central: respostaCentralSchema,
  pedido: pedidoSchema,
  comando: comandoLacradoSchema,
  renovado: renovadoSchema,
} as const

/** JSON Schema of the messages of this kind that a reader accepts. */
export const readerSchema = (schema: z.ZodType): object =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: z.registry() })

/** JSON Schema of the messages of this kind that a writer produces. */
export const writerSchema = (schema: z.ZodType): object =>
  z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', metadata: z.registry() })
