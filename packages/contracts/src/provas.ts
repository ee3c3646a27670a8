import { z } from 'zod'
import { nomesZonasSchema } from './geometria.ts'
import { nomesIas } from './ias.ts'
import { camposPagina } from './paginas.ts'
import { idLongoSchema, instanteSchema, textoCurto } from './values.ts'

/** Longest prova, in seconds. */
export const PROVA_MAXIMA_S = 3600

/** How far the scene of a prova came, from nothing to a confirmed alert. */
export const alcancesProva = ['nada', 'imagem', 'evento', 'alerta'] as const
export type AlcanceProva = (typeof alcancesProva)[number]

const rotulosSchema = z
  .array(z.string().regex(/^[a-z][a-z_ ]{0,39}$/, { error: 'Use o nome que o modelo dá ao objeto' }))
  .max(32)
const indicesSchema = z.array(z.int().min(0).max(511)).max(512)

export const provaCreateSchema = z
  .object({
    duracao_s: z.int().min(1).max(PROVA_MAXIMA_S).describe('Há quantos segundos a prova começou; ela termina agora.'),
    aprovada: z.boolean().describe('O que decidiu quem fez a prova.'),
    nota: textoCurto(500).nullish(),
    rotulos: rotulosSchema.default([]).describe('O que a imagem ao vivo marcou: nomes que o modelo dá.'),
    zonas: indicesSchema.default([]).describe('Índices das zonas em que algo foi visto.'),
    tela_ms: z
      .int()
      .min(0)
      .max(PROVA_MAXIMA_S * 1000)
      .nullish()
      .describe('Do início da prova até o primeiro alerta confirmado na tela de quem a fez; null: nenhum.'),
  })
  .meta({
    id: 'ProvaCreate',
    description: 'O servidor junta os eventos da câmera que chegaram durante a prova.',
    examples: [{ duracao_s: 90, aprovada: true, nota: 'Andei do portão até a porta', rotulos: ['person'] }],
  })
export type ProvaCreate = z.infer<typeof provaCreateSchema>

const eventoProvaSchema = z
  .object({
    id: idLongoSchema,
    tipo: z.enum(nomesIas),
    veredito: z.enum(['confirmado', 'refutado', 'pendente']),
    zona: z.int().nullable(),
    chegada_ms: z.int().describe('Do acontecimento até a central.'),
    verificacao_ms: z.int().nullable().describe('Do acontecimento até o veredito; null: ainda não há.'),
  })
  .meta({ id: 'EventoProva' })
export type EventoProva = z.infer<typeof eventoProvaSchema>

const configuracaoProvaSchema = z
  .object({
    ias: z.array(z.enum(nomesIas)),
    zonas: z.int().describe('Quantas zonas a câmera tinha; 0: o quadro inteiro.'),
    nomes_zonas: nomesZonasSchema.default([]).describe('Os nomes delas; vazio nas provas de versões sem nomes.'),
    linha: z.boolean(),
    resolucao: z.string().nullable(),
    fps: z.number().nullable(),
    codec: z.string().nullable(),
  })
  .meta({ id: 'ConfiguracaoProva' })
export type ConfiguracaoProva = z.infer<typeof configuracaoProvaSchema>

export const provaSchema = z
  .object({
    id: z.int(),
    empresa_id: z.int(),
    camera_id: z.int(),
    camera_nome: z.string(),
    inicio: instanteSchema,
    fim: instanteSchema,
    aprovada: z.boolean(),
    alcance: z
      .enum(alcancesProva)
      .describe('`imagem`: algo foi marcado ao vivo; `evento`: um evento chegou; `alerta`: um foi confirmado.'),
    nota: z.string().nullable(),
    feita_por: z.string().describe('O login ou a chave, como se chamava na hora.'),
    rotulos: rotulosSchema,
    zonas: indicesSchema,
    tela_ms: z.int().nullable(),
    eventos: z.array(eventoProvaSchema).describe('No máximo os 50 últimos, do mais novo ao mais antigo.'),
    configuracao: configuracaoProvaSchema.describe('Como a câmera estava.'),
  })
  .meta({ id: 'Prova', description: 'Registro de instalação: uma prova de caminhada diante da câmera.' })
export type Prova = z.infer<typeof provaSchema>

export const provasQuerySchema = z.object({ ...camposPagina })
export type ProvasQuery = z.infer<typeof provasQuerySchema>
