import { z } from 'zod'
import { janelaSchema } from './agenda.ts'
import { destinationProblem, type TipoCanal, tiposCanal } from './destinos.ts'
import { eventoSchema, quedaSchema } from './eventos.ts'
import { gravidades, nomesIas } from './ias.ts'
import {
  corpoAviso,
  corpoFimIncidente,
  corpoIncidente,
  corpoResumo,
  tipoMensagemFim,
  tiposMensagem,
  tiposMensagemAviso,
  tiposMensagemEvento,
  tiposMensagemQueda,
} from './mensagens.ts'
import { camposPagina } from './paginas.ts'
import { exemploIas } from './perfis.ts'
import { corpoPortao, tipoMensagemPortao } from './portao.ts'
import { idSchema, instanteSchema, semControle } from './values.ts'

/** Default of `agrupar`: people get one message per incidente, systems every event. */
export const groupsByDefault = (tipo: TipoCanal): boolean => tipo !== 'webhook' && tipo !== 'mqtt'

/** Default of `placas`: programs get plates of vehicles, people get none. */
export const showsPlatesByDefault = (tipo: TipoCanal): boolean => tipo === 'webhook' || tipo === 'mqtt'

export const certezasMin = ['baixa', 'alta'] as const
export const politicasCanal = ['aguardar', 'avisar'] as const
/** Default first: it keeps what canais of earlier releases send. */
export const continuacoesCanal = ['intervalo', 'fim'] as const
export const INTERVALO_PADRAO_S = 120
/** Cameras that a canal names; without a list it reports all cameras of its Empresa. */
export const MAX_CAMERAS_CANAL = 500

/** Its form depends on `tipo` (destinos.ts). */
const destinoSchema = z.string().trim().max(2048).regex(semControle, { error: 'Não use caracteres de controle' })

/** Half hours, which the Agenda of a camera has only in `horarios`. */
const meiaHora = (max: number) =>
  z.number().min(0).max(max).multipleOf(0.5, { error: 'Use horas inteiras ou meias horas, por exemplo 18.5' })

/**
 * One window in half hours for the channel; `{}`: always. This schema is no union of the two forms, because the errors
 * of a union name no field.
 */
const agendaCanalSchema = z
  .strictObject({
    inicio: meiaHora(23.5).optional(),
    fim: meiaHora(24).optional(),
    dias: janelaSchema.shape.dias.unwrap().optional(),
  })
  .superRefine((agenda, ctx) => {
    if (Object.keys(agenda).length === 0) return
    for (const campo of ['inicio', 'fim'] as const)
      if (agenda[campo] === undefined)
        ctx.addIssue({ code: 'custom', path: [campo], message: 'Campo obrigatório', params: { type: 'missing' } })
  })

const campos = {
  nome: z
    .string()
    .trim()
    .max(80)
    .regex(semControle, { error: 'Não use caracteres de controle' })
    .describe('Para reconhecer o canal na lista; pode ficar vazio.'),
  tipo: z.enum(tiposCanal),
  destino: destinoSchema,
  destinatarios: z.array(destinoSchema.min(1)).max(100),
  ativo: z.boolean(),
  camera_id: idSchema.nullable().describe('Só esta câmera. null: todas, ou as várias de `camera_ids`.'),
  camera_ids: z
    .array(idSchema)
    .max(MAX_CAMERAS_CANAL)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'Câmera repetida' })
    .describe('Só estas câmeras, da Empresa do canal; vazio: todas. Uma só está também em `camera_id`.'),
  tipos_evento: z
    .array(z.enum(nomesIas))
    .max(nomesIas.length)
    .refine((ias) => new Set(ias).size === ias.length, { error: 'IA repetida' }),
  agenda: agendaCanalSchema,
  avisar_quedas: z
    .boolean()
    .describe('Avisa também quando uma caixa ou câmera sai do ar e quando volta, e o que pede ação.'),
  gravidade_min: z.enum(gravidades).describe('Só eventos desta gravidade para cima.'),
  certeza_min: z
    .enum(certezasMin)
    .describe(
      '`alta`: só o que o verificador confirmou com certeza; para sirenes e outros sistemas que agem sozinhos.',
    ),
  agrupar: z
    .boolean()
    .describe(
      'Uma mensagem por incidente, em vez de uma por evento. Padrão: true para pessoas (e-mail, WhatsApp), ' +
        'false para webhook e mqtt.',
    ),
  intervalo_s: z
    .int()
    .min(0)
    .max(3600)
    .describe('Com `agrupar`: o que entra no incidente neste tempo vai em uma só mensagem a mais.'),
  continuacao: z
    .enum(continuacoesCanal)
    .describe(
      'Com `agrupar`, depois da primeira mensagem de um incidente: `intervalo`: uma a mais a cada `intervalo_s`; ' +
        '`fim`: só uma, quando ele acaba. Uma gravidade maior sai na hora.',
    ),
  resumo_hora: z
    .int()
    .min(0)
    .max(23)
    .nullable()
    .describe('Hora, no fuso da Empresa, de um resumo por dia com os incidentes; null: sem resumo.'),
  politica: z
    .enum(politicasCanal)
    .describe(
      '`aguardar`: avisa depois da verificação. `avisar`: se ela demorar mais de 30 s, avisa na hora como não ' +
        'verificado; não vale com `certeza_min` alta.',
    ),
  placas: z
    .boolean()
    .describe(
      'As mensagens trazem placas de veículos: o texto e a foto. false: só dizem que houve uma leitura. Padrão: true ' +
        'para webhook e mqtt, false para pessoas. `portao.abrir` não depende deste campo.',
    ),
}

interface EscolhaCameras {
  readonly camera_id?: number | null | undefined
  readonly camera_ids?: readonly number[] | null | undefined
}

/** The cameras that a body chooses, sorted; empty: all. undefined: it names none of the two fields. */
export function chosenCameras({ camera_id, camera_ids }: EscolhaCameras): number[] | undefined {
  if (camera_ids != null) return [...camera_ids].sort((a, b) => a - b)
  if (camera_id != null) return [camera_id]
  return camera_id === null || camera_ids === null ? [] : undefined
}

/** `camera_id` of a canal with these cameras: several have none. */
export const singleCamera = (ids: readonly number[]): number | null => (ids.length === 1 ? (ids[0] ?? null) : null)

/** Refuses a body whose two fields say different things. */
function refuseOtherCameras({ camera_id, camera_ids }: EscolhaCameras, ctx: z.RefinementCtx): void {
  if (camera_id == null || camera_ids == null || singleCamera(camera_ids) === camera_id) return
  const message = 'camera_id e camera_ids dizem câmeras diferentes: mande só um deles'
  ctx.addIssue({ code: 'custom', path: ['camera_ids'], message })
}

interface Destinos {
  readonly tipo: TipoCanal
  readonly destino: string
  readonly destinatarios: readonly string[]
}

/** Returns the first problem of each destination with its path. */
export function destinationProblems({
  tipo,
  destino,
  destinatarios,
}: Destinos): { path: (string | number)[]; message: string }[] {
  const at = (path: (string | number)[], text: string) => {
    const message = destinationProblem(tipo, text)
    return message === null ? [] : [{ path, message }]
  }
  return [at(['destino'], destino), ...destinatarios.map((text, index) => at(['destinatarios', index], text))].flat()
}

/** Login of the broker of an `mqtt` canal; stored sealed, and in no answer. */
const credenciaisSchema = z
  .strictObject({
    usuario: z.string().min(1).max(256).regex(semControle, { error: 'Não use caracteres de controle' }),
    senha: z.string().max(1024),
  })
  .describe('Usuário e senha do broker MQTT; nenhuma resposta os traz. null: sem eles.')
export type CredenciaisCanal = z.infer<typeof credenciaisSchema>
export const SO_MQTT = 'Só canais do tipo mqtt têm usuário e senha'

export const canalCreateSchema = z
  .object({
    empresa_id: idSchema,
    nome: campos.nome.default(''),
    tipo: campos.tipo.default('webhook'),
    destino: campos.destino.default(''),
    destinatarios: campos.destinatarios.default([]),
    ativo: campos.ativo.default(true),
    camera_id: campos.camera_id.default(null),
    camera_ids: campos.camera_ids.optional(),
    tipos_evento: campos.tipos_evento.default([]),
    agenda: campos.agenda.default({}),
    avisar_quedas: campos.avisar_quedas.default(true),
    gravidade_min: campos.gravidade_min.default('baixa'),
    certeza_min: campos.certeza_min.default('baixa'),
    agrupar: campos.agrupar.optional(),
    intervalo_s: campos.intervalo_s.default(INTERVALO_PADRAO_S),
    continuacao: campos.continuacao.default('intervalo'),
    resumo_hora: campos.resumo_hora.default(null),
    politica: campos.politica.default('aguardar'),
    placas: campos.placas.optional(),
    credenciais: credenciaisSchema.nullable().default(null),
  })
  .superRefine((canal, ctx) => {
    refuseOtherCameras(canal, ctx)
    if (canal.credenciais !== null && canal.tipo !== 'mqtt')
      ctx.addIssue({ code: 'custom', path: ['credenciais'], message: SO_MQTT })
    for (const { path, message } of destinationProblems(canal)) ctx.addIssue({ code: 'custom', path, message })
  })
  .meta({
    id: 'CanalCreate',
    description:
      '`destino` e `destinatarios` conforme o `tipo`: URL http(s), número de telefone `+5511987654321`, ' +
      'endereço de e-mail, número da conversa do Telegram, ou mqtts://servidor/prefixo.',
    examples: [
      {
        empresa_id: 1,
        tipo: 'webhook',
        destino: 'https://exemplo.com.br/vigia',
        tipos_evento: exemploIas.comuns,
        agenda: { inicio: 22, fim: 6, dias: [] },
      },
      { empresa_id: 1, tipo: 'whatsapp', destinatarios: ['+5511987654321'] },
      { empresa_id: 1, tipo: 'email', destinatarios: ['guarita@exemplo.com.br'], agenda: {} },
    ],
  })
export type CanalCreate = z.infer<typeof canalCreateSchema>

/** null empties the name, destinations, filters and the digest; every other field keeps its value. */
export const canalPatchSchema = z
  .strictObject({
    empresa_id: idSchema.nullish(),
    nome: campos.nome.nullish(),
    tipo: campos.tipo.nullish(),
    destino: campos.destino.nullish(),
    destinatarios: campos.destinatarios.nullish(),
    ativo: campos.ativo.nullish(),
    camera_id: campos.camera_id.optional(),
    camera_ids: campos.camera_ids.nullish(),
    tipos_evento: campos.tipos_evento.nullish(),
    agenda: campos.agenda.nullish(),
    avisar_quedas: campos.avisar_quedas.nullish(),
    gravidade_min: campos.gravidade_min.nullish(),
    certeza_min: campos.certeza_min.nullish(),
    agrupar: campos.agrupar.nullish(),
    intervalo_s: campos.intervalo_s.nullish(),
    continuacao: campos.continuacao.nullish(),
    resumo_hora: campos.resumo_hora.optional(),
    politica: campos.politica.nullish(),
    placas: campos.placas.nullish(),
    credenciais: credenciaisSchema.nullish(),
  })
  .superRefine(refuseOtherCameras)
  .meta({
    id: 'CanalPatch',
    description:
      'null esvazia `nome`, `destino`, `destinatarios`, `camera_id`, `camera_ids`, `tipos_evento`, `agenda` e ' +
      '`resumo_hora`; nos outros campos, nada muda. Um só de `camera_id` e `camera_ids` vale pelos dois. Com outro ' +
      '`tipo` e sem `agrupar` ou `placas`, vale o padrão do novo tipo.',
    examples: [{ ativo: false, tipos_evento: exemploIas.incendio }],
  })
export type CanalPatch = z.infer<typeof canalPatchSchema>

export const canalNotificacaoSchema = z
  .object({
    id: z.int(),
    empresa_id: z.int(),
    ...campos,
    com_credenciais: z.boolean().describe('Se o canal guarda usuário e senha do broker MQTT.'),
    /** Number of deliveries: one per message and destination. */
    entregas: z.object({
      pendentes: z.int(),
      entregues: z.int(),
      /** Number of deliveries that ended without success after 24 h. */
      desistidas: z.int(),
      ultimo_erro: z.string().nullable(),
      ultimo_erro_em: instanteSchema.nullable(),
    }),
    criado_em: instanteSchema,
    atualizado_em: instanteSchema,
  })
  .meta({ id: 'CanalNotificacao' })
export type CanalNotificacao = z.infer<typeof canalNotificacaoSchema>

export const estadosEntrega = ['pendente', 'entregue', 'desistida'] as const
export type EstadoEntrega = (typeof estadosEntrega)[number]

export const entregasQuerySchema = z.object({
  estado: z.enum(estadosEntrega).optional().describe('Só as entregas neste estado.'),
  ...camposPagina,
})
export type EntregasQuery = z.infer<typeof entregasQuerySchema>

export const entregaSchema = z
  .object({
    id: z.int(),
    destino: z.string(),
    estado: z.enum(estadosEntrega).describe('`desistida`: não saiu em 24 h, ou o canal ou destino mudou antes.'),
    tipo: z.enum(tiposMensagem),
    evento: eventoSchema
      .pick({ id: true, tipo: true })
      .nullable()
      .describe('O evento avisado, ou o da capa do incidente; null: uma queda ou um resumo.'),
    incidente_id: z.int().nullable(),
    incidentes: z.int().nullable().describe('Quantos incidentes o resumo lista; null: não é um resumo.'),
    camera_nome: z.string().nullable(),
    edge_nome: z.string().nullable(),
    criada_em: instanteSchema,
    terminada_em: instanteSchema.nullable(),
    resumo_id: z
      .int()
      .nullable()
      .describe('A entrega cujo resumo levou este aviso; null: ele saiu sozinho, ou ainda não saiu.'),
    erro: z.string().nullable().describe('O da última tentativa que falhou.'),
    erro_em: instanteSchema.nullable(),
  })
  .meta({ id: 'Entrega', description: 'Um aviso a um destino de um canal, nos últimos 30 dias.' })
export type Entrega = z.infer<typeof entregaSchema>

export const MAX_REENVIO = 1_000

export const reenvioSchema = z
  .object({ reenviadas: z.int().describe(`Entregas que voltaram à fila, no máximo ${MAX_REENVIO} de cada vez.`) })
  .meta({ id: 'Reenvio' })
export type Reenvio = z.infer<typeof reenvioSchema>

/** `whsec_…` (Standard Webhooks), only in the answer that creates it; null: not a webhook. */
export const canalCriadoSchema = canalNotificacaoSchema
  .extend({ segredo: z.string().nullable() })
  .meta({ id: 'CanalCriado', description: '`segredo` assina os webhooks (Standard Webhooks) e aparece só aqui.' })
export type CanalCriado = z.infer<typeof canalCriadoSchema>

export const segredoCanalSchema = z
  .object({ segredo: z.string() })
  .meta({ id: 'SegredoCanal', description: 'O novo segredo de assinatura, que aparece só aqui.' })
export type SegredoCanal = z.infer<typeof segredoCanalSchema>

const corpo = {
  /** Also the header `webhook-id`: identical in each attempt of one notification. */
  id: z.uuid(),
  enviado_em: instanteSchema,
  empresa: z.object({ id: z.int(), nome: z.string() }),
  camera: z.object({ id: z.int(), nome: z.string() }).nullable(),
  /** Page of the dashboard; null without VIGIA_URL_PUBLICA. */
  link: z.url().nullable(),
  /** Opens this one picture without a session for seven days; null: no picture, or no VIGIA_URL_PUBLICA. */
  imagem_url: z.url().nullable(),
}

/**
 * Body of a webhook (decisions, Notifications). A `teste` has an invented event with `id` 0, marked in its `veredito`
 * and `detalhes`. A canal with `agrupar` gets `incidente` instead of the kinds of single events, and with
 * `continuacao` `fim` also `incidente.encerrado`. `portao.abrir` opens a gate and must not be obeyed later than 15 s
 * after `enviado_em`. The last kinds report the start or end of a queda, and a state that asks a person to act.
 */
export const corpoWebhookSchema = z.discriminatedUnion('tipo', [
  z.object({ tipo: z.enum(['teste', ...tiposMensagemEvento]), ...corpo, evento: eventoSchema }),
  z.object({ tipo: z.literal('incidente'), ...corpo, ...corpoIncidente }),
  z.object({ tipo: z.literal(tipoMensagemFim), ...corpo, ...corpoFimIncidente }),
  z.object({ tipo: z.literal('resumo'), ...corpo, ...corpoResumo }),
  z.object({ tipo: z.literal(tipoMensagemPortao), ...corpo, ...corpoPortao }),
  z.object({
    tipo: z.enum(tiposMensagemQueda),
    ...corpo,
    edge: z.object({ id: z.int(), nome: z.string() }).nullable(),
    queda: quedaSchema,
  }),
  z.object({ tipo: z.enum(tiposMensagemAviso), ...corpo, ...corpoAviso }),
])
export type CorpoWebhook = z.infer<typeof corpoWebhookSchema>

export const testeCanalSchema = z
  .object({
    ok: z.boolean(),
    /** Portuguese sentences, one per failed destination, without credentials. */
    erros: z.array(z.string()).describe('Um por destino que falhou.'),
    avisos: z.array(z.string()).describe('O que falta para a mensagem sair completa, mesmo com `ok`.'),
  })
  .meta({ id: 'TesteCanal' })
export type TesteCanal = z.infer<typeof testeCanalSchema>
