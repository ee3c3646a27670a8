import { resolve } from 'node:path'
import { z } from 'zod'

const port = (padrao: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, { error: 'use um número de porta, de 1 a 65535' })
    .transform(Number)
    .pipe(z.int().min(1).max(65_535, { error: 'use um número de porta, de 1 a 65535' }))
    .default(padrao)

const SILENCE_RULE = 'use um número de segundos, de 5 a 3600'

const envSchema = z
  .object({
    PORT: port(8080),
    VIGIA_HOST: z.string().default('127.0.0.1'),
    VIGIA_MQTT_PORT: port(8883),
    VIGIA_DATA_DIR: z.string().default('./data'),
    VIGIA_ADMIN_USERNAME: z.string().default('admin'),
    VIGIA_ADMIN_PASSWORD: z.string().min(8, { error: 'a senha precisa de pelo menos 8 caracteres' }).optional(),
    VIGIA_SEM_RESPOSTA_S: z
      .string()
      .regex(/^\d{1,4}$/, { error: SILENCE_RULE })
      .transform(Number)
      .pipe(z.int().min(5, { error: SILENCE_RULE }).max(3600, { error: SILENCE_RULE }))
      .default(30),
    VIGIA_DEMO: z.enum(['0', '1'], { error: 'use 0 ou 1' }).default('1'),
  })
  .refine((env) => env.PORT !== env.VIGIA_MQTT_PORT, {
    path: ['VIGIA_MQTT_PORT'],
    error: 'precisa ser outra porta que a de PORT',
  })

export interface Config {
  readonly port: number
  readonly host: string
  readonly mqttPort: number
  readonly dataDir: string
  readonly adminUsername: string
  /** undefined: the cloud generates a password and stores it in `cloud/senha-inicial`. */
  readonly adminPassword: string | undefined
  /** Time without a sign of life after which a program is killed and restarted. */
  readonly silenceMs: number
  readonly demo: boolean
}

/** Reads the settings of `npm start`; the error is one Portuguese line with the setting's name. */
export function readConfig(env: NodeJS.ProcessEnv): { ok: true; config: Config } | { ok: false; problem: string } {
  // An empty setting, possible in an env file, counts as absent.
  const parsed = envSchema.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')))
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
      silenceMs: e.VIGIA_SEM_RESPOSTA_S * 1000,
      demo: e.VIGIA_DEMO === '1',
    }),
  }
}
