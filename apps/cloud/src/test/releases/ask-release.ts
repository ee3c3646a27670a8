import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { RecordedAnswer } from '@vigia/testing/release-folder'
import { pino } from 'pino'
import { createApp } from '../../app.ts'
import { loadConfig } from '../../config.ts'
import type { Route } from '../../http/route.ts'
import { ADMIN } from '../test-app.ts'

/** Tokens of agents contain this origin, so that they stay valid on another port. */
export const PUBLIC_URL = 'http://127.0.0.1:8080'

export interface ReleaseApp {
  readonly url: string
  readonly routes: readonly Route[]
  stop(): Promise<void>
}

/** The cloud on an existing data directory, with its clock stopped at `now` (epoch ms) and without a broker. */
export async function startReleaseApp(dataDir: string, now: number): Promise<ReleaseApp> {
  const app = createApp({
    config: loadConfig({
      PORT: '0',
      VIGIA_DATA_DIR: dataDir,
      VIGIA_ADMIN_USERNAME: ADMIN.username,
      VIGIA_ADMIN_PASSWORD: ADMIN.password,
      VIGIA_PAINEL_DIR: join(dataDir, 'painel'),
      VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1',
      VIGIA_EDGE_LOCAL: '1',
      VIGIA_URL_PUBLICA: PUBLIC_URL,
      VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8',
    }),
    log: pino({ level: 'silent' }),
    announce: () => {},
    clock: { now: () => now },
    // The cloud of the comparison verifies no evento.
    verifier: {
      atOnce: 1,
      verify: async () => ({ ok: false, falha: 'indisponivel', detalhe: 'not in this run' }),
      stop: async () => {},
    },
  })
  const { port, routes } = await app.start()
  return { url: `http://127.0.0.1:${port}`, routes, stop: app.stop }
}

/** One GET with a session token. */
export async function askAs(url: string, caller: string, token: string, path: string): Promise<RecordedAnswer> {
  const response = await fetch(`${url}${path}`, {
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}` },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get('content-type')
  const body = type?.startsWith('application/json')
    ? JSON.parse(bytes.toString())
    : { sha256: createHash('sha256').update(bytes).digest('hex'), type }
  return { caller, path, status: response.status, total: response.headers.get('x-total-count'), body }
}
