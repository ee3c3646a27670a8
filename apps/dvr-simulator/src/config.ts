import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { VigiaError } from '@vigia/contracts/errors'
import { z } from 'zod'
import { listSchema } from './archive-http/settings.ts'
import { mediaForms } from './onvif/answers.ts'
import { type QuirksInput, quirksSchema } from './quirks.ts'
import { audioKinds } from './rtp/audio.ts'
import type { ChannelFiles, SimulatorOptions } from './simulator.ts'

const footage = (name: string) => fileURLToPath(new URL(`../footage/${name}`, import.meta.url))

/** The default recorder: two H.264 channels with main and sub stream, and one H.265 channel. */
const bundled: readonly ChannelFiles[] = [
  { principal: footage('campus-a-principal.mp4'), sub: footage('campus-a-sub.mp4') },
  { principal: footage('campus-b-principal.mp4'), sub: footage('campus-b-sub.mp4') },
  { principal: footage('campus-c-h265.mp4') },
]

const quirksText = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'não é JSON; exemplo: {"3":"lixo"}' })
      return z.NEVER
    }
  })
  .refine((value) => quirksSchema.safeParse(value).success, 'traz um defeito que não existe; exemplo: {"3":"lixo"}')
  .transform((value) => value as QuirksInput)

/** ArchiveSettings as JSON. */
const archiveText = z.string().transform((text, context) => {
  try {
    return archiveSchema.parse(JSON.parse(text))
  } catch {
    context.addIssue({ code: 'custom', message: 'não descreve gravações; exemplo: {"trechos":[{"inicio":0,"fim":1}]}' })
    return z.NEVER
  }
})
const archiveSchema = z.object({
  trechos: z.array(z.object({ inicio: z.int(), fim: z.int() })),
  fusoMin: z.int().default(0),
  relogioS: z.int().default(0),
  z: z.enum(['utc', 'local']).default('utc'),
  sessoes: z.int().min(1).default(1),
  lista: listSchema.optional(),
})

const limit = z.coerce
  .number('precisa ser um número')
  .int('precisa ser um número inteiro')
  .min(1, 'precisa ser ao menos 1')

const settingsSchema = z.object({
  porta: z.coerce.number('precisa ser um número').int('precisa ser um número inteiro').min(0).max(65_535).default(8554),
  host: z.string().min(1).default('127.0.0.1'),
  autenticacao: z.enum(['md5', 'sha256', 'basic'], 'precisa ser md5, sha256 ou basic').default('md5'),
  canal: z.array(z.string()).optional(),
  audio: z.enum(audioKinds, 'precisa ser pcma, pcmu, aac ou latm').optional(),
  'max-conexoes': limit.optional(),
  'conexoes-401': limit.optional(),
  'bloqueio-apos': limit.optional(),
  'sessao-s': limit.optional(),
  onvif: z.coerce.number('precisa ser um número').int('precisa ser um número inteiro').min(0).max(65_535).optional(),
  'onvif-login': z.enum(['token', 'texto', 'digest'], 'precisa ser token, texto ou digest').default('token'),
  'onvif-relogio': z.coerce.number('precisa ser um número').default(0),
  'onvif-hora-dita': z.coerce.number('precisa ser um número').default(0),
  'onvif-host': z.string().min(1).optional(),
  'onvif-rtsp': z.coerce.number('precisa ser um número').int().min(1).max(65_535).optional(),
  'onvif-nome': z.string().min(1).optional(),
  'onvif-media': z.enum(mediaForms, 'precisa ser 1, sem-encoder ou 2').default('1'),
  ptz: z.boolean().default(false),
  'sem-sincronia': z.boolean().default(false),
  VIGIA_SIM_USUARIO: z.string().min(1, 'está vazio').optional(),
  VIGIA_SIM_SENHA: z.string().optional(),
  VIGIA_SIM_DEFEITOS: quirksText.optional(),
  VIGIA_SIM_GRAVACAO: archiveText.optional(),
})

/**
 * Reads the options from arguments and environment. Throws VigiaError `validacao` with one Portuguese sentence about
 * the invalid setting.
 */
export function readConfig(args: readonly string[], env: NodeJS.ProcessEnv): SimulatorOptions {
  const parsed = settingsSchema.safeParse({ ...readArguments(args), ...env })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = String(issue?.path[0] ?? '')
    const shown = name.startsWith('VIGIA_') ? name : `--${name}`
    throw invalidSetting(`Configuração inválida: ${shown} ${issue?.message ?? ''}.`, parsed.error)
  }
  const { porta, host, autenticacao, canal, audio, onvif, ...e } = parsed.data
  const {
    'max-conexoes': maxConexoes,
    'conexoes-401': conexoes401,
    'bloqueio-apos': bloqueioApos,
    'sessao-s': sessaoExpiraS,
  } = e
  return {
    host,
    porta,
    autenticacao,
    canais: canal?.map(channelFiles) ?? bundled,
    ...(audio !== undefined && { audio }),
    ...(onvif !== undefined && {
      onvif: {
        porta: onvif,
        login: e['onvif-login'],
        relogioS: e['onvif-relogio'],
        horaDitaS: e['onvif-hora-dita'],
        host: e['onvif-host'] ?? host,
        media: e['onvif-media'],
        ...(e['onvif-rtsp'] !== undefined && { rtspDita: e['onvif-rtsp'] }),
        ...(e['onvif-nome'] !== undefined && { nome: e['onvif-nome'] }),
        ptz: e.ptz,
        sincronia: !e['sem-sincronia'],
      },
    }),
    ...(maxConexoes === undefined ? {} : { maxConexoes }),
    ...(conexoes401 === undefined ? {} : { conexoes401 }),
    ...(bloqueioApos === undefined ? {} : { bloqueioApos }),
    ...(sessaoExpiraS === undefined ? {} : { sessaoExpiraS }),
    ...(e.VIGIA_SIM_USUARIO === undefined ? {} : { usuario: e.VIGIA_SIM_USUARIO, senha: e.VIGIA_SIM_SENHA ?? '' }),
    ...(e.VIGIA_SIM_GRAVACAO === undefined ? {} : { gravacao: e.VIGIA_SIM_GRAVACAO }),
    ...(e.VIGIA_SIM_DEFEITOS === undefined ? {} : { defeitos: e.VIGIA_SIM_DEFEITOS }),
  }
}

const invalidSetting = (detalhe: string, cause: unknown) => new VigiaError('validacao', { detalhe, cause })

function readArguments(args: readonly string[]) {
  const string = { type: 'string' } as const
  try {
    const options = {
      porta: string,
      host: string,
      autenticacao: string,
      canal: { ...string, multiple: true },
      audio: string,
      'max-conexoes': string,
      'conexoes-401': string,
      'bloqueio-apos': string,
      'sessao-s': string,
      onvif: string,
      'onvif-login': string,
      'onvif-relogio': string,
      'onvif-hora-dita': string,
      'onvif-host': string,
      'onvif-rtsp': string,
      'onvif-nome': string,
      'onvif-media': string,
      ptz: { type: 'boolean' },
      'sem-sincronia': { type: 'boolean' },
    } as const
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    const usage = '--porta 8554 --host 127.0.0.1 --autenticacao md5 --canal principal.mp4,sub.mp4'
    throw invalidSetting(`Argumento desconhecido ou incompleto. Uso: ${usage}`, error)
  }
}

/** `principal[,sub]`; an empty string declares an empty channel. */
function channelFiles(text: string): ChannelFiles {
  const [principal = '', sub = ''] = text.split(',').map((part) => part.trim())
  if (principal === '') return null
  return sub === '' ? { principal } : { principal, sub }
}
