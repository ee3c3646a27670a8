import { pino } from 'pino'
import { createApp } from '../../app.ts'
import { loadConfig } from '../../config.ts'
import type { Route } from '../../http/route.ts'
import { ADMIN } from './test-app.ts'

/** Tokens of agents contain this origin, so that they stay valid on another port. */
export const PUBLIC_URL = 'http://127.0.0.1:8080'

export interface StillCloud {
  readonly url: string
  readonly routes: readonly Route[]
  stop(): Promise<void>
}

/** The cloud on existing data, with its clock stopped at `now` (epoch ms), without a broker and without verdicts. */
export async function startStillCloud(env: Readonly<Record<string, string>>, now: number): Promise<StillCloud> {
  const app = createApp({
    config: loadConfig({
      PORT: '0',
      VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1',
      VIGIA_DRENAGEM_S: '0',
      VIGIA_PAINEL_DIR: '/nenhum',
      VIGIA_ADMIN_USERNAME: ADMIN.username,
      VIGIA_ADMIN_PASSWORD: ADMIN.password,
      VIGIA_URL_PUBLICA: PUBLIC_URL,
      VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8',
      ...env,
    }),
    log: pino({ level: 'silent' }),
    announce: () => {},
    clock: { now: () => now },
    verifier: {
      atOnce: 1,
      verify: async () => ({ ok: false, falha: 'indisponivel', detalhe: 'not in this run' }),
      stop: async () => {},
    },
  })
  const { port, routes } = await app.start()
  return { url: `http://127.0.0.1:${port}`, routes, stop: app.stop }
}
