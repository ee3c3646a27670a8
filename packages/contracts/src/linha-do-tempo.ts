import { z } from 'zod'
import { horaIncertaSchema } from './hora-incerta.ts'
import { gravidades, nomesIas } from './ias.ts'
import { situacoesIncidente } from './incidentes.ts'
import { idTexto, instanteComFusoSchema, instanteSchema, inteiroTexto } from './values.ts'

/** Longest period of a timeline: a day with the change to winter time has 25 hours. */
export const MAX_HORAS_LINHA = 25
/** Incidentes and quedas of one camera in a timeline, the newest ones. */
export const MAX_MARCAS_CAMERA = 200

const periodo = { inicio: instanteSchema, fim: instanteSchema.nullable().describe('null: ainda dura.') }

const linhaCameraSchema = z
  .object({
    camera_id: z.int(),
    camera_nome: z.string(),
    empresa_id: z.int(),
    incidentes: z.array(
      z.object({
        id: z.int(),
        inicio: instanteSchema,
        fim: instanteSchema,
        hora_incerta: horaIncertaSchema.optional(),
        tipos: z.array(z.enum(nomesIas)),
        prova: z.boolean(),
        gravidade: z.enum(gravidades),
        veredito: z.enum(situacoesIncidente),
        atendido: z.boolean(),
        capa_evento_id: z.int(),
      }),
    ),
    quedas: z.array(z.object({ id: z.int(), ...periodo, motivo: z.string(), motivo_texto: z.string() })),
    cortada: z.boolean().describe(`Há mais de ${MAX_MARCAS_CAMERA} incidentes ou quedas: estes são os mais novos.`),
  })
  .meta({ id: 'LinhaDaCamera' })
export type LinhaDaCamera = z.infer<typeof linhaCameraSchema>

export const linhaDoTempoSchema = z
  .object({
    cameras: z.array(linhaCameraSchema).describe('As câmeras desta página, por nome.'),
    total: z.int().describe('Quantas câmeras, em todas as páginas.'),
    sem_vigia: z
      .array(
        z.object({ empresa_id: z.int(), periodos: z.array(z.object({ inicio: instanteSchema, fim: instanteSchema })) }),
      )
      .describe('Das Empresas destas câmeras: quando ninguém tinha a tela aberta.'),
    registro_desde: instanteSchema
      .nullable()
      .describe('Antes disto não se sabe se alguém olhava; null: ninguém olhou ainda.'),
  })
  .meta({ id: 'LinhaDoTempo', description: 'Incidentes, quedas e horas sem ninguém olhando, por câmera.' })
export type LinhaDoTempo = z.infer<typeof linhaDoTempoSchema>

export const linhaDoTempoQuerySchema = z.object({
  desde: instanteComFusoSchema.describe('Inclusive: o começo do dia.'),
  ate: instanteComFusoSchema.describe(`Exclusive: no máximo ${MAX_HORAS_LINHA} horas depois de \`desde\`.`),
  empresa_id: idTexto.optional(),
  camera_id: idTexto.optional(),
  limit: inteiroTexto(1, 200).default(100).describe('Câmeras por página.'),
  pagina: inteiroTexto(1, 40_000).default(1).describe('Número da página.'),
})
export type LinhaDoTempoQuery = z.infer<typeof linhaDoTempoQuerySchema>
