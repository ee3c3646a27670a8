import { z } from 'zod'
import { idSchema, instanteComFusoSchema, instanteSchema, textoCurto } from './values.ts'

interface Regra {
  /** Days, also of an Empresa without ancestors that set another value. */
  readonly padrao: number
  readonly min: number
  /** Plural noun for sentences and dashboard. */
  readonly nome: string
  /** Whether a limit in bytes is possible: rows without files are small. */
  readonly temBytes: boolean
}

/**
 * Kinds of data with a retention. `clipes`: at least 2 days, because edges keep unrequested clips for 48 h.
 * `auditoria`: at least six months (Marco Civil da Internet, art. 15).
 */
export const regrasRetencao = {
  eventos: { padrao: 90, min: 1, nome: 'eventos e incidentes', temBytes: false },
  imagens: { padrao: 90, min: 1, nome: 'imagens', temBytes: true },
  clipes: { padrao: 30, min: 2, nome: 'clipes', temBytes: true },
  alertas: { padrao: 90, min: 1, nome: 'registro de alertas', temBytes: false },
  auditoria: { padrao: 730, min: 180, nome: 'auditoria', temBytes: false },
  quedas: { padrao: 365, min: 1, nome: 'quedas', temBytes: false },
  lacunas: { padrao: 365, min: 1, nome: 'lacunas', temBytes: false },
  passagens: { padrao: 90, min: 1, nome: 'passagens de veículos', temBytes: false },
} as const satisfies Record<string, Regra>

export type TipoRetencao = keyof typeof regrasRetencao
export const tiposRetencao = Object.keys(regrasRetencao) as TipoRetencao[]

/** Days that data of the whole installation stay; no Empresa can change them. `arquivos`: files without a record. */
export const prazosFixos = {
  descartados: 7,
  presencas: 400,
  entregas: 30,
  avisos: 30,
  envios_push: 7,
  arquivos: 1,
  lacunas_sem_camera: regrasRetencao.lacunas.padrao,
} as const satisfies Record<string, number>

export type TipoFixo = keyof typeof prazosFixos
/** Kinds of data that an age ends. */
export type TipoPorPrazo = TipoRetencao | TipoFixo
export const tiposPorPrazo = [...tiposRetencao, ...(Object.keys(prazosFixos) as TipoFixo[])]

const DIAS_MAX = 3_650
const BYTES_MIN = 100_000_000
const BYTES_MAX = 1_000_000_000_000_000

const diasDe = (tipo: TipoRetencao) =>
  z
    .int()
    .min(regrasRetencao[tipo].min)
    .max(DIAS_MAX)
    .nullish()
    .describe('Dias desde a chegada; null: o mesmo da Empresa acima, ou o padrão.')
const bytes = z
  .int()
  .min(BYTES_MIN)
  .max(BYTES_MAX)
  .nullish()
  .describe('Limite em bytes; null: o mesmo da Empresa acima, ou nenhum.')

const semBytes = (tipo: TipoRetencao) => z.strictObject({ dias: diasDe(tipo) }).optional()
const comBytes = (tipo: TipoRetencao) => z.strictObject({ dias: diasDe(tipo), bytes }).optional()

export const retencaoPatchSchema = z
  .strictObject({
    eventos: semBytes('eventos'),
    imagens: comBytes('imagens'),
    clipes: comBytes('clipes'),
    alertas: semBytes('alertas'),
    auditoria: semBytes('auditoria'),
    quedas: semBytes('quedas'),
    lacunas: semBytes('lacunas'),
    passagens: semBytes('passagens'),
  })
  .meta({ id: 'RetencaoPatch', examples: [{ clipes: { dias: 15, bytes: 50_000_000_000 } }] })
export type RetencaoPatch = z.infer<typeof retencaoPatchSchema>

const regraSchema = z
  .object({
    tipo: z.enum(tiposRetencao),
    dias: z.int().describe('O que vale.'),
    dias_proprio: z.int().nullable().describe('null: vem da Empresa acima ou do padrão.'),
    bytes: z.int().nullable().describe('O que vale; null: sem limite.'),
    bytes_proprio: z.int().nullable(),
  })
  .meta({ id: 'RegraRetencao' })

const usoSchema = z
  .object({
    tipo: z.enum(['imagens', 'clipes']),
    bytes: z.int().describe('Guardados agora.'),
    bytes_por_dia: z.int().describe('Média de `dias_observados`.'),
    dias_observados: z
      .number()
      .describe('De quantos dias vem a média: 7, ou menos se o primeiro evento é mais novo. Menos de 1: sem previsão.'),
    bytes_preservados: z.int().describe('De eventos preservados.'),
    dias_ate_limite: z
      .int()
      .nullable()
      .describe('Dias até o limite em bytes, neste ritmo; null: não chega a ele, ou não há limite.'),
    aviso: z.string().nullable().describe('O que fazer se os preservados passam do limite.'),
  })
  .meta({ id: 'UsoRetencao' })
export type UsoRetencao = z.infer<typeof usoSchema>

const apagadosSchema = z
  .object({
    dia: z.string().describe('`2026-11-23`, UTC.'),
    tipo: z.enum(tiposRetencao),
    quantos: z.int(),
    de: instanteSchema.describe('O mais antigo dos apagados.'),
    ate: instanteSchema.describe('O mais novo dos apagados.'),
  })
  .meta({ id: 'ApagadosRetencao' })

export const retencaoSchema = z
  .object({
    empresa_id: idSchema,
    regras: z.array(regraSchema),
    uso: z.array(usoSchema),
    dias_ate_disco_cheio: z
      .int()
      .nullable()
      .describe('De toda a instalação, no ritmo de até 7 dias; null: não enche, ou ainda não se sabe.'),
    apagados: z.array(apagadosSchema).describe('O que saiu por último, do dia mais novo ao mais antigo.'),
  })
  .meta({ id: 'Retencao', description: 'Por quanto tempo uma Empresa guarda cada coisa, e quanto ocupa.' })
export type Retencao = z.infer<typeof retencaoSchema>

export const contagemRetencaoSchema = z
  .object({
    eventos: z.int(),
    imagens: z.int().describe('Eventos cujas imagens saem, também com o evento.'),
    clipes: z.int(),
  })
  .meta({
    id: 'ContagemRetencao',
    description: 'O que a próxima varredura apagaria desta Empresa pelos prazos. Limites de tamanho não contam.',
  })
export type ContagemRetencao = z.infer<typeof contagemRetencaoSchema>

export const preservarSchema = z
  .strictObject({ motivo: textoCurto(500), ate: instanteComFusoSchema.describe('Até quando fica; no futuro.') })
  .meta({ id: 'Preservar', examples: [{ motivo: 'Boletim de ocorrência 123/2026', ate: '2099-11-23T03:00:00Z' }] })
export type Preservar = z.infer<typeof preservarSchema>

export const preservacaoSchema = z
  .object({ motivo: z.string(), ate: instanteSchema, por: z.string(), desde: instanteSchema })
  .meta({ id: 'Preservacao', description: 'Um evento preservado não é apagado antes do fim.' })
export type Preservacao = z.infer<typeof preservacaoSchema>
