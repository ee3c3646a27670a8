import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { z } from 'zod'

const environmentSchema = z.object({
  VIGIA_MQTT_HOST: z.string().min(1).default('127.0.0.1'),
  /** 0: any free port, named in the ready message. */
  VIGIA_MQTT_PORT: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.int().max(65_535))
    .default(8883),
  VIGIA_DATA_DIR: z.string().min(1).default('./data'),
  VIGIA_BROKER_TLS_DIR: z.string().min(1).optional(),
  VIGIA_BROKER_ESTADO_DIR: z.string().min(1).optional(),
  /** Metrics of the program, on loopback; unset: off. */
  VIGIA_BROKER_METRICAS_PORTA: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.int().max(65_535))
    .optional(),
  VIGIA_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

export interface Config {
  readonly host: string
  readonly port: number
  /** Folder of ca.pem, cert.pem and key.pem. */
  readonly tlsDir: string
  /** State folder, created when missing. */
  readonly stateDir: string
  /** Port of the metrics on loopback, 0: any; null: off, and no library of metrics is loaded. */
  readonly metricsPort: number | null
  readonly logLevel: string
}

/** @throws VigiaError `validacao` that names the setting */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  // An empty setting in a unit file counts as missing.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = environmentSchema.safeParse(set)
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))].join(', ')
    throw new VigiaError('validacao', { detalhe: `Valor inválido em ${names}. Corrija e inicie de novo.` })
  }
  const { data } = parsed
  return Object.freeze({
    host: data.VIGIA_MQTT_HOST,
    port: data.VIGIA_MQTT_PORT,
    tlsDir: data.VIGIA_BROKER_TLS_DIR ?? join(data.VIGIA_DATA_DIR, 'broker', 'tls'),
    stateDir: data.VIGIA_BROKER_ESTADO_DIR ?? join(data.VIGIA_DATA_DIR, 'broker', 'estado'),
    metricsPort: data.VIGIA_BROKER_METRICAS_PORTA ?? null,
    logLevel: data.VIGIA_LOG_LEVEL,
  })
}

export interface TlsFiles {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

/** @throws VigiaError `interno` when a file is missing or unreadable */
export async function readTlsFiles(dir: string): Promise<TlsFiles> {
  const read = (name: string) => readFile(join(dir, name), 'utf8')
  try {
    const [ca, cert, key] = await Promise.all([read('ca.pem'), read('cert.pem'), read('key.pem')])
    return { ca, cert, key }
  } catch (cause) {
    throw new VigiaError('interno', {
      detalhe:
        `Não consegui ler os certificados do broker em ${dir}. Rode antes "node apps/cloud/src/prepare.ts", com a ` +
        'mesma VIGIA_DATA_DIR.',
      cause,
    })
  }
}
