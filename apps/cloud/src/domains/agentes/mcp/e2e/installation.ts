import type { Browser } from '../../../../test/clouds/shared-cloud.ts'
import { type Account, startTestApp, type TestApp } from '../../../../test/clouds/test-app.ts'
import type { HttpsFront } from './https-front.ts'
import { createPerson, type Person } from './person.ts'

/** An installation with one camera and a person with a browser. Clients get only the address of `/mcp`. */
export interface Installation {
  readonly app: TestApp
  readonly mcp: URL
  readonly account: Account
  readonly camera: string
  /** The account's administrador with a Chromium. */
  readonly person: Person
  /** Requests answered since the last call: `POST /mcp 401`. */
  trail(): string[]
  stop(): Promise<void>
}

const CAMERA = 'Portão da frente'

interface Parts {
  readonly browser: Browser
  /** An existing cloud, which keeps running; absent: a new cloud. */
  readonly app?: TestApp
  /** Proxy in front of the cloud; absent: http on the loopback interface. */
  readonly front?: HttpsFront
}

export async function startInstallation({ browser, app: shared, front }: Parts): Promise<Installation> {
  const app = shared ?? (await startTestApp(front ? { VIGIA_URL_PUBLICA: front.origin } : {}))
  front?.forwardTo(app.url)
  const origin = front?.origin ?? app.url
  const account = await app.account('Mercado Bom Preço')
  await account.admin.expect(201, 'POST', '/api/v1/cameras', { nome: CAMERA, rtsp_url: 'rtsp://127.0.0.1:1/portao' })
  const person = createPerson(browser, { origin, username: `administrador-${account.empresaId}` })
  let read = app.logText().length
  return {
    app,
    mcp: new URL('/mcp', origin),
    account,
    camera: CAMERA,
    person,
    trail: () => {
      const fresh = app.logText().slice(read)
      read += fresh.length
      return requests(fresh)
    },
    stop: async () => {
      if (app !== shared) await app.stop()
    },
  }
}

const requests = (log: string): string[] =>
  log.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return []
    const { msg, metodo, caminho, status } = JSON.parse(line)
    return msg === 'requisição' ? [`${metodo} ${caminho} ${status}`] : []
  })
