import { resolve } from 'node:path'
import { z } from 'zod'

const port = (padrao: number) =>
  z.coerce.number({ error: 'precisa ser um número' }).int().min(1).max(65_535).default(padrao)

const envSchema = z.object({
  PORT: port(8080),
  VIGIA_HOST: z.string().min(1).default('127.0.0.1'),
  VIGIA_MQTT_PORT: port(8883),
  VIGIA_DATA_DIR: z.string().min(1).default('./data'),
  VIGIA_ADMIN_USERNAME: z.string().min(1).default('admin'),
  VIGIA_ADMIN_PASSWORD: z.string().min(1).optional(),
  VIGIA_DEMO: z.enum(['0', '1']).default('1'),
})

export interface Config {
  readonly port: number
  readonly host: string
  readonly mqttPort: number
  readonly dataDir: string
  readonly adminUsername: string
  /** Only when the operator chose it; otherwise the cloud makes one and keeps it in `cloud/senha-inicial`. */
  readonly adminPassword: string | undefined
  readonly demo: boolean
}

/** Reads the settings of `npm start`; the error is one Portuguese line that names the setting. */
export function readConfig(env: NodeJS.ProcessEnv): { ok: true; config: Config } | { ok: false; problem: string } {
  const parsed = envSchema.safeParse(env)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return { ok: false, problem: `Configuração inválida em ${issue?.path.join('.')}: ${issue?.message}.` }
  }
  const e = parsed.data
  return {
    ok: true,
    config: Object.freeze({
      port: e.PORT,
      host: e.VIGIA_HOST,
      mqttPort: e.VIGIA_MQTT_PORT,
      dataDir: resolve(e.VIGIA_DATA_DIR),
      adminUsername: e.VIGIA_ADMIN_USERNAME,
      adminPassword: e.VIGIA_ADMIN_PASSWORD,
      demo: e.VIGIA_DEMO === '1',
    }),
  }
}
