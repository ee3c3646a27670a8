import { z } from 'zod'
import { relogioGravadorSchema } from './gravacoes.ts'
import { instanteSchema, portaSchema } from './values.ts'

/** Read-only calls of a diagnosis, in their order. */
export const chamadasGravador = [
  /** DESCRIBE of the live stream. */
  'ao_vivo',
  /** HTTP answer of a port. */
  'porta_http',
  /** ONVIF GetSystemDateAndTime. */
  'relogio',
  /** Recordings of the last 24 hours. */
  'lista',
  /** DESCRIBE of a recording of some minutes ago. */
  'reproducao',
] as const

/** Result of a call; the API has a sentence for each. */
export const resultadosGravador = [
  'ok',
  'nao_respondeu',
  'recusou_login',
  'sem_permissao',
  'sem_suporte',
  'nao_encontrado',
  'ocupado',
  'resposta_estranha',
  /** The login was refused before, and another failure could lock the edge out. */
  'nao_tentada',
] as const

/** Contains numbers only: no address, no login and no text of the recorder. */
export const chamadaGravadorSchema = z.object({
  chamada: z.enum(chamadasGravador),
  resultado: z.enum(resultadosGravador),
  ms: z.int().min(0),
  porta: portaSchema.nullable(),
  /** RTSP or HTTP status. */
  status: z.int().min(0).max(999).nullable(),
  /** Number of listed spans. */
  trechos: z.int().min(0).nullable(),
  relogio: relogioGravadorSchema.nullable(),
})
export type ChamadaGravador = z.infer<typeof chamadaGravadorSchema>
/** The other calls, and one for each HTTP port. */
export const MAX_CHAMADAS_GRAVADOR = 10

export const diagnosticoGravadorSchema = z
  .object({
    gravador_id: z.int(),
    feito_em: instanteSchema,
    chamadas: z.array(
      z.object({
        chamada: z.enum(chamadasGravador),
        titulo: z.string(),
        resultado: z.enum(resultadosGravador),
        ms: z.int(),
        significado: z.string().describe('O que o resultado quer dizer, e o que fazer.'),
      }),
    ),
    texto: z.string().describe('O relatório inteiro, sem endereço, usuário, senha nem número de série.'),
  })
  .meta({ id: 'DiagnosticoGravador' })
export type DiagnosticoGravador = z.infer<typeof diagnosticoGravadorSchema>
