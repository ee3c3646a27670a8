import { z } from 'zod'
import { agendaSchema } from './agenda.ts'
import { configIaSchema } from './calibracao.ts'
import { geometriaSchema, linhaSchema, nomesZonasSchema, zonasNovasSchema, zonasSchema } from './geometria.ts'
import { horariosSchema } from './horarios.ts'
import { type NomeIa, nomesIas } from './ias.ts'
import { exemploIas, nomesPerfis } from './perfis.ts'
import { placaSchema } from './placas.ts'
import { hasPlaca } from './plates-ia.ts'
import { portaoSchema } from './portao.ts'
import { transporteSchema } from './transporte.ts'
import { credencial, hostSchema, idSchema, instanteSchema, portaSchema, textoCurto } from './values.ts'
import { direcoesPassagem } from './veiculos.ts'

/** Largest canal of a gravador, counted from 1. */
export const MAX_CANAIS = 256
export const canalSchema = z.int().min(1).max(MAX_CANAIS)

export const statusCamera = ['online', 'offline', 'desativada'] as const
export type StatusCamera = (typeof statusCamera)[number]

/** Largest age of the last decoded frame of an `online` camera (decisions, Cameras). */
export const ONLINE_MS = 15_000

/** URLs that an edge can open. Blanks and control characters would be copied into the request lines of RTSP. */
export const rtspUrlSchema = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern rejects control characters
  .regex(/^[^\s\u0000-\u001f\u007f]*$/, {
    error: 'Não use espaço nem quebra de linha; em senha ou caminho, escreva %20',
  })
  .refine(isRtspUrl, {
    error: 'Use uma URL rtsp:// ou rtsps:// com endereço, por exemplo rtsp://usuario:senha@192.168.0.10:554/caminho',
  })
  .refine((text) => !hasRawReserved(text), {
    error: 'Na senha e no caminho, escreva @ como %40, / como %2F, ? como %3F e # como %23',
  })

function isRtspUrl(text: string): boolean {
  const url = URL.parse(text)
  // A URL with a misplaced reserved character passes here; the next check reports it.
  if (url === null) return hasRawReserved(text) && /^rtsps?:\/\/./i.test(text)
  return (url.protocol === 'rtsp:' || url.protocol === 'rtsps:') && url.hostname !== ''
}

/**
 * Whether an `@` follows the authority, or the URL has a fragment. The usual cause is a password with `/`, `?` or `#`.
 * The edge would then connect to a host that is a part of the password.
 */
function hasRawReserved(text: string): boolean {
  const afterAuthority = text.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  return afterAuthority.includes('@') || text.includes('#')
}

export const iasSchema = z
  .array(z.enum(nomesIas))
  .max(nomesIas.length)
  .refine((ias) => new Set(ias).size === ias.length, { error: 'IA repetida' })

const instrucoesSchema = z.array(textoCurto(500)).max(20)

/** Plates of `permitidas` and `bloqueadas` together. The lists of the Empresa (placas.ts) hold the others. */
const MAX_PLACAS_CAMERA = 200

/** Roles of a camera at the gate of its `local`. */
export const papeisCamera = ['entrada', 'saida', 'ambos', 'nenhum'] as const

/** Settings of plates. */
export const modoBConfigSchema = z
  .strictObject({
    ativo: z.boolean(),
    regiao: zonasNovasSchema.default([]).describe('Onde os veículos contam; vazio: o quadro inteiro.'),
    conf_placa: z.number().min(0).max(1).default(0.8).describe('Abaixo disto a passagem fica sem placa.'),
    permitidas: z.array(placaSchema).max(MAX_PLACAS_CAMERA).default([]).describe('Só para esta câmera.'),
    bloqueadas: z.array(placaSchema).max(MAX_PLACAS_CAMERA).default([]).describe('Só para esta câmera.'),
    alertar_desconhecidas: z.boolean().default(false),
    alertar_permitidas: z.boolean().default(false),
    local: textoCurto(80).nullable().default(null).describe('Nome do local que esta câmera guarda.'),
    papel: z.enum(papeisCamera).default('nenhum'),
    portao: portaoSchema.nullable().default(null).describe('null: nenhum portão se abre por placa.'),
    sentido_entrada: z
      .enum(direcoesPassagem)
      .nullable()
      .default(null)
      .describe('Com papel `ambos`: a direção pela linha que é entrada.'),
  })
  .superRefine(({ permitidas, bloqueadas, papel, local, sentido_entrada }, ctx) => {
    const refuse = (path: (string | number)[], message: string) => ctx.addIssue({ code: 'custom', path, message })
    const allowed = new Set(permitidas)
    const index = bloqueadas.findIndex((placa) => allowed.has(placa))
    if (index >= 0) refuse(['bloqueadas', index], 'Esta placa está também em permitidas')
    if (permitidas.length + bloqueadas.length > MAX_PLACAS_CAMERA)
      refuse(
        ['bloqueadas'],
        `No máximo ${MAX_PLACAS_CAMERA} placas por câmera; as outras vão nas listas da Empresa (Placas)`,
      )
    if (papel !== 'nenhum' && local === null) refuse(['local'], 'Diga o nome do local que a câmera guarda')
    if (papel === 'ambos' && sentido_entrada === null)
      refuse(['sentido_entrada'], 'Diga qual direção pela linha é a entrada')
  })
  .meta({ id: 'ModoBConfig', description: 'Leitura de placas.' })
export type ModoBConfig = z.infer<typeof modoBConfigSchema>

/** `eventos_habilitados` and `ias_habilitadas` are one field under two names; different values are rejected. */
const sameIas = (body: {
  eventos_habilitados?: readonly string[] | null | undefined
  ias_habilitadas?: readonly string[] | null | undefined
}) =>
  body.eventos_habilitados == null ||
  body.ias_habilitadas == null ||
  JSON.stringify([...body.eventos_habilitados].sort()) === JSON.stringify([...body.ias_habilitadas].sort())
const sameIasError = {
  path: ['ias_habilitadas'],
  error: 'eventos_habilitados e ias_habilitadas são o mesmo campo: mande só um',
}

/** Whether IAs and `ativo` of plates name one state, as far as both are in the request. */
const samePlates = (ias: readonly NomeIa[] | null | undefined, ativo: boolean | undefined) =>
  ias === undefined || ativo === undefined || hasPlaca(ias ?? []) === ativo

const SAME_PLATES = 'Placa em eventos_habilitados e este campo são a mesma coisa: mande só um, ou os dois iguais'

/** Either `rtsp_url`, or `gravador_id` and `canal`, from which the maker's template builds the addresses. */
export const cameraCreateSchema = z
  .object({
    nome: textoCurto(200),
    rtsp_url: rtspUrlSchema
      .nullish()
      .describe('rtsp:// ou rtsps://; na senha e no caminho, `@` é `%40`, `/` é `%2F`, `?` é `%3F` e `#` é `%23`.'),
    gravador_id: idSchema.nullish().describe('Os endereços vêm do modelo do fabricante.'),
    canal: canalSchema.nullish(),
    sub_rtsp_url: rtspUrlSchema.nullish(),
    empresa_id: idSchema.nullish().describe('Se faltar, a do login; o operador precisa dizer.'),
    edge_id: idSchema.nullish().describe('Se faltar, a caixa da Empresa com menos câmeras.'),
    perfil: z.enum(nomesPerfis).nullish().describe('Aplica as IAs, a calibração e a Agenda desse Perfil.'),
    eventos_habilitados: iasSchema.nullish().describe('IAs ligadas, sem repetição.'),
    ias_habilitadas: iasSchema.nullish().describe('O mesmo campo com outro nome: mande um só.'),
    placas: z.boolean().nullish().describe('Lê placas; um Perfil só não liga.'),
  })
  .refine(sameIas, sameIasError)
  .refine(
    ({ eventos_habilitados, ias_habilitadas, placas }) =>
      samePlates(eventos_habilitados ?? ias_habilitadas ?? undefined, placas ?? undefined),
    { path: ['placas'], error: SAME_PLATES },
  )
  .superRefine(({ rtsp_url, sub_rtsp_url, gravador_id, canal }, ctx) => {
    const refuse = (campo: string, message: string, type?: string) =>
      ctx.addIssue({ code: 'custom', path: [campo], message, ...(type && { params: { type } }) })
    if (gravador_id == null) {
      if (canal != null) refuse('canal', 'Diga de qual gravador é o canal (gravador_id)')
      else if (rtsp_url == null) refuse('rtsp_url', 'Campo obrigatório', 'missing')
      return
    }
    if (rtsp_url != null) refuse('rtsp_url', 'Mande rtsp_url, ou gravador_id com canal: não os dois')
    if (sub_rtsp_url != null) refuse('sub_rtsp_url', 'O fluxo secundário vem do gravador: não o mande com gravador_id')
    if (canal == null) refuse('canal', 'Campo obrigatório', 'missing')
  })
  .meta({
    id: 'CameraCreate',
    description: '`rtsp_url`, ou `gravador_id` com `canal`: um dos dois, não ambos.',
    examples: [
      {
        nome: 'Portão da frente',
        rtsp_url: 'rtsp://admin:senha-do-gravador@192.168.0.10:554/cam/realmonitor?channel=1&subtype=0',
        sub_rtsp_url: 'rtsp://admin:senha-do-gravador@192.168.0.10:554/cam/realmonitor?channel=1&subtype=1',
        empresa_id: 1,
        perfil: 'residencia',
      },
      { nome: 'Estoque', gravador_id: 1, canal: 3, empresa_id: 1, eventos_habilitados: exemploIas.comuns },
    ],
  })
export type CameraCreate = z.infer<typeof cameraCreateSchema>

/** null empties lists, objects and the substream; other fields ignore null. */
export const cameraPatchSchema = z
  .strictObject({
    nome: textoCurto(200).nullish(),
    rtsp_url: rtspUrlSchema.nullish().describe('Com `****` no lugar da senha, a senha guardada fica.'),
    sub_rtsp_url: rtspUrlSchema.nullish(),
    zonas: zonasNovasSchema.nullish(),
    linha: linhaSchema.nullish(),
    eventos_habilitados: iasSchema.nullish(),
    ias_habilitadas: iasSchema.nullish().describe('O mesmo que eventos_habilitados: mande um só.'),
    config_ia: configIaSchema.nullish(),
    agenda: agendaSchema.nullish(),
    ativa: z.boolean().nullish(),
    modo_b_config: modoBConfigSchema.nullish(),
    instrucoes: instrucoesSchema.nullish(),
  })
  .refine(sameIas, sameIasError)
  .refine(
    ({ eventos_habilitados: ias, ias_habilitadas: same, modo_b_config: plates }) =>
      samePlates(
        ias === undefined ? same : (ias ?? same ?? null),
        plates === undefined ? undefined : (plates?.ativo ?? false),
      ),
    { path: ['modo_b_config', 'ativo'], error: SAME_PLATES },
  )
  .meta({
    id: 'CameraPatch',
    description:
      'Muda só os campos enviados. null esvazia listas, objetos e o fluxo secundário; nos demais, não muda nada.',
    examples: [
      {
        nome: 'Portão lateral',
        zonas: [
          [0.1, 0.2],
          [0.9, 0.2],
          [0.5, 0.9],
        ],
        linha: [
          [0.1, 0.5],
          [0.9, 0.5],
        ],
        eventos_habilitados: exemploIas.perimetro,
        config_ia: { [exemploIas.perimetro[0]]: { conf: 0.6, min_quadros: 4 } },
        agenda: { [exemploIas.perimetro[0]]: { inicio: 22, fim: 6, dias: [0, 1, 2, 3, 4] } },
        instrucoes: ['Ignore o cachorro da casa'],
        ativa: true,
      },
    ],
  })
export type CameraPatch = z.infer<typeof cameraPatchSchema>

/** Longest silence of a camera, minutes. */
const MAX_SILENCIO_MIN = 60

export const silencioSchema = z
  .object({
    ate: instanteSchema,
    /** Login or API key that silenced the camera. */
    por: z.string().describe('O login que silenciou, ou o nome da chave.'),
  })
  .meta({ id: 'Silencio', description: 'Sem som e sem avisos desta câmera até `ate`.' })
export type Silencio = z.infer<typeof silencioSchema>

export const silenciarSchema = z
  .object({ minutos: z.int().min(0).max(MAX_SILENCIO_MIN).describe('A partir de agora; 0 encerra o silêncio.') })
  .meta({ id: 'Silenciar', examples: [{ minutos: 15 }] })
export type Silenciar = z.infer<typeof silenciarSchema>

export const cameraSchema = z
  .object({
    id: z.int(),
    nome: z.string(),
    empresa_id: z.int(),
    edge_id: z.int().nullable(),
    gravador_id: z.int().nullable(),
    canal: z.int().nullable(),
    /** Password shown as `****`. */
    rtsp_url: z.string(),
    sub_rtsp_url: z.string().nullable(),
    perfil: z.enum(nomesPerfis).nullable(),
    eventos_habilitados: z.array(z.enum(nomesIas)),
    ias_habilitadas: z.array(z.enum(nomesIas)),
    config_ia: configIaSchema,
    zonas: zonasSchema,
    nomes_zonas: nomesZonasSchema.describe('Um por polígono; null: sem nome.'),
    linha: linhaSchema,
    imagem_inteira: geometriaSchema.shape.imagem_inteira,
    mascaras: zonasSchema.describe('Máscaras de privacidade, na forma de `zonas`; vazio: sem máscara.'),
    gravacao_continua: z.boolean().describe('A caixa grava o fluxo secundário no disco dela.'),
    audio: z.boolean().describe('O som da câmera sai da caixa, ao vivo e nos clipes.'),
    transporte: transporteSchema.describe('Como o vídeo vai à caixa.'),
    agenda: agendaSchema,
    horarios: horariosSchema.describe('As janelas inteiras, de que `agenda` mostra uma só por IA.'),
    ativa: z.boolean(),
    modo_b_config: modoBConfigSchema.nullable(),
    instrucoes: z.array(z.string()),
    status: z.enum(statusCamera).describe('online: um quadro foi decodificado nos últimos 15 segundos.'),
    status_detalhe: z.string().nullable().describe('Por que não está online.'),
    ultimo_frame_em: instanteSchema.nullable(),
    codec: z.string().nullable(),
    /** Pixels, `1920x1080`. */
    resolucao: z.string().nullable().describe('Pixels, `1920x1080`.'),
    fps: z.number().nullable(),
    quadro_chave_s: z.number().nullable().describe('De quantos em quantos segundos vem um quadro inteiro.'),
    sem_quadro_chave_s: z
      .number()
      .nullable()
      .describe('Segundos desde o último quadro inteiro, no último relato; null: a câmera não está sendo lida.'),
    taxa_kbps: z.number().nullable().describe('Taxa do vídeo analisado, em kbit/s.'),
    silencio: silencioSchema.nullable().describe('null: a câmera não está silenciada.'),
    criada_em: instanteSchema,
    atualizada_em: instanteSchema,
  })
  .meta({ id: 'Camera', description: 'Senhas em URLs aparecem como `****`.' })
export type Camera = z.infer<typeof cameraSchema>

export const testarConexaoSchema = z
  .object({
    host: hostSchema,
    portas: z
      .array(portaSchema)
      .min(1)
      .max(32)
      .refine((portas) => new Set(portas).size === portas.length, { error: 'Porta repetida' })
      .describe('Até 32, sem repetição.'),
    usuario: credencial(200).nullish(),
    senha: credencial(200).nullish(),
    /** Empresa of the edge that runs the test; default: the caller's own. */
    empresa_id: idSchema.nullish().describe('De quem é a caixa que testa; se faltar, a do login.'),
    /** The edge in the network of the device, if the Empresa has several. */
    edge_id: idSchema.nullish().describe('Onde há várias caixas, a que está na rede do equipamento.'),
  })
  .meta({
    id: 'TestarConexao',
    description: 'O teste é feito pela caixa, na rede da Empresa.',
    examples: [
      { host: '192.168.0.10', portas: [554, 37777], usuario: 'admin', senha: 'senha-do-gravador', empresa_id: 1 },
    ],
  })
export type TestarConexao = z.infer<typeof testarConexaoSchema>

/** One port of a connection test: whether it accepts a connection, and whether RTSP answers. */
export const portaTestadaSchema = z
  .object({
    porta: portaSchema,
    tcp: z.boolean().describe('A porta aceita conexão.'),
    rtsp: z.boolean().describe('Há RTSP nela.'),
    /** Portuguese: the finding or the remedy. */
    detalhe: z.string().nullable(),
  })
  .meta({ id: 'PortaTestada' })
export type PortaTestada = z.infer<typeof portaTestadaSchema>
