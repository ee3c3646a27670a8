import { z } from 'zod'
import { nomesZonasSchema } from './geometria.ts'
import { nomesIas } from './ias.ts'
import { camposPagina } from './paginas.ts'
import { idLongoSchema, instanteSchema, inteiroTexto, textoCurto } from './values.ts'

/** Longest prova, in seconds. */
export const PROVA_MAXIMA_S = 3600

/** Time for which one call arms a camera; a walk ends by itself before. */
export const PROVA_ARMADA_S = 300

/** How far the scene of a prova came, from nothing to a confirmed alert. */
export const alcancesProva = ['nada', 'imagem', 'evento', 'alerta'] as const
export type AlcanceProva = (typeof alcancesProva)[number]

/** How a prova ended: it reached another screen or a browser, or nobody, or detected nothing. */
export const desfechosProva = ['outra_tela', 'navegador', 'ninguem', 'nada'] as const
export type DesfechoProva = (typeof desfechosProva)[number]

/** The steps of a walk in their order; a prova names the first that is missing. */
export const passosProva = ['caixa', 'ia', 'central', 'verificacao', 'entrega'] as const
export type PassoProva = (typeof passosProva)[number]

const desfechoSchema = z
  .enum(desfechosProva)
  .describe(
    '`outra_tela`: o alerta foi a uma tela aberta em outra sessão; `navegador`: foi aceito para um navegador ' +
      'inscrito; `ninguem`: detectado, sem chegar a ninguém; `nada`: nada foi detectado.',
  )
const passoSchema = z
  .enum(passosProva)
  .describe(
    'O primeiro passo que faltou: `caixa` viu, `ia` disparou, chegou à `central`, a `verificacao` confirmou, ' +
      '`entrega` a outra tela ou a um navegador.',
  )

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
    encerrada_s: z
      .int()
      .min(0)
      .max(PROVA_MAXIMA_S)
      .nullish()
      .describe('Do início da prova até o fim da caminhada; sem ele, a prova não tem `desfecho`.'),
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
    desfecho: desfechoSchema.nullable().default(null),
    passo_falho: passoSchema.nullable().default(null),
    eventos: z.array(eventoProvaSchema).describe('No máximo os 50 últimos, do mais novo ao mais antigo.'),
    configuracao: configuracaoProvaSchema.describe('Como a câmera estava.'),
  })
  .meta({ id: 'Prova', description: 'Registro de instalação: uma prova de caminhada diante da câmera.' })
export type Prova = z.infer<typeof provaSchema>

export const andamentoProvaSchema = z
  .object({ desfecho: desfechoSchema, passo_falho: passoSchema.nullable() })
  .meta({ id: 'AndamentoProva', description: 'Até onde chegou a caminhada até agora.' })
export type AndamentoProva = z.infer<typeof andamentoProvaSchema>

export const andamentoProvaQuerySchema = z.object({
  duracao_s: inteiroTexto(1, PROVA_MAXIMA_S).default(120).describe('Há quantos segundos a prova começou.'),
  viu: z.enum(['true', 'false']).default('false').describe('Se a imagem ao vivo já marcou algo.'),
})
export type AndamentoProvaQuery = z.infer<typeof andamentoProvaQuerySchema>

export const provasQuerySchema = z.object({ ...camposPagina })
export type ProvasQuery = z.infer<typeof provasQuerySchema>

export const provaEmCursoPutSchema = z
  .strictObject({ ativa: z.boolean().describe('true: a prova começa agora; false: ela terminou.') })
  .meta({ id: 'ProvaEmCursoPut', examples: [{ ativa: true }] })
export type ProvaEmCursoPut = z.infer<typeof provaEmCursoPutSchema>

export const provaEmCursoSchema = z
  .object({
    ate: instanteSchema.nullable().describe('Até quando os eventos da câmera são de prova; null: nenhuma corre.'),
    armada: z.boolean().describe('A caixa arma todas as IAs ligadas, fora do horário também.'),
    detalhe: z.string().nullable().describe('Por que a caixa não armou, ou não desarmou antes da hora.'),
  })
  .meta({ id: 'ProvaEmCurso' })
export type ProvaEmCurso = z.infer<typeof provaEmCursoSchema>
