import { statSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { totalmem } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import { z } from 'zod'
import { canBeBasePath } from './adapters/base-path.ts'
import { mediaEnv, mediaProblem, mediaValues, type S3Settings } from './adapters/media-store/settings.ts'
import { Secret } from './adapters/secret.ts'
import { allowedNetworks, type SenderValues, senderEnv, senderValues } from './adapters/senders/settings.ts'
import { type VerifierValues, verifierEnv, verifierProblem, verifierValues } from './adapters/verifier/settings.ts'
import { DEFAULT_BUDGET, type EventoBudget } from './domains/operacao/ingestao/evento-budget.ts'
import { type IngestRates, ratesFor } from './domains/operacao/ingestao/ingest-turns.ts'
import type { TelemetrySettings } from './telemetry/telemetry.ts'

const booleano = z
  .enum(['', '0', '1', 'false', 'true'], { error: 'use true ou false' })
  .default('')
  .transform((text) => text === '1' || text === 'true')
const secret = (minimo: number) =>
  z
    .string()
    .min(minimo, { error: `use pelo menos ${minimo} caracteres` })
    .transform((text) => new Secret(text))
    .optional()

const chave = z
  .base64({ error: 'use 32 bytes em base64' })
  .refine((text) => Buffer.from(text, 'base64').length === 32, { error: 'use 32 bytes em base64' })
  .transform((text) => new Secret(text))

const banco = z
  .url({ protocol: /^postgres(ql)?$/, error: 'use uma URL postgres://usuario:senha@servidor/banco' })
  .transform((text) => new Secret(text))

const megabytes = (standard: number) =>
  z.coerce
    .number({ error: 'use um número de MB' })
    .int({ error: 'use um número inteiro de MB' })
    .min(0)
    .max(1_000_000_000)
    .default(standard)

const perSecond = (standard: number) =>
  z.coerce
    .number({ error: 'use um número por segundo' })
    .int({ error: 'use um número inteiro por segundo' })
    .min(1)
    .max(1_000_000)
    .default(standard)

const mqttUrl = z.url({ protocol: /^mqtts?$/, error: 'use uma URL mqtts://host:porta' })

const otelUrl = z
  .url({ protocol: /^https?$/, error: 'use uma URL http://servidor:4318' })
  .refine((url) => !/[?#@]/.test(url), { error: 'use uma URL http://servidor:4318, sem usuário nem senha' })

const PUBLIC_URL_FORM = 'use uma URL https://servidor ou https://servidor/caminho, sem um caminho da própria central'
const basePathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '')

const MB = 1024 * 1024
const LEAST_LIVE_BYTES = 64 * MB
const porMinuto = z.coerce.number({ error: 'use um número' }).int().min(1).max(100_000)

const envSchema = z.object({
  PORT: z.coerce.number({ error: 'use um número de porta' }).int().min(0).max(65_535).default(8080),
  VIGIA_HOST: z.string().min(1).default('127.0.0.1'),
  VIGIA_DATA_DIR: z.string().min(1).default('./data'),
  VIGIA_BANCO: banco.optional(),
  VIGIA_BANCO_ESCUTA: banco.optional(),
  VIGIA_REPLICA_URL: z.url({ protocol: /^https?$/, error: 'use uma URL http://servidor:porta' }).optional(),
  VIGIA_DRENAGEM_S: z.coerce.number({ error: 'use um número de segundos' }).int().min(0).max(600).optional(),
  VIGIA_BANCO_COMANDO_S: z.coerce.number({ error: 'use um número de segundos' }).int().min(1).max(3_600).default(30),
  VIGIA_BANCO_CONEXOES: z.coerce.number({ error: 'use um número' }).int().min(2).max(500).default(10),
  // Metrics of the program: on a port of its own, and only if this is set.
  VIGIA_METRICAS_PORTA: z.coerce.number({ error: 'use um número de porta' }).int().min(0).max(65_535).optional(),
  VIGIA_METRICAS_HOST: z.string().min(1).default('127.0.0.1'),
  VIGIA_OTEL_URL: otelUrl.optional(),
  VIGIA_MQTT_URL: mqttUrl.default('mqtts://127.0.0.1:8883'),
  VIGIA_MQTT_URL_EDGES: mqttUrl.optional(),
  VIGIA_ADMIN_USERNAME: z.string().trim().min(1).max(200).default('admin'),
  VIGIA_ADMIN_PASSWORD: secret(8),
  VIGIA_CHAVE: chave.optional(),
  VIGIA_CHAVE_ANTERIOR: z
    .string()
    .transform((text) => text.split(',').flatMap((part) => part.trim() || []))
    .pipe(z.array(chave))
    .default([]),
  VIGIA_COOKIE_SECURE: booleano,
  VIGIA_SESSAO_MAX_H: z.coerce.number({ error: 'use um número de horas' }).int().min(1).max(720).default(12),
  VIGIA_DOMINIO_NEUTRO: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/, { error: 'use um nome de domínio, sem https:// nem porta' })
    .optional(),
  VIGIA_URL_PUBLICA: z
    .url({ protocol: /^https?$/, error: PUBLIC_URL_FORM })
    .refine((url) => canBeBasePath(basePathOf(url)) && !/[?#@]/.test(url), { error: PUBLIC_URL_FORM })
    .transform((url) => new URL(url).origin + basePathOf(url))
    .optional(),
  VIGIA_PROXY_CONFIAVEL: z.string().default('127.0.0.0/8,::1/128'),
  VIGIA_PAINEL_DIR: z.string().min(1).optional(),
  // The folder is checked at the start, because a wrong one would only show in missing models.
  VIGIA_MODELOS: z
    .string()
    .refine((path) => isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory(), {
      error: 'use o caminho completo de uma pasta que existe',
    })
    .optional(),
  VIGIA_EDGE_LOCAL: booleano,
  VIGIA_REGISTROS_SEGUNDO_EDGE: perSecond(1000),
  VIGIA_KB_SEGUNDO_EDGE: perSecond(4096),
  VIGIA_DISCO_AVISO_MB: megabytes(1024),
  VIGIA_DISCO_MINIMO_MB: megabytes(64),
  VIGIA_COMECAR_DE_NOVO: booleano,
  VIGIA_SONDAGEM_PERMITIR: allowedNetworks,
  VIGIA_AO_VIVO_MEMORIA_MB: z.coerce
    .number({ error: 'use um número de MB' })
    .int({ error: 'use um número inteiro de MB' })
    .min(64)
    .max(1_000_000)
    .optional(),
  VIGIA_VERIFICACAO_ATRASO_S: z.coerce
    .number({ error: 'use um número de segundos' })
    .int()
    .min(1)
    .max(86_400)
    .default(120),
  VIGIA_EVENTOS_MINUTO_CAMERA: porMinuto.default(DEFAULT_BUDGET.perCamera),
  VIGIA_EVENTOS_MINUTO_EDGE: porMinuto.default(DEFAULT_BUDGET.perEdge),
  VIGIA_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace'], {
      error: 'use fatal, error, warn, info, debug ou trace',
    })
    .default('info'),
  ...mediaEnv,
  ...senderEnv,
  ...verifierEnv,
})

export interface Config {
  /** 0: any free port. */
  readonly port: number
  readonly host: string
  /** Absolute; this process keeps its own files in `cloud/` below it. */
  readonly dataDir: string
  readonly cloudDir: string
  /** `postgres://` URL of the database; null: SQLite in the data folder. */
  readonly banco: Secret | null
  /** URL for LISTEN, without a pooler; null: that of the database. */
  readonly bancoEscuta: Secret | null
  /** Address at which other replicas reach this one; null: live video stays on the replica of its upload. */
  readonly replicaUrl: string | null
  /** Time between the end of the readiness and the stop, in which a load balancer finds other replicas. */
  readonly drenagemMs: number
  /** Largest number of connections of this process to PostgreSQL. */
  readonly bancoConexoes: number
  /** Longest duration of one statement on PostgreSQL. */
  readonly bancoComandoMs: number
  /** Object store of pictures and clips; null: the data folder. */
  readonly midia: S3Settings | null
  readonly mqttUrl: string
  /** Broker URL for activated edges. */
  readonly mqttUrlEdges: string
  readonly admin: { readonly username: string; readonly password: Secret | null }
  /** Encryption key for stored secrets (32 bytes, base64); null: the key file of the data folder. */
  readonly chave: Secret | null
  /** Earlier keys: secrets that they sealed are opened, and sealed again with `chave` at the start. */
  readonly chavesAnteriores: readonly Secret[]
  readonly cookieSecure: boolean
  /** Longest time from a sign-in to the end of its session, with renewals, ms. */
  readonly sessaoMaxMs: number
  /** Lower-case host name that accepts every login; null: sessions are not bound to hosts. */
  readonly dominioNeutro: string | null
  /** Public origin of this installation (`https://host`, no final slash); null: that of the request. */
  /** Without a final slash. */
  readonly urlPublica: string | null
  /** Path of `urlPublica`, below which all addresses are; empty: none. */
  readonly basePath: string
  /** Peers whose X-Forwarded-* headers are trusted. */
  readonly trustedProxies: BlockList
  /** The built dashboard. */
  readonly painelDir: string
  /** Folder with manifests of custom models for the verifier; null: those of the product. */
  readonly modelosDir: string | null
  readonly edgeLocal: boolean
  /** Rate limit of each edge. Records above it wait in the outbox of the edge. */
  readonly ritmo: IngestRates
  /** Free space below which the operator gets a warning, and below which the cloud stores no eventos. */
  readonly disco: { readonly avisoBytes: number; readonly minimoBytes: number }
  /** Memory of the newest seconds of all live streams of this process. */
  readonly aoVivoBytes: number
  /** Live eventos a minute that are verified in order; eventos beyond it are verified later. */
  readonly orcamento: EventoBudget
  /** true: unusable data are moved aside; false: they prevent the start. */
  readonly comecarDeNovo: boolean
  /** Waiting time of the oldest evento without a verdict before a warning. */
  readonly verificacaoAtrasoMs: number
  /** Networks that discovery and connection tests may reach although the address policy refuses them. */
  readonly sondagemPermitir: AllowedCidrs
  readonly telemetria: TelemetrySettings
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace'
  /** Networks that webhooks may go to although they are not public. */
  readonly webhookPermitir: AllowedCidrs
  /** Settings of the senders that the environment gives. */
  readonly remetentes: SenderValues
  readonly verificadores: VerifierValues
}

/** Thrown for invalid settings; the message is Portuguese and contains no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Environment → one frozen object. An empty variable is treated as not set.
 * @throws ConfigError that names every variable to correct, never its value.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = envSchema.safeParse(given)
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new ConfigError(`Configuração inválida. ${problems.join('; ')}`)
  }
  const e = parsed.data
  const problem = verifierProblem(e) ?? mediaProblem(e)
  if (problem !== null) throw new ConfigError(`Configuração inválida. ${problem}`)
  const dataDir = resolve(e.VIGIA_DATA_DIR)
  return Object.freeze({
    port: e.PORT,
    host: e.VIGIA_HOST,
    dataDir,
    cloudDir: join(dataDir, 'cloud'),
    banco: e.VIGIA_BANCO ?? null,
    bancoEscuta: e.VIGIA_BANCO_ESCUTA ?? null,
    replicaUrl: e.VIGIA_REPLICA_URL ?? null,
    drenagemMs: (e.VIGIA_DRENAGEM_S ?? (e.VIGIA_BANCO === undefined ? 0 : 5)) * 1000,
    bancoConexoes: e.VIGIA_BANCO_CONEXOES,
    bancoComandoMs: e.VIGIA_BANCO_COMANDO_S * 1_000,
    midia: mediaValues(e),
    mqttUrl: e.VIGIA_MQTT_URL,
    mqttUrlEdges: e.VIGIA_MQTT_URL_EDGES ?? e.VIGIA_MQTT_URL,
    admin: Object.freeze({ username: e.VIGIA_ADMIN_USERNAME, password: e.VIGIA_ADMIN_PASSWORD ?? null }),
    chave: e.VIGIA_CHAVE ?? null,
    chavesAnteriores: Object.freeze(e.VIGIA_CHAVE_ANTERIOR),
    cookieSecure: e.VIGIA_COOKIE_SECURE,
    sessaoMaxMs: e.VIGIA_SESSAO_MAX_H * 3_600_000,
    dominioNeutro: e.VIGIA_DOMINIO_NEUTRO ?? null,
    urlPublica: e.VIGIA_URL_PUBLICA ?? null,
    basePath: e.VIGIA_URL_PUBLICA === undefined ? '' : basePathOf(e.VIGIA_URL_PUBLICA),
    trustedProxies: parseCidrs(e.VIGIA_PROXY_CONFIAVEL),
    painelDir: resolve(e.VIGIA_PAINEL_DIR ?? fileURLToPath(new URL('../../dashboard/dist', import.meta.url))),
    modelosDir: e.VIGIA_MODELOS ?? null,
    edgeLocal: e.VIGIA_EDGE_LOCAL,
    ritmo: Object.freeze({
      records: ratesFor(e.VIGIA_REGISTROS_SEGUNDO_EDGE),
      bytes: ratesFor(e.VIGIA_KB_SEGUNDO_EDGE * 1024),
    }),
    disco: Object.freeze({ avisoBytes: e.VIGIA_DISCO_AVISO_MB * MB, minimoBytes: e.VIGIA_DISCO_MINIMO_MB * MB }),
    aoVivoBytes: e.VIGIA_AO_VIVO_MEMORIA_MB === undefined ? liveMemory() : e.VIGIA_AO_VIVO_MEMORIA_MB * MB,
    verificacaoAtrasoMs: e.VIGIA_VERIFICACAO_ATRASO_S * 1000,
    orcamento: Object.freeze({ perCamera: e.VIGIA_EVENTOS_MINUTO_CAMERA, perEdge: e.VIGIA_EVENTOS_MINUTO_EDGE }),
    comecarDeNovo: e.VIGIA_COMECAR_DE_NOVO,
    sondagemPermitir: e.VIGIA_SONDAGEM_PERMITIR,
    telemetria: Object.freeze({
      metricas:
        e.VIGIA_METRICAS_PORTA === undefined ? null : { host: e.VIGIA_METRICAS_HOST, port: e.VIGIA_METRICAS_PORTA },
      otelUrl: e.VIGIA_OTEL_URL ?? null,
    }),
    logLevel: e.VIGIA_LOG_LEVEL,
    webhookPermitir: e.VIGIA_WEBHOOK_PERMITIR,
    remetentes: senderValues(e),
    verificadores: verifierValues(e),
  })
}

/** An eighth of the memory of the machine, or of the control group of this process where that is less. */
function liveMemory(): number {
  const constrained = process.constrainedMemory()
  const bytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return Math.max(LEAST_LIVE_BYTES, Math.floor(bytes / 8))
}

/** Comma-separated addresses and CIDRs. */
function parseCidrs(text: string): BlockList {
  const list = new BlockList()
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const [address = '', bits, ...rest] = entry.split('/')
    const version = isIP(address)
    const width = version === 6 ? 128 : 32
    const prefix = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (version === 0 || rest.length > 0 || !(prefix >= 0 && prefix <= width))
      throw new ConfigError(
        'Configuração inválida. VIGIA_PROXY_CONFIAVEL: use endereços ou CIDRs separados por vírgula',
      )
    list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}
