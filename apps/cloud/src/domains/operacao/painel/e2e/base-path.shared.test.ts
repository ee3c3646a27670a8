import { freePort } from '@vigia/testing/free-port'
import { openLiveViewer } from '@vigia/testing/live-viewer'
import { hasNginx, type Nginx, startNginxBelow } from '@vigia/testing/nginx'
import * as oauth from 'oauth4webapi'
import { afterAll, describe, expect } from 'vitest'
import { type Client, send, signIn } from '../../../../test/clients/client.ts'
import { openMjpeg } from '../../../../test/clients/mjpeg.ts'
import { newAgent } from '../../../../test/clients/oauth-flow.ts'
import { openSse } from '../../../../test/clients/sse.ts'
import { openWs } from '../../../../test/clients/ws.ts'
import { startAppWithBroker } from '../../../../test/clouds/app-with-broker.ts'
import { type Backstage, openBackstage } from '../../../../test/clouds/backstage.ts'
import { type Browser, it, type OpenContext, PAINEL, type Page } from '../../../../test/clouds/shared-cloud.ts'
import { SENHA, type TestApp } from '../../../../test/clouds/test-app.ts'
import { JPEG } from '../../../../test/records/records.ts'
import { type StandInEdge, startStandInEdge } from '../../../../test/stand-ins/stand-in-edge.ts'
import { type UploadingEdge, uploadFrom } from '../../../../test/stand-ins/uploading-edge.ts'
import { useToolsWith } from '../../../agentes/mcp/e2e/ask-mcp.ts'
import { createPerson } from '../../../agentes/mcp/e2e/person.ts'

/** `deploy/nginx/vigia-caminho.conf`, except for TLS, in front of a cloud with the dashboard, a broker and an edge. */
describe.skipIf(!hasNginx())('an installation below a path of its host (needs nginx)', () => {
  let app: TestApp
  let nginx: Pick<Nginx, 'close'>
  let edge: StandInEdge
  let uploads: UploadingEdge
  let backstage: Backstage
  let admin: Client
  let browser: Browser
  let openContext: OpenContext
  let origin = ''
  let base = ''
  let empresaId = 0
  let cameraId = 0
  let pictures: NodeJS.Timeout | undefined

  it.beforeAll(async ({ browser: shared, openContext: open }) => {
    browser = shared
    openContext = open
    const port = await freePort()
    origin = `http://127.0.0.1:${port}`
    base = `${origin}/vigia`
    app = await startAppWithBroker({ VIGIA_URL_PUBLICA: `${base}/`, VIGIA_PAINEL_DIR: PAINEL })
    nginx = await startNginxBelow(port, Number(new URL(app.url).port))
    backstage = await openBackstage(app)
    empresaId = (await app.account('Loja')).empresaId
    admin = await signIn(base, `administrador-${empresaId}`, SENHA)
    edge = await startStandInEdge(admin, base)
    uploads = uploadFrom(edge, base)
    const { answer, link } = edge
    edge.answer = async (comando) => {
      if (comando.acao === 'iniciar_ao_vivo') {
        clearInterval(pictures)
        const quadro = { v: 1, camera_id: comando.camera_id, largura: 16, altura: 12 } as const
        pictures = setInterval(() => link.publishLiveFrame(quadro, JPEG), 200)
      }
      if (comando.acao === 'parar_ao_vivo') clearInterval(pictures)
      return await answer(comando)
    }
    const camera = { nome: 'Portão', rtsp_url: 'rtsp://127.0.0.1:1/1', edge_id: edge.id }
    cameraId = (await admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', camera)).id
    await edge.report([cameraId])
  })
  afterAll(async () => {
    clearInterval(pictures)
    uploads?.stop()
    await edge?.stop()
    await backstage?.close()
    await nginx?.close()
    await app?.stop()
  })

  const bearer = () => ({ authorization: `Bearer ${admin.token}` })
  const confirmed = async () => {
    const id = await backstage.event(await backstage.camera(empresaId))
    await backstage.verdict(id, 'confirmado')
    return id
  }

  /** A page that notes its faults, and each request and answer outside of the path. */
  async function openPage(): Promise<{ page: Page; problems: string[] }> {
    const problems: string[] = []
    const page = await (await openContext({ locale: 'pt-BR' })).newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      if (/^https?:/.test(request.url()) && !request.url().startsWith(base)) problems.push(request.url())
    })
    page.on('response', (answer) => {
      const isKnown = answer.status() === 401 && answer.url().endsWith('/me')
      if (answer.status() >= 400 && !isKnown) problems.push(`${answer.status()} ${answer.url()}`)
    })
    return { page, problems }
  }
  const pathOf = (page: Page) => new URL(page.url()).pathname

  it('opens the dashboard, which signs in, moves between pages and opens a page again', async () => {
    await confirmed()
    const { page, problems } = await openPage()
    await page.goto(`${origin}/vigia`)
    await page.getByLabel('Usuário').fill(`administrador-${empresaId}`)
    expect(pathOf(page)).toBe('/vigia/login')
    await page.getByLabel('Senha', { exact: true }).fill(SENHA)
    await page.getByRole('button', { name: 'Entrar' }).click()
    await page.getByRole('link', { name: 'Câmeras' }).first().click()
    await page.getByText('Portão').first().waitFor()
    expect(pathOf(page)).toBe('/vigia/cameras')
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'session')
    expect(cookie?.path).toBe('/')
    await page.reload()
    await page.getByText('Portão').first().waitFor()
    // A text, because the types of the DOM are not those of the cloud.
    const worker = await page.evaluate(
      'navigator.serviceWorker.ready.then(({ scope, active }) => ({ scope, script: active.scriptURL }))',
    )
    expect(worker).toEqual({ scope: `${base}/`, script: `${base}/sw.js` })
    expect(await page.locator('link[rel="manifest"]').getAttribute('href')).toBe('/vigia/manifest.webmanifest')
    const manifest = await send<{ start_url: string; scope: string; icons: { src: string }[] }>(
      `${base}/manifest.webmanifest`,
    )
    const { start_url, scope, icons } = manifest.body
    const addresses = [start_url, scope, ...icons.map(({ src }) => src)]
    for (const one of addresses) expect(new URL(one, `${base}/manifest.webmanifest`).href).toContain(`${base}/`)
    // A picture that the page still asks for would be refused after the logout.
    await page.goto('about:blank')
    await page.goto(`${base}/logout`)
    await page.getByLabel('Usuário').waitFor()
    expect([pathOf(page), problems]).toEqual(['/vigia/login', []])
  })

  it('shows the offline page, which finds its files', async () => {
    const { page, problems } = await openPage()
    await page.goto(`${base}/sem-conexao.html`)
    await page.getByRole('heading', { name: 'Sem conexão com a central' }).waitFor()
    expect(problems).toEqual([])
  })

  it('opens the reference of the API, which calls below the path', async () => {
    const { page, problems } = await openPage()
    await page.goto(`${base}/api/v1/docs`)
    await page.locator('#operations-tag-Câmeras').waitFor()
    expect(problems).toEqual([])
    const { body } = await send<{ servers: { url: string }[] }>(`${base}/api/v1/openapi.json`)
    expect(body.servers.map(({ url }) => url)).toEqual(['/vigia'])
  })

  it('links the pages of a list, and the pictures of its items', async () => {
    const seen = new Set<number>()
    await confirmed()
    await confirmed()
    let next: string | undefined = '/vigia/api/v1/events?limit=1'
    while (next !== undefined) {
      const page: Awaited<ReturnType<typeof send<{ id: number; crop_url: string }[]>>> = await send(origin + next, {
        headers: bearer(),
      })
      for (const { id, crop_url } of page.body) {
        seen.add(id)
        expect(crop_url).toBe(`/vigia/api/v1/crops/${id}`)
        expect((await fetch(origin + crop_url, { headers: bearer() })).headers.get('content-type')).toBe('image/jpeg')
      }
      next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
    }
    expect(seen.size).toBe(3)
  })

  it('describes itself to agents at both addresses, and authorizes one', async () => {
    const options = { [oauth.allowInsecureRequests]: true } as const
    const mcp = new URL(`${base}/mcp`)
    const refused = await send(mcp.href, { method: 'POST' })
    const [, described = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    const resource = { resource: mcp.href, authorization_servers: [base] }
    const inserted = `${origin}/.well-known/oauth-protected-resource/vigia/mcp`
    for (const address of [described, inserted, `${base}/.well-known/oauth-protected-resource/mcp`])
      expect((await send(address)).body).toMatchObject(resource)
    await oauth.processResourceDiscoveryResponse(mcp, await oauth.resourceDiscoveryRequest(mcp, options))
    const issuer = new URL(base)
    const found = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
    expect(found.url).toBe(`${origin}/.well-known/oauth-authorization-server/vigia`)
    const server = await oauth.processDiscoveryResponse(issuer, found)
    expect((await send(`${base}/.well-known/oauth-authorization-server`)).body).toEqual(server)
    expect(server).toMatchObject({ issuer: base, token_endpoint: `${base}/oauth/token` })
    const { keys } = (await send<{ keys: unknown[] }>(server.jwks_uri ?? '')).body
    expect(keys.length).toBeGreaterThan(0)

    const username = `administrador-${empresaId}`
    const { access_token } = await newAgent({ url: base }, { username })
    const { tools, cameras } = await useToolsWith(access_token, mcp)
    expect(tools).toContain('listar_cameras')
    expect(cameras).toContain('Portão')
  })

  it('lets a person authorize an agent in the browser', async () => {
    const { body } = await send<{ client_id: string }>(`${base}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [`${base}/healthz`] }),
    })
    const asked = new URL(`${base}/oauth/authorize`)
    asked.search = new URLSearchParams({
      response_type: 'code',
      client_id: body.client_id,
      redirect_uri: `${base}/healthz`,
      resource: `${base}/mcp`,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }).toString()
    const person = createPerson(browser, { origin, username: `administrador-${empresaId}` })
    expect((await person.authorize(asked)).consent).toContain('Loja')
  })

  it('shows live video by WebSocket, HLS and MJPEG', async () => {
    await edge.report([cameraId])
    const viewer = openLiveViewer(base, admin.token, cameraId)
    await viewer.until(3)
    const { hls_url } = await admin.expect<{ hls_url: string }>(200, 'GET', `/api/v1/cameras/${cameraId}/hls_url`)
    expect(hls_url).toMatch(/^\/vigia\/api\/v1\/cameras\//)
    const playlist = await (await fetch(origin + hls_url)).text()
    const [, part = ''] = /URI="(p\d+\.\d+\.mp4)"/.exec(playlist) ?? []
    expect((await fetch(new URL(part, origin + hls_url))).status).toBe(200)
    viewer.close()
    const mjpeg = await openMjpeg(`${base}/api/v1/cameras/${cameraId}/aovivo`, bearer())
    await mjpeg.until(2)
    mjpeg.close()
  })

  it('sends alerts by SSE and WebSocket, with addresses below the path', async () => {
    const sse = await openSse(`${base}/api/v1/sse/alertas`, bearer())
    const ws = await openWs(`${base}/api/v1/ws/alertas`, bearer())
    if (!('socket' in ws)) throw new Error(`refused: ${ws.status}`)
    const id = await confirmed()
    const [frame] = await sse.until('alerta', 1)
    const [message] = await ws.until('alerta', 1)
    for (const dados of [JSON.parse(frame?.data ?? '{}'), message?.dados])
      expect(dados).toMatchObject({ id, crop_url: `/vigia/api/v1/crops/${id}` })
    sse.close()
    ws.close()
  })

  it('invites a person by a link below the path', async () => {
    const invited = { papel: 'usuario', empresa_id: empresaId }
    const { link } = await admin.expect<{ link: string }>(201, 'POST', '/api/v1/convites', invited)
    expect(link).toContain(`${base}/convite#`)
    const { page, problems } = await openPage()
    await page.goto(link)
    await page.getByLabel('Usuário').fill('convidada')
    for (const field of await page.locator('input[type="password"]').all()) await field.fill(SENHA)
    await page.locator('button[type="submit"]').click()
    await page.getByRole('link', { name: 'Entrar' }).click()
    await page.getByLabel('Senha', { exact: true }).waitFor()
    expect([pathOf(page), problems]).toEqual(['/vigia/login', []])
  })

  it('also answers a proxy that takes the path away', async () => {
    const { body } = await send<{ crop_url: string }[]>(`${app.url}/api/v1/events?limit=1`, { headers: bearer() })
    expect(body[0]?.crop_url).toMatch(/^\/vigia\/api\/v1\/crops\//)
    expect((await send(`${app.url}/logout`, { headers: bearer() })).headers.get('location')).toBe('/vigia/login')
  })
})
