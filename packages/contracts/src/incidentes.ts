import { z } from 'zod'
import { certezaSchema, decisoes, eventoSchema, provaQuerySchema } from './eventos.ts'
import { horaIncertaSchema } from './hora-incerta.ts'
import { gravidades, nomesIas } from './ias.ts'
import { camposPagina } from './paginas.ts'
import { situacoesPlaca } from './passagens.ts'
import { idTexto, instanteComFusoSchema, instanteSchema, textoCurto } from './values.ts'

const respostaSchema = z.enum(['verdadeiro', 'falso', 'nao_sei'])
export type RespostaIncidente = z.infer<typeof respostaSchema>

export const situacoesIncidente = [...decisoes, 'pendente'] as const
export type SituacaoIncidente = (typeof situacoesIncidente)[number]

export const atendimentoSchema = z
  .object({
    resposta: respostaSchema,
    nota: z.string().nullable(),
    revisor: z.string().describe('O login que respondeu, ou o nome da chave.'),
    atendido_em: instanteSchema,
  })
  .meta({ id: 'Atendimento', description: 'Resposta de uma pessoa a um incidente.' })
export type Atendimento = z.infer<typeof atendimentoSchema>

const assumidoSchema = z
  .object({ por: z.string().describe('O login, ou o nome da tela ou da chave.'), em: instanteSchema })
  .meta({ id: 'Assumido', description: 'Quem disse que cuida do incidente.' })

const placaIncidenteSchema = z.object({
  texto: z.string().describe('Mascarada (`ABC****`) para quem não vê placas.'),
  lista: z.enum(situacoesPlaca).nullable().describe('O que as listas dizem da placa.'),
  dono: z.string().nullable().optional().describe('Da lista, na hora do evento; falta a quem não vê placas.'),
  nota: z.string().nullable().optional().describe('Da lista, na hora do evento; falta a quem não vê placas.'),
})

export const incidenteSchema = z
  .object({
    id: z.int(),
    empresa_id: z.int(),
    camera_id: z.int(),
    /** Name of the camera at the first event; kept when the camera is removed. */
    camera_nome: z.string().describe('Como a câmera se chamava na hora; fica quando ela é removida.'),
    tipos: z.array(z.enum(nomesIas)).describe('As IAs dos eventos que não foram refutados.'),
    gravidade: z.enum(gravidades).describe('A mais alta dos eventos que não foram refutados.'),
    inicio: instanteSchema,
    fim: instanteSchema,
    hora_incerta: horaIncertaSchema.optional(),
    eventos: z.int().describe('Quantos eventos, também os refutados.'),
    pendentes: z.int().describe('Quantos deles esperam a verificação.'),
    revisados: z.int().describe('Quantos deles têm revisão humana.'),
    veredito: z
      .enum(situacoesIncidente)
      .describe('`confirmado` quando um evento é; `refutado` quando todos são; senão, `pendente`.'),
    certeza: certezaSchema
      .nullable()
      .describe('De um incidente `confirmado`: `baixa` quando todos os eventos confirmados têm `baixa`.'),
    capa_evento_id: z.int().describe('O evento mais grave que não foi refutado; entre iguais, o mais novo.'),
    capa_url: z.string().nullable().describe('O quadro inteiro da capa; o recorte, onde não há quadro.'),
    placa: placaIncidenteSchema
      .nullable()
      .optional()
      .describe('A placa da capa, de um incidente de placa; null: outra IA, ou nenhuma placa foi lida.'),
    silenciado: z
      .boolean()
      .describe(
        'A câmera estava silenciada quando o incidente começou. Nunca com `critica` ou uma IA que rompe o silêncio.',
      ),
    prova: z.boolean().describe('Só tem eventos de uma prova de caminhada; não se mistura com os outros.'),
    assumido: assumidoSchema.nullable().optional().describe('Quem cuida dele; null: ninguém assumiu.'),
    atendimento: atendimentoSchema.nullable().describe('A última resposta; null: ninguém respondeu.'),
    /** Grows with each change. Messages of the alert stream may overtake each other; the highest one is the newest. */
    versao: z.int().describe('Cresce a cada mudança: entre duas cópias, vale a de número maior.'),
  })
  .meta({
    id: 'Incidente',
    description: 'O que as pessoas respondem: eventos de uma câmera próximos no tempo, ou do mesmo objeto.',
  })
export type Incidente = z.infer<typeof incidenteSchema>

/** Largest number of events in the detail of an incidente. */
export const MAX_LISTA_INCIDENTE = 500

export const incidenteDetalheSchema = incidenteSchema
  .extend({
    lista: z
      .array(eventoSchema)
      .describe(`Os eventos, do mais antigo ao mais novo: os ${MAX_LISTA_INCIDENTE} últimos.`),
    atendimentos: z.array(atendimentoSchema).describe('Todas as respostas, da mais antiga à mais nova.'),
  })
  .meta({ id: 'IncidenteDetalhe' })
export type IncidenteDetalhe = z.infer<typeof incidenteDetalheSchema>

export const atendimentoCreateSchema = z
  .object({ resposta: respostaSchema, nota: textoCurto(500).nullish() })
  .meta({ id: 'AtendimentoCreate', examples: [{ resposta: 'falso', nota: 'Era o gato do vizinho' }] })
export type AtendimentoCreate = z.infer<typeof atendimentoCreateSchema>

export const assumirSchema = z
  .strictObject({ assumido: z.boolean().describe('true: quem chama cuida do incidente; false: ninguém mais cuida.') })
  .meta({ id: 'AssumirIncidente', examples: [{ assumido: true }] })

const simOuNao = z.enum(['true', 'false'], { error: 'Use true ou false' })

export const incidentesQuerySchema = z.object({
  camera_id: idTexto.optional(),
  empresa_id: idTexto.optional(),
  tipo: z.enum(nomesIas).optional().describe('Com um evento desta IA que não foi refutado.'),
  gravidade: z.enum(gravidades).optional(),
  veredito: z.enum(situacoesIncidente).optional(),
  atendido: simOuNao
    .optional()
    .describe('`false`: a fila, sem os que só têm eventos refutados; `true`: os que alguém respondeu.'),
  revisado: simOuNao.optional().describe('`true`: com revisão humana de pelo menos um evento.'),
  prova: provaQuerySchema,
  desde: instanteComFusoSchema.optional().describe('Com `inicio` a partir daqui, inclusive.'),
  ate: instanteComFusoSchema.optional().describe('Com `inicio` antes daqui, exclusive.'),
  ...camposPagina,
})
export type IncidentesQuery = z.infer<typeof incidentesQuerySchema>
