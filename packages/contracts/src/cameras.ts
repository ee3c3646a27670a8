import { z } from 'zod'
import { agendaSchema } from './agenda.ts'
import { configIaSchema } from './calibracao.ts'
import { linhaSchema, zonasSchema } from './geometria.ts'
import { nomesIas } from './ias.ts'
import { nomesPerfis } from './perfis.ts'
import { credencial, hostSchema, idSchema, instanteSchema, portaSchema, textoCurto } from './values.ts'

/** Channels that a recorder may have, counted from 1. */
export const MAX_CANAIS = 256
export const canalSchema = z.int().min(1).max(MAX_CANAIS)

export const statusCamera = ['online', 'offline', 'desativada'] as const
export type StatusCamera = (typeof statusCamera)[number]

/** A camera is `online` while its last decoded frame is at most this old (decisions, Cameras). */
export const ONLINE_MS = 15_000

/** What an edge's reader takes: blanks and control characters would be copied into the request lines of RTSP. */
export const rtspUrlSchema = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
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
  // What is not a URL because of a reserved character is told so by the next check.
  if (url === null) return hasRawReserved(text) && /^rtsps?:\/\/./i.test(text)
  return (url.protocol === 'rtsp:' || url.protocol === 'rtsps:') && url.hostname !== ''
}

/**
 * An `@` behind the authority, or a fragment: nearly always a password with `/`, `?` or `#` in it, which would send
 * the camera's edge to a host that is a piece of the password.
 */
function hasRawReserved(text: string): boolean {
  const afterAuthority = text.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  return afterAuthority.includes('@') || text.includes('#')
}

const iasSchema = z
  .array(z.enum(nomesIas))
  .max(nomesIas.length)
  .refine((ias) => new Set(ias).size === ias.length, { error: 'IA repetida' })

const instrucoesSchema = z.array(textoCurto(500)).max(20)

/** Mode B (plates); see decisions, Mode B. */
export const modoBConfigSchema = z.strictObject({
  ativo: z.boolean(),
  regiao: zonasSchema.default([]),
  conf_placa: z.number().min(0).max(1).default(0.6),
  permitidas: z.array(textoCurto(10)).max(10_000).default([]),
  bloqueadas: z.array(textoCurto(10)).max(10_000).default([]),
  alertar_desconhecidas: z.boolean().default(false),
})

/** `eventos_habilitados` and `ias_habilitadas` are one field under two names; both sent and different is refused. */
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

/** Either `rtsp_url`, or `gravador_id` and `canal`, from which the addresses are made by the maker's template. */
export const cameraCreateSchema = z
  .object({
    nome: textoCurto(200),
    rtsp_url: rtspUrlSchema.nullish(),
    gravador_id: idSchema.nullish(),
    canal: canalSchema.nullish(),
    sub_rtsp_url: rtspUrlSchema.nullish(),
    empresa_id: idSchema.nullish(),
    edge_id: idSchema.nullish(),
    perfil: z.enum(nomesPerfis).nullish(),
    eventos_habilitados: iasSchema.nullish(),
    ias_habilitadas: iasSchema.nullish(),
  })
  .refine(sameIas, sameIasError)
  .superRefine(({ rtsp_url, sub_rtsp_url, gravador_id, canal }, ctx) => {
    const refuse = (campo: string, message: string, type?: string) =>
      ctx.addIssue({ code: 'custom', path: [campo], message, ...(type && { params: { type } }) })
    if (gravador_id == null) {
      if (canal != null) refuse('canal', 'Diga de qual gravador é o canal (gravador_id)')
      else if (rtsp_url == null) refuse('rtsp_url', 'Campo obrigatório', 'missing')
      return
    }
    if (rtsp_url != null) refuse('rtsp_url', 'Mande rtsp_url, ou gravador_id com canal: não os dois')
    if (sub_rtsp_url != null) refuse('sub_rtsp_url', 'O substream vem do gravador: não o mande com gravador_id')
    if (canal == null) refuse('canal', 'Campo obrigatório', 'missing')
  })
export type CameraCreate = z.infer<typeof cameraCreateSchema>

/** null resets lists, objects and the substream to empty; for the other fields it leaves the value unchanged. */
export const cameraPatchSchema = z
  .strictObject({
    nome: textoCurto(200).nullish(),
    rtsp_url: rtspUrlSchema.nullish(),
    sub_rtsp_url: rtspUrlSchema.nullish(),
    zonas: zonasSchema.nullish(),
    linha: linhaSchema.nullish(),
    eventos_habilitados: iasSchema.nullish(),
    ias_habilitadas: iasSchema.nullish(),
    config_ia: configIaSchema.nullish(),
    agenda: agendaSchema.nullish(),
    ativa: z.boolean().nullish(),
    modo_b_config: modoBConfigSchema.nullish(),
    instrucoes: instrucoesSchema.nullish(),
  })
  .refine(sameIas, sameIasError)
export type CameraPatch = z.infer<typeof cameraPatchSchema>

export const cameraSchema = z.object({
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
  linha: linhaSchema,
  agenda: agendaSchema,
  ativa: z.boolean(),
  modo_b_config: modoBConfigSchema.nullable(),
  instrucoes: z.array(z.string()),
  status: z.enum(statusCamera),
  status_detalhe: z.string().nullable(),
  ultimo_frame_em: instanteSchema.nullable(),
  codec: z.string().nullable(),
  /** Pixels, `1920x1080`. */
  resolucao: z.string().nullable(),
  fps: z.number().nullable(),
  criada_em: instanteSchema,
  atualizada_em: instanteSchema,
})
export type Camera = z.infer<typeof cameraSchema>

export const testarConexaoSchema = z.object({
  host: hostSchema,
  portas: z
    .array(portaSchema)
    .min(1)
    .max(32)
    .refine((portas) => new Set(portas).size === portas.length, { error: 'Porta repetida' }),
  usuario: credencial(200).nullish(),
  senha: credencial(200).nullish(),
  /** Whose edge tries; left out: the caller's own Empresa. */
  empresa_id: idSchema.nullish(),
  /** The edge that stands in the network of the device, where the Empresa has several. */
  edge_id: idSchema.nullish(),
})
export type TestarConexao = z.infer<typeof testarConexaoSchema>

/** One port of a connection test: does it accept a connection, and does RTSP answer there. */
export const portaTestadaSchema = z.object({
  porta: portaSchema,
  tcp: z.boolean(),
  rtsp: z.boolean(),
  /** Portuguese: what was found, or what to do. */
  detalhe: z.string().nullable(),
})
export type PortaTestada = z.infer<typeof portaTestadaSchema>
