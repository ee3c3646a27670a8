import { z } from 'zod'
import { cameraSchema, canalSchema, MAX_CANAIS } from './cameras.ts'
import { GENERICO, ONVIF, valoresFabricante } from './fabricantes.ts'
import { LADO_MAXIMO, LADO_MINIMO } from './pedidos.ts'
import { nomesPerfis } from './perfis.ts'
import { credencial, hostSchema, idSchema, instanteSchema, portaSchema, textoCurto } from './values.ts'

/**
 * URL form of a gravador without a maker table. `{channel}` (or `{channel:02}`) is the canal. `{base}`, or `{host}`,
 * `{port}`, `{user}` and `{pass}`, insert address and credentials.
 */
const urlTemplateSchema = z
  .string()
  .trim()
  .min(1)
  .max(1024)
  .regex(/^(\{base\}|rtsps?:\/\/(\{user\}(:\{pass\})?@)?\{host\}(:\{port\})?)(?=[/?]|$)/, {
    error: 'Comece por {base} ou por rtsp://{host}:{port}, por exemplo {base}/canal{channel}',
  })
  .regex(/^([^\s{}#]|\{(base|host|port|user|pass|channel|channel:02)\})*$/, {
    error: 'Use só {base}, {host}, {port}, {user}, {pass}, {channel} e {channel:02}, sem espaços',
  })

/** Largest declared limit of connections of a gravador. */
export const MAX_CONEXOES = 256
const conexoesSchema = z
  .int()
  .min(1)
  .max(MAX_CONEXOES)
  .nullable()
  .describe('Quantas conexões de vídeo o gravador aceita ao mesmo tempo da Vigia. Nulo: sem limite cadastrado.')

/** Longer side of the picture of a canal in the choice of canais, in pixels. */
const LADO_IMAGEM_CANAL = 480

const acesso = {
  fabricante: z.enum(valoresFabricante),
  /** Only for `generico`. */
  url_template: urlTemplateSchema.nullish(),
  sub_url_template: urlTemplateSchema.nullish(),
  host: hostSchema,
  porta: portaSchema,
  usuario: credencial(200),
  senha: credencial(200),
  porta_rtsp: portaSchema
    .nullish()
    .describe('Só `onvif`: a porta do vídeo, se não for a que o equipamento informa (um roteador a troca).'),
  senha_em_texto: z
    .boolean()
    .nullish()
    .describe(
      'Só `onvif`, em rede privada: a caixa manda a senha em texto ao equipamento, que não aceita outra forma. Quem ' +
        'escuta a rede a lê.',
    ),
}

interface Modelo {
  readonly fabricante: string
  readonly porta_rtsp?: number | null | undefined
  readonly url_template?: string | null | undefined
  readonly sub_url_template?: string | null | undefined
}

/** Only `generico` has a template, and it requires one. Only `onvif` has a port of its own for RTSP. */
function checkTemplate(
  { fabricante, url_template, sub_url_template, porta_rtsp }: Modelo,
  ctx: z.core.$RefinementCtx,
): void {
  const refuse = (campo: string, message: string, type?: string) =>
    ctx.addIssue({ code: 'custom', path: [campo], message, ...(type && { params: { type } }) })
  if (fabricante !== ONVIF && porta_rtsp != null) refuse('porta_rtsp', 'Só o fabricante onvif leva porta_rtsp')
  if (fabricante === GENERICO) {
    if (url_template == null) refuse('url_template', 'Informe o modelo de URL do gravador genérico', 'missing')
    return
  }
  if (url_template != null) refuse('url_template', 'Só o fabricante generico leva url_template')
  if (sub_url_template != null) refuse('sub_url_template', 'Só o fabricante generico leva sub_url_template')
}

const alcance = {
  /** The operator may leave it out: the Empresa may not exist yet. */
  empresa_id: idSchema
    .nullish()
    .describe('Se faltar, a Empresa do login; o operador pode procurar antes de a Empresa existir.'),
  /** The edge in the network of the gravador, if the Empresa has several. */
  edge_id: idSchema.nullish(),
}
const descobrir = z.object({
  ...acesso,
  num_canais: canalSchema,
  ...alcance,
  empresa_id: idSchema.nullable().describe('null: só o operador, que procura antes de a Empresa existir.'),
})
const exemplo = {
  fabricante: 'intelbras',
  host: '192.168.0.10',
  porta: 554,
  usuario: 'admin',
  senha: 'senha-do-gravador',
  num_canais: 16,
  empresa_id: 1,
}
export const descobrirSchema = descobrir.superRefine(checkTemplate).meta({
  id: 'Descobrir',
  description: 'Só o fabricante `generico` leva `url_template`, e precisa dele.',
  examples: [exemplo],
})
export type Descobrir = z.infer<typeof descobrirSchema>

/** One picture of a canal that no camera reads yet. */
export const imagemCanalSchema = z
  .object({
    ...acesso,
    canal: canalSchema,
    ...alcance,
    lado: z.int().min(LADO_MINIMO).max(LADO_MAXIMO).default(LADO_IMAGEM_CANAL).describe('Maior lado, em pixels.'),
  })
  .superRefine(checkTemplate)
  .meta({
    id: 'ImagemCanal',
    description: 'Só o fabricante `generico` leva `url_template`, e precisa dele.',
    examples: [
      {
        fabricante: 'intelbras',
        host: '192.168.0.10',
        porta: 554,
        usuario: 'admin',
        senha: 'senha-do-gravador',
        canal: 1,
        empresa_id: 1,
      },
    ],
  })
export type ImagemCanal = z.infer<typeof imagemCanalSchema>

export const estadosCanal = ['nova', 'já cadastrada', 'vazia'] as const
export const resultadoCanalSchema = z
  .object({
    canal: canalSchema,
    estado: z.enum(estadosCanal),
    codec: z.string().nullable(),
    /** Pixels, `1920x1080`. */
    resolucao: z.string().nullable().describe('Pixels, `1920x1080`.'),
    /** Name of the camera that already uses this canal. */
    nome_camera: z.string().nullable().describe('Da câmera que já está neste canal.'),
    outro_endereco: z
      .string()
      .optional()
      .describe('O gravador manda buscar o canal neste outro equipamento. Cadastre esse endereço.'),
    sem_resposta: z
      .literal(true)
      .optional()
      .describe('Só `vazia`: o gravador não respondeu por este canal; falta em um canal sem vídeo.'),
  })
  .meta({ id: 'ResultadoCanal' })
export type ResultadoCanal = z.infer<typeof resultadoCanalSchema>

/**
 * A canal to register: its number, optionally with its own name and Perfil. An item of a discovery's answer can be sent
 * unchanged: the registration ignores its other fields.
 */
const canalEscolhidoSchema = z
  .union([
    canalSchema,
    z.strictObject({
      ...resultadoCanalSchema.partial().shape,
      canal: canalSchema,
      nome: textoCurto(200).nullish(),
      perfil: z.enum(nomesPerfis).nullish(),
      placas: z.boolean().nullish().describe('Lê placas; um Perfil só não liga.'),
    }),
  ])
  .meta({
    id: 'CanalEscolhido',
    description:
      'O número do canal, só ou com nome e Perfil próprios. Os campos de `ResultadoCanal` podem vir junto, e não ' +
      'mudam nada.',
  })
export type CanalEscolhido = z.infer<typeof canalEscolhidoSchema>
export const numeroDoCanal = (item: CanalEscolhido): number => (typeof item === 'number' ? item : item.canal)

export const cadastrarSchema = descobrir
  .extend({
    empresa_id: idSchema,
    canais: z.array(canalEscolhidoSchema).min(1).max(MAX_CANAIS),
    nome_gravador: z.union([z.literal(''), textoCurto(200)]).default(''),
    perfil: z.enum(nomesPerfis).nullish(),
  })
  .superRefine(checkTemplate)
  .superRefine(({ canais, num_canais }, ctx) => {
    const seen = new Set<number>()
    canais.forEach((item, index) => {
      const canal = numeroDoCanal(item)
      const path = ['canais', index]
      if (seen.has(canal)) ctx.addIssue({ code: 'custom', path, message: `O canal ${canal} está repetido` })
      else if (canal > num_canais)
        ctx.addIssue({ code: 'custom', path, message: `O canal ${canal} passa de num_canais (${num_canais})` })
      seen.add(canal)
    })
  })
  .meta({
    id: 'Cadastrar',
    description:
      'Canais sem repetição, de 1 a `num_canais`. Só o fabricante `generico` leva `url_template`, e precisa dele.',
    examples: [
      {
        ...exemplo,
        canais: [1, { canal: 2, nome: 'Caixas', perfil: 'comercio' }],
        nome_gravador: 'DVR da loja',
        perfil: 'comercio',
      },
    ],
  })
export type Cadastrar = z.infer<typeof cadastrarSchema>

export const resultadoCadastroSchema = z
  .object({
    gravador_id: z.int(),
    cameras_criadas: z.int(),
    cameras_ignoradas: z.int(),
    /** The created cameras. */
    cameras: z.array(cameraSchema).describe('As que foram criadas.'),
    /** Remaining camera limit of the Empresa after this registration. */
    vagas_restantes: z.int().describe('Câmeras que a Empresa ainda pode cadastrar.'),
  })
  .meta({ id: 'ResultadoCadastro' })
export type ResultadoCadastro = z.infer<typeof resultadoCadastroSchema>

/** The second form of registration: only the gravador; its cameras follow with `gravador_id` and `canal`. */
export const gravadorCreateSchema = z
  .object({
    ...acesso,
    nome: z.union([z.literal(''), textoCurto(200)]).default(''),
    num_canais: canalSchema.default(16),
    max_conexoes: conexoesSchema.optional(),
    empresa_id: idSchema.nullish(),
    edge_id: idSchema.nullish(),
  })
  .superRefine(checkTemplate)
  .meta({
    id: 'GravadorCreate',
    description: 'Só o gravador; suas câmeras depois, por `gravador_id` e `canal`.',
    examples: [
      {
        fabricante: 'generico',
        url_template: '{base}/canal{channel}',
        host: '192.168.0.11',
        porta: 554,
        usuario: 'admin',
        senha: 'senha-do-gravador',
        nome: 'NVR do depósito',
        num_canais: 8,
        empresa_id: 1,
      },
    ],
  })
export type GravadorCreate = z.infer<typeof gravadorCreateSchema>

/** `****` in `senha` keeps the stored password. */
export const gravadorPatchSchema = z
  .strictObject({
    host: hostSchema.nullish(),
    porta: portaSchema.nullish(),
    usuario: credencial(200).nullish(),
    senha: credencial(200).nullish(),
    porta_rtsp: portaSchema.nullish().describe('Só `onvif`. null: as câmeras ficam na porta que têm.'),
    senha_em_texto: z.boolean().nullish().describe('Só `onvif`, em rede privada.'),
    nome: z.union([z.literal(''), textoCurto(200)]).nullish(),
    num_canais: canalSchema.nullish(),
    max_conexoes: conexoesSchema.optional(),
  })
  .meta({
    id: 'GravadorPatch',
    description: 'Outra senha, host ou porta passa na hora para todas as câmeras do gravador. `****` mantém a senha.',
    examples: [{ senha: 'outra-senha-do-gravador', nome: 'DVR da loja (térreo)' }],
  })
export type GravadorPatch = z.infer<typeof gravadorPatchSchema>

export const gravadorSchema = z
  .object({
    id: z.int(),
    nome: z.string(),
    empresa_id: z.int(),
    edge_id: z.int().nullable(),
    fabricante: z.enum(valoresFabricante),
    url_template: z.string().nullable(),
    sub_url_template: z.string().nullable(),
    host: z.string(),
    porta: z.int(),
    porta_rtsp: z.int().nullable().describe('Porta do vídeo; null: a que o equipamento informa (ONVIF), ou `porta`.'),
    senha_em_texto: z.boolean().describe('A caixa manda a senha em texto ao equipamento (ONVIF).'),
    usuario: z.string(),
    /** Plain only for administrators, `****` for other logins, empty if there is none. */
    senha: z.string().describe('Às claras só para administradores; `****` para os demais.'),
    num_canais: z.int(),
    max_conexoes: conexoesSchema,
    /** Number of cameras on its canais. */
    cameras: z.int().describe('Quantas câmeras estão em seus canais.'),
    criado_em: instanteSchema,
    atualizado_em: instanteSchema,
  })
  .meta({ id: 'Gravador' })
export type Gravador = z.infer<typeof gravadorSchema>

/** One canal of a stored gravador; the password in the URL is masked. */
export const canalGravadorSchema = z
  .object({
    canal: canalSchema,
    /** Name of its camera, else `Canal 3`. */
    nome: z.string(),
    rtsp_url: z.string(),
    camera_id: z.int().nullable(),
  })
  .meta({ id: 'CanalGravador' })
export type CanalGravador = z.infer<typeof canalGravadorSchema>
