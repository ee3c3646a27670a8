import { statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { type AllowedCidrs, parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { HTTP_PORTS } from '@vigia/rtsp/archive/list-recorded'
import { z } from 'zod'
import type { FfmpegCameras } from './supervisor/rtsp-clients.ts'
import type { EdgeTelemetrySettings } from './telemetry/telemetry.ts'

export interface EdgeConfig {
  readonly dataDir: string
  readonly cloudUrl: string
  /** The one-time activation code, or the file that will contain it; without both only an existing identity works. */
  readonly activation: { readonly code: string | null; readonly file: string | null }
  readonly outboxMaxBytes: number
  /** Free space that the outbox leaves to other data on its disk. */
  readonly outboxReserveBytes: number
  /** Largest size of all clips on the disk. */
  readonly clipsMaxBytes: number
  /** Folder for the recordings of cameras; null: beside the other data. */
  readonly recordingFolder: string | null
  /** Networks that probes may reach although the address policy refuses them; for development. */
  readonly probeAllowed: AllowedCidrs
  /** Whether a person may start a scan of the networks of this machine. */
  readonly networkScan: boolean
  /** Folder with manifests of the installer's models, which replace the built-in ones; null: only the built-in ones. */
  readonly modelFolder: string | null
  /** Whether the main stream of a camera is opened for single pictures of an event. */
  readonly mainPictures: boolean
  /** Cameras whose streams are read by FFmpeg's RTSP client instead of the own one. */
  readonly ffmpegCameras: FfmpegCameras
  /** Rate of the uplink of the site in Mbit/s, for live video; null: measured. */
  readonly uplinkMbits: number | null
  /** HTTP ports of recorders, in the order in which they are tried. */
  readonly recorderPorts: readonly number[]
  readonly telemetry: EdgeTelemetrySettings
  readonly logLevel: string
  /** Sentences about settings without effect, for the log. */
  readonly notices: readonly string[]
}

const text = z.string().trim().min(1).optional().catch(undefined)

const networks = z.string().transform((value, context): AllowedCidrs => {
  try {
    return parseAllowedCidrs(value)
  } catch {
    context.addIssue({ code: 'custom' })
    return z.NEVER
  }
})

const CLIENT_SYNTAX =
  'Configuração inválida: VIGIA_RTSP_FFMPEG deve ter os números das câmeras separados por vírgulas, ' +
  'por exemplo 12,57, ou a palavra todas.'

/** `todas`, or the numbers of cameras. */
const cameras = z.string().transform((value, context): FfmpegCameras => {
  if (/^\s*(todas|all)\s*$/i.test(value)) return 'todas'
  const parts = value.split(',').map((part) => part.trim())
  const ids = parts.map(Number)
  if (parts.every((part) => /^\d+$/.test(part)) && ids.every((id) => Number.isSafeInteger(id) && id > 0))
    return new Set(ids)
  context.addIssue({ code: 'custom', message: CLIENT_SYNTAX })
  return z.NEVER
})

const ports = z
  .string()
  .transform((value) => value.split(',').map(Number))
  .pipe(z.array(z.int().min(1).max(65_535)).min(1).max(4))

const environment = z.object({
  VIGIA_DATA_DIR: text.transform((value) => value ?? './data'),
  VIGIA_EDGE_DATA_DIR: text,
  VIGIA_CLOUD_URL: z.url({ protocol: /^https?$/ }).default('http://127.0.0.1:8080'),
  VIGIA_ATIVACAO_CODIGO: text,
  VIGIA_ATIVACAO_ARQUIVO: text,
  VIGIA_OUTBOX_MAX_MB: z.coerce.number().int().min(1).max(1_000_000).default(2048),
  VIGIA_OUTBOX_RESERVA_MB: z.coerce.number().int().min(0).max(1_000_000).default(512),
  VIGIA_CLIPES_MAX_MB: z.coerce.number().int().min(0).max(1_000_000).default(4096),
  VIGIA_GRAVACAO_PASTA: text,
  VIGIA_SONDAGEM_PERMITIR: networks.prefault(''),
  VIGIA_VARREDURA: z.enum(['0', '1']).default('1'),
  VIGIA_MODELOS: text,
  VIGIA_IMAGEM_PRINCIPAL: z.enum(['0', '1']).default('1'),
  VIGIA_RTSP_FFMPEG: cameras.optional(),
  VIGIA_GRAVADOR_PORTAS: ports.prefault(HTTP_PORTS.join(',')),
  VIGIA_ENVIO_MBITS: z.coerce.number().min(0.1).max(10_000).optional(),
  VIGIA_EDGE_METRICAS_PORTA: z.coerce.number().int().min(0).max(65_535).optional(),
  // Credentials in the URL would reach logs.
  VIGIA_EDGE_OTEL_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !/[?#@]/.test(url))
    .optional(),
  VIGIA_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

/**
 * Reads the settings of this process. Throws VigiaError `validacao` that names the invalid settings without their
 * values.
 */
export function readConfig(env: NodeJS.ProcessEnv): EdgeConfig {
  // Service files leave unset settings empty.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(set)
  if (!parsed.success) {
    const client = parsed.error.issues.find(({ message }) => message === CLIENT_SYNTAX)
    if (client) throw new VigiaError('validacao', { detalhe: CLIENT_SYNTAX })
    const names = [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))].join(', ')
    throw new VigiaError('validacao', { detalhe: `Configuração inválida: confira ${names}.` })
  }
  const values = parsed.data
  const config: EdgeConfig = {
    dataDir: values.VIGIA_EDGE_DATA_DIR ?? join(values.VIGIA_DATA_DIR, 'edge'),
    cloudUrl: values.VIGIA_CLOUD_URL,
    activation: { code: values.VIGIA_ATIVACAO_CODIGO ?? null, file: values.VIGIA_ATIVACAO_ARQUIVO ?? null },
    outboxMaxBytes: values.VIGIA_OUTBOX_MAX_MB * 1024 * 1024,
    outboxReserveBytes: values.VIGIA_OUTBOX_RESERVA_MB * 1024 * 1024,
    clipsMaxBytes: values.VIGIA_CLIPES_MAX_MB * 1024 * 1024,
    modelFolder: folderOf('VIGIA_MODELOS', values.VIGIA_MODELOS),
    recordingFolder: folderOf('VIGIA_GRAVACAO_PASTA', values.VIGIA_GRAVACAO_PASTA),
    mainPictures: values.VIGIA_IMAGEM_PRINCIPAL === '1',
    probeAllowed: values.VIGIA_SONDAGEM_PERMITIR,
    networkScan: values.VIGIA_VARREDURA === '1',
    ffmpegCameras: values.VIGIA_RTSP_FFMPEG ?? new Set(),
    notices: noticesOf(set),
    uplinkMbits: values.VIGIA_ENVIO_MBITS ?? null,
    recorderPorts: values.VIGIA_GRAVADOR_PORTAS,
    telemetry: {
      metricsPort: values.VIGIA_EDGE_METRICAS_PORTA ?? null,
      otelUrl: values.VIGIA_EDGE_OTEL_URL ?? null,
    },
    logLevel: values.VIGIA_LOG_LEVEL,
  }
  // Not enumerable: printing the settings must not print the code.
  Object.defineProperty(config, 'toJSON', {
    value: () => ({ ...config, activation: { ...config.activation, code: config.activation.code && '***' } }),
  })
  return Object.freeze(config)
}

/** A box that updates itself must not stay off because of a setting that has no effect any more. */
function noticesOf(set: NodeJS.ProcessEnv): string[] {
  if (set.VIGIA_RTSP_PROPRIO === undefined) return []
  return [
    'VIGIA_RTSP_PROPRIO não tem mais efeito: o cliente RTSP próprio já lê todas as câmeras. Apague esta linha. ' +
      'Para ler uma câmera com o cliente do FFmpeg, use VIGIA_RTSP_FFMPEG com o número dela.',
  ]
}

/** Checked at the start, because a mistyped folder would otherwise only show as missing models or recordings. */
function folderOf(setting: string, path: string | undefined): string | null {
  if (path === undefined) return null
  if (isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path
  throw new VigiaError('validacao', {
    detalhe: `Configuração inválida: ${setting} deve ser o caminho completo de uma pasta que existe.`,
  })
}
