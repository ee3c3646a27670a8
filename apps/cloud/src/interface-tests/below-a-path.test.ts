import { Client as Agent } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { freePort } from '@vigia/testing/free-port'
import { unzip } from '@vigia/testing/unzip'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newAgent } from '../test/clients/oauth-flow.ts'
import { type Backstage, openBackstage, type SeededCamera } from '../test/clouds/backstage.ts'
import { type Account, startTestApp, type TestApp } from '../test/clouds/test-app.ts'
import { type NotificationServices, startNotificationServices } from '../test/stand-ins/notification-services.ts'

/** An address from the root of the host, which the proxy does not pass on. */
const FROM_ROOT = /["'(> ]\/(?:api\/v1|incidentes|eventos|camera[s]?|convite|assets|oauth)\b/

let app: TestApp
let backstage: Backstage
let services: NotificationServices
let own: Account
let camera: SeededCamera
let base = ''
beforeAll(async () => {
  const port = await freePort()
  base = `http://127.0.0.1:${port}/vigia`
  services = await startNotificationServices()
  app = await startTestApp({ ...services.env, PORT: String(port), VIGIA_URL_PUBLICA: base })
  backstage = await openBackstage(app)
  own = await app.account('Loja')
  camera = await backstage.camera(own.empresaId)
})
afterAll(async () => {
  await backstage?.close()
  await app?.stop()
  await services?.close()
})

/** Text files of an archive, joined. */
async function texts(path: string): Promise<string> {
  const response = await fetch(`${base}/api/v1${path}`, { headers: { authorization: `Bearer ${own.admin.token}` } })
  expect(response.status).toBe(200)
  const files = Object.entries(unzip(Buffer.from(await response.arrayBuffer())))
  return files.flatMap(([name, bytes]) => (/\.(json|html|txt)$/.test(name) ? [bytes.toString()] : [])).join('\n')
}

it('the addresses in an archive carry the path', async () => {
  const id = await backstage.event(camera)
  const incidente = await backstage.incidenteOf(id)
  const now = app.clock.now()
  await backstage.passagem(camera, { inicio: now - 5_000, ocorrido_em: now - 5_000 })
  const [inicio, fim] = [now - 3_600_000, now - 1].map((at) => new Date(at).toISOString())
  const archives = [
    `/events/${id}/exportar`,
    `/incidentes/${incidente}/exportar`,
    `/empresas/${own.empresaId}/exportar?inicio=${inicio}&fim=${fim}`,
  ]
  for (const path of archives) {
    const text = await texts(path)
    expect(text).toContain(`"/vigia/api/v1/`)
    expect(text).not.toMatch(FROM_ROOT)
  }
  expect(await texts(archives[2] ?? '')).toMatch(/"foto_url": "\/vigia\/api\/v1\/passagens\/\d+\/foto/)
})

it('the answers to an agent carry the path', async () => {
  const id = await backstage.event(camera)
  const { access_token } = await newAgent({ url: base }, { username: `administrador-${own.empresaId}` })
  const agent = new Agent({ name: 'teste', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${access_token}` } }
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit }) as Transport)
  const { contents } = await agent.readResource({ uri: `vigia://evento/${id}` })
  const called = await agent.callTool({ name: 'obter_evento', arguments: { evento_id: id } })
  await agent.close()
  for (const answer of [contents, called]) {
    expect(JSON.stringify(answer)).toContain(`/vigia/api/v1/crops/${id}`)
    expect(JSON.stringify(answer).replaceAll('\\', '')).not.toMatch(FROM_ROOT)
  }
})

it('the addresses in messages carry the path', async () => {
  for (const canal of [
    { destino: `${services.hook.url}/aviso` },
    { tipo: 'email', destino: 'guarita@exemplo.com.br' },
    { tipo: 'telegram', destino: '-100123' },
  ])
    await own.admin.expect(201, 'POST', '/api/v1/notificacoes', { empresa_id: own.empresaId, ...canal })
  await backstage.verdict(await backstage.event(camera), 'confirmado')
  const received = () => [services.hook.received, services.smtp.mails, services.telegram.messages]
  await waitFor('the messages', () => received().every((some) => some.length > 0))
  for (const some of received()) {
    const text = JSON.stringify(some, (key, value) => (['pictures', 'photo'].includes(key) ? null : value))
    expect(text).toContain(`${base}/incidentes/`)
    expect(text.replaceAll('\\', '')).not.toMatch(FROM_ROOT)
  }
})
