import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { type AppDeps, createApp } from '../../app.ts'
import { loadConfig } from '../../config.ts'
import type { PasswordCost } from '../../domains/pessoas/usuarios/passwords.ts'
import type { Route } from '../../http/route.ts'
import { type Client, signIn } from '../clients/client.ts'
import { testBanco, writeInstallation } from './template.ts'

export const ADMIN = { username: 'admin', password: 'senha-do-operador' } as const
export const SENHA = 'senha-de-teste'
/** The lowest cost of argon2, to keep tests fast. */
export const CHEAP: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** The real app on a real port with a database in a temporary folder. */
export interface TestApp {
  readonly url: string
  readonly dataDir: string
  /** VIGIA_BANCO of another process on the same data; empty with SQLite. */
  readonly banco: Readonly<Record<string, string>>
  readonly routes: readonly Route[]
  /** All log lines and announcements so far. */
  readonly logText: () => string
  /** Time of the app in epoch ms: the real time plus the offset of the test. */
  readonly clock: { now(): number; advance(ms: number): void }
  /** The operator's client. */
  readonly operator: Client
  /** Signs in with the given login. */
  signIn(username: string, password?: string): Promise<Client>
  /** Creates an Empresa as `by` (default: the operator) with an `administrador` and a `usuario`, both signed in. */
  account(nome: string, by?: Client): Promise<Account>
  /** Creates a `vigilante` of that Empresa, signed in. */
  vigilante(of: Account, username?: string): Promise<Client>
  stop(): Promise<void>
}

export interface Account {
  readonly empresaId: number
  readonly admin: Client
  readonly usuario: Client
}

/** `empty`: the data folder has no file, as that of a new replica. */
type TestAppOptions = Pick<AppDeps, 'mcpExtras' | 'streams' | 'passwordCost' | 'demonstrationEnded'> & {
  readonly empty?: boolean
}

export async function startTestApp(
  env: Readonly<Record<string, string>> = {},
  { empty = false, ...given }: TestAppOptions = {},
): Promise<TestApp> {
  const dataDir = temporaryFolder('vigia-cloud-')
  if (!empty) await writeInstallation(dataDir)
  const banco = empty ? {} : await testBanco(join(dataDir, 'cloud/vigia.db'))
  const lines: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  let ahead = 0
  const clock = {
    now: () => Date.now() + ahead,
    advance: (ms: number) => {
      ahead += ms
    },
  }
  const app = createApp({
    config: loadConfig({
      PORT: '0',
      VIGIA_DATA_DIR: dataDir,
      VIGIA_ADMIN_USERNAME: ADMIN.username,
      VIGIA_ADMIN_PASSWORD: ADMIN.password,
      VIGIA_PAINEL_DIR: join(dataDir, 'painel'),
      // No broker listens there: a test that needs one starts it.
      VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1',
      VIGIA_DRENAGEM_S: '0',
      ...banco,
      ...env,
    }),
    log: pino({ level: 'debug' }, sink),
    announce: (line) => lines.push(line),
    clock,
    monotonic: () => performance.now() + ahead,
    checkAnswers: true,
    passwordCost: CHEAP,
    ...given,
  })
  const { port, routes } = await app.start()
  const url = `http://127.0.0.1:${port}`
  const enter = (username: string, password = SENHA) => signIn(url, username, password)
  const operator = await enter(ADMIN.username, ADMIN.password)

  return {
    url,
    dataDir,
    banco,
    routes,
    logText: () => lines.join(''),
    clock,
    operator,
    signIn: enter,
    account: (nome, by = operator) => createAccount(enter, nome, by),
    vigilante: async ({ admin }, username = 'rui') => {
      await admin.expect(201, 'POST', '/api/v1/usuarios', { username, senha: SENHA, papel: 'vigilante' })
      return enter(username)
    },
    stop: async () => {
      await app.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Creates an Empresa as `by`, with an `administrador` and a `usuario`, both signed in. */
export async function createAccount(enter: TestApp['signIn'], nome: string, by: Client): Promise<Account> {
  const { id } = await by.expect<{ id: number }>(201, 'POST', '/api/v1/empresas', { nome })
  const login = async (papel: string) => {
    const username = `${papel}-${id}`
    await by.expect(201, 'POST', '/api/v1/usuarios', { username, senha: SENHA, papel, empresa_id: id })
    return enter(username)
  }
  return { empresaId: id, admin: await login('administrador'), usuario: await login('usuario') }
}
