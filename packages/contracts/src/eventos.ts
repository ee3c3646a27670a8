import type { Detection } from '@vigia/ias/detection'
import { z } from 'zod'
import { silencioSchema } from './cameras.ts'
import { horaIncertaSchema } from './hora-incerta.ts'
import { gravidades, nomesIas } from './ias.ts'
import { camposPagina } from './paginas.ts'
import { preservacaoSchema } from './retencao.ts'
import { idSchema, idTexto, instanteComFusoSchema, instanteSchema, textoCurto } from './values.ts'

export const decisoes = ['confirmado', 'refutado'] as const
export const decisaoSchema = z.enum(decisoes)
export type Decisao = z.infer<typeof decisaoSchema>

export const certezas = ['alta', 'baixa'] as const
export const certezaSchema = z.enum(certezas)
export type Certeza = z.infer<typeof certezaSchema>

/** One detected object: label of the model, confidence 0–1, box in fractions of the frame from its top left corner. */
export const caixaSchema = z
  .object({
    rotulo: z.string().max(64),
    confianca: z.number().min(0).max(1),
    x: z.number().min(0).max(1),
    y: z.number().min(0).max(1),
    w: z.number().min(0).max(1),
    h: z.number().min(0).max(1),
  })
  .meta({ id: 'Caixa', description: 'Posição como fração do quadro, a partir do canto superior esquerdo.' })
export type Caixa = Detection

/** One position of a tracked object: ms after the event (negative: before it), and box in fractions of the frame. */
export const pontoTrajetoSchema = z.object({
  ms: z.int(),
  x: z.number().min(0).max(1),
  y: z.number().min(0).max(1),
  w: z.number().min(0).max(1),
  h: z.number().min(0).max(1),
})

export const vereditoSchema = z
  .object({
    decisao: decisaoSchema,
    /** `baixa`: the verification could not decide, so that the event is shown and alerted. null: an older verdict. */
    certeza: certezaSchema
      .nullable()
      .describe(
        '`confirmado` com `baixa`: a verificação não conseguiu decidir; mostre “Pode ser …”. `refutado` tem sempre ' +
          '`alta`. null: veredito de uma versão sem certeza.',
      ),
    confianca: z.number().min(0).max(1).describe('Probabilidade, calibrada, de a decisão estar certa.'),
    /** Portuguese sentence: why. */
    motivo: z.string(),
    /** The verifier and its model. */
    fonte: z.string().describe('Quem verificou, e com que modelo.'),
    verificado_em: instanteSchema,
  })
  .meta({ id: 'Veredito' })
export type Veredito = z.infer<typeof vereditoSchema>

export const eventoSchema = z
  .object({
    id: z.int(),
    empresa_id: z.int(),
    camera_id: z.int(),
    /** Name of the camera at the event; kept when the camera is removed. */
    camera_nome: z.string().describe('Como a câmera se chamava na hora; fica quando ela é removida.'),
    tipo: z.enum(nomesIas).describe('Nome da IA.'),
    gravidade: z.enum(gravidades),
    ocorrido_em: instanteSchema,
    hora_incerta: horaIncertaSchema.optional(),
    recebido_em: instanteSchema,
    /** Confidence of the detection on the edge. */
    confianca: z.number().min(0).max(1).describe('Da detecção na caixa.'),
    rotulos: z.array(z.string()),
    caixas: z.array(caixaSchema),
    /** Index of the polygon of `zonas` that contains the event; null: the camera has no zone. */
    zona: z.int().nullable().describe('Qual polígono de `zonas`; null sem restrição.'),
    /** null while the verification is pending. */
    veredito: vereditoSchema.nullable().describe('null enquanto a verificação não terminou.'),
    crop_url: z.string().nullable(),
    clip_url: z.string().nullable(),
    detalhes: z.record(z.string(), z.unknown()),
    prova: z.boolean().describe('Durante uma prova de caminhada: fora dos relatórios e dos canais.'),
    /** null: the event was stored by a release without incidentes. */
    incidente_id: z.int().nullable().describe('null: evento de uma versão sem incidentes.'),
  })
  .meta({ id: 'Evento' })
export type Evento = z.infer<typeof eventoSchema>

/** `sub`: the analysed stream. `principal`: a picture of the camera's main stream, taken in addition. */
export const fontesEvidencia = ['sub', 'principal'] as const
export type FonteEvidencia = (typeof fontesEvidencia)[number]

const evidenciaVistaSchema = z
  .object({
    /** From 1, in the order of arrival. */
    ordem: z.int(),
    fonte: z.enum(fontesEvidencia),
    /** Time of the picture minus that of the event, in ms. */
    dt_ms: z.int().describe('Instante da imagem menos o do evento, em ms.'),
    redetectada: z.boolean().describe('A câmera detectou o objeto outra vez nesta imagem.'),
    caixas: z.array(caixaSchema).describe('Como fração desta imagem.'),
    url: z.string(),
  })
  .meta({ id: 'Evidencia', description: 'Outra imagem do objeto de um evento.' })
export type EvidenciaVista = z.infer<typeof evidenciaVistaSchema>

/** `na_caixa`: only the edge holds the clip, and nobody has requested its upload. `nunca`: it will not exist. */
export const estadosClipe = ['sem_noticia', 'na_caixa', 'a_caminho', 'guardado', 'nunca'] as const
export type EstadoClipe = (typeof estadosClipe)[number]

/** Progress of a clip. */
export const situacaoClipeSchema = z
  .object({
    clip_estado: z.enum(estadosClipe).describe('`na_caixa`: pode ser buscado. `nunca`: não haverá clipe.'),
    /** Portuguese sentence: why there is no clip yet, or ever. null: there is one. */
    clip_detalhe: z.string().nullable().describe('Por que não há clipe, ou ainda não; null: há.'),
  })
  .meta({ id: 'SituacaoClipe' })
export type SituacaoClipe = z.infer<typeof situacaoClipeSchema>

export const eventoDetalheSchema = eventoSchema
  .extend({
    /** Further pictures of the object; they may arrive after the verdict. */
    evidencias: z.array(evidenciaVistaSchema).describe('Podem chegar depois do veredito.'),
    ...situacaoClipeSchema.shape,
    /** Preview strip of the clip; it arrives before the clip. */
    strip_url: z.string().nullable().describe('Tira de prévia do clipe; pode vir antes dele.'),
    /** Time of the event after the first picture of its clip; null: the event has none. */
    clip_deslocamento_ms: z.int().nullable().describe('Instante do evento dentro do clipe, em ms.'),
    crop_path: z.string().nullable(),
    preservacao: preservacaoSchema.nullable().describe('Até quando nada o apaga; null: segue o prazo da Empresa.'),
    revisao: z.object({ rotulo_humano: decisaoSchema, revisor: z.string(), revisado_em: instanteSchema }).nullable(),
  })
  .meta({ id: 'EventoDetalhe', description: 'A revisão humana não muda o veredito: os dois ficam.' })
export type EventoDetalhe = z.infer<typeof eventoDetalheSchema>

export const revisaoCreateSchema = z
  .object({ rotulo_humano: decisaoSchema, revisor: textoCurto(200) })
  .meta({ id: 'RevisaoCreate', examples: [{ rotulo_humano: 'confirmado', revisor: 'Ana Souza' }] })
export type RevisaoCreate = z.infer<typeof revisaoCreateSchema>

/** Filter of the records of walk tests. */
export const provaQuerySchema = z
  .enum(['true', 'false'], { error: 'Use true ou false' })
  .optional()
  .describe('`true`: só os de provas de caminhada; `false`: sem eles.')

export const eventosQuerySchema = z.object({
  camera_id: idTexto.optional(),
  tipo: z.enum(nomesIas).optional().describe('Nome da IA.'),
  gravidade: z.enum(gravidades).optional(),
  veredito: z.enum([...decisoes, 'pendente']).optional(),
  certeza: certezaSchema.optional().describe('Certeza do veredito.'),
  prova: provaQuerySchema,
  empresa_id: idTexto.optional(),
  desde: instanteComFusoSchema.optional().describe('Inclusive.'),
  ate: instanteComFusoSchema.optional().describe('Exclusive.'),
  ...camposPagina,
})
export type EventosQuery = z.infer<typeof eventosQuerySchema>

/** Portuguese: reason why an event above the budget of its camera has no verdict yet (`detalhes.adiado`). */
const VERIFICACAO_ADIADA = 'Verificação adiada: muitos eventos desta câmera'

/** Reason for a missing verdict, as a Portuguese sentence; null: the verdict exists or is in progress. */
export function esperaDe({ veredito, detalhes }: Pick<Evento, 'veredito' | 'detalhes'>): string | null {
  if (veredito !== null) return null
  if (typeof detalhes.falha_verificacao === 'string') return detalhes.falha_verificacao
  return detalhes.adiado === true ? VERIFICACAO_ADIADA : null
}

/** Picture of an event: the crop or the whole frame. */
const imagemSchema = z.enum(['crop', 'quadro'])
export type ImagemEvento = z.infer<typeof imagemSchema>
export const cropQuerySchema = z.object({
  imagem: imagemSchema.default('crop'),
  /** `ordem` of a further picture, in place of `imagem`. */
  evidencia: idTexto.optional().describe('`ordem` de uma evidência, no lugar de `imagem`.'),
})

export const metricasSchema = z
  .object({
    total: z.int(),
    por_tipo: z.partialRecord(z.enum(nomesIas), z.int()),
    por_gravidade: z.partialRecord(z.enum(gravidades), z.int()),
    por_veredito: z.object({ confirmado: z.int(), refutado: z.int(), pendente: z.int() }),
    por_certeza: z
      .object({ alta: z.int(), baixa: z.int() })
      .describe('Dos eventos com veredito; os de versões sem certeza não contam.'),
    /** Numbers of reviewed events with a verdict; `concordam`: the label equals the verdict. */
    revisoes: z.object({ total: z.int(), concordam: z.int(), discordam: z.int() }),
    passagens: z
      .object({ total: z.int(), permitida: z.int(), bloqueada: z.int(), desconhecida: z.int(), sem_placa: z.int() })
      .describe('Veículos guardados, pelas listas ao chegar.'),
  })
  .meta({ id: 'Metricas' })
export type Metricas = z.infer<typeof metricasSchema>

/** Status or silence change of a camera: `event: camera` of the alert stream with `todos` or `incidentes`. */
export const mudancaCameraSchema = z
  .object({
    id: idSchema,
    empresa_id: idSchema,
    nome: z.string(),
    status: z.enum(['online', 'offline', 'desativada']),
    status_detalhe: z.string().nullable(),
    ultimo_frame_em: instanteSchema.nullable(),
    silencio: silencioSchema.nullable(),
  })
  .meta({ id: 'MudancaCamera' })
export type MudancaCamera = z.infer<typeof mudancaCameraSchema>

/**
 * Start or end of a queda of an edge or of a camera. `motivo` is a stable code, `motivo_texto` its sentence for a
 * person.
 */
export const quedaSchema = z
  .object({
    id: z.int(),
    /** null: a queda of the local edge, or of the cloud itself (`edge_id` and `camera_id` are null too). */
    empresa_id: z.int().nullable(),
    edge_id: z.int().nullable(),
    /** null: the queda of an edge. */
    camera_id: z.int().nullable().describe('null: queda de uma caixa, ou da central se `edge_id` também for null.'),
    /** Name of the camera or edge at that time. */
    nome: z.string(),
    inicio: instanteSchema,
    /** null: it is open. */
    fim: instanteSchema.nullable().describe('null: ainda dura.'),
    motivo: z.string(),
    motivo_texto: z.string(),
  })
  .meta({ id: 'Queda', description: 'Tempo em que uma câmera ou uma caixa esteve fora do ar.' })
export type Queda = z.infer<typeof quedaSchema>

export const quedasQuerySchema = z.object({
  empresa_id: idTexto.optional(),
  edge_id: idTexto.optional(),
  camera_id: idTexto.optional(),
  abertas: z.enum(['true', 'false']).optional().describe('true: só as que ainda duram.'),
  ...camposPagina,
})
export type QuedasQuery = z.infer<typeof quedasQuerySchema>

/** Reasons for missing numbers in the sequence of a camera. */
export const motivosFalta = [
  'cota_de_disco',
  'disco_indisponivel',
  /** The records never arrived, and the edge no longer holds them. */
  'salto_de_sequencia',
  /** The edge holds the records and is sending them. */
  'a_caminho',
  /** The edge was replaced or lost its disk, with an unknown number of events. */
  'fila_recomecada',
  'recusado',
] as const

export const lacunaVistaSchema = z
  .object({
    id: z.int(),
    edge_id: z.int(),
    camera_id: z.int(),
    /** First and last missing number; `ate_seq` below `de_seq`: the count is unknown. */
    de_seq: z.int(),
    ate_seq: z.int(),
    /** Number of missing records in this range, if several gaps were merged into one; null: the whole range. */
    faltam: z
      .int()
      .nullable()
      .describe('Quantos números faltam entre os dois, quando o registro junta vários; null: todos.'),
    ocorrido_de: instanteSchema.nullable(),
    ocorrido_ate: instanteSchema.nullable(),
    motivo: z.enum(motivosFalta),
    motivo_texto: z.string(),
    registrada_em: instanteSchema,
  })
  .meta({ id: 'Lacuna', description: 'Eventos de uma câmera que faltam, e por quê.' })
export type LacunaVista = z.infer<typeof lacunaVistaSchema>

export const lacunasQuerySchema = z.object({
  empresa_id: idTexto.optional(),
  edge_id: idTexto.optional(),
  camera_id: idTexto.optional(),
  ...camposPagina,
})
export type LacunasQuery = z.infer<typeof lacunasQuerySchema>
