import { waitFor } from '@vigia/testing/wait'
import { afterAll, afterEach, beforeEach, describe, expect } from 'vitest'
import { askToken, newClient, newPkce } from '../../../../test/clients/oauth-flow.ts'
import { it, type OpenContext, type Page } from '../../../../test/clouds/shared-cloud.ts'
import { type Account, ADMIN, SENHA, type TestApp } from '../../../../test/clouds/test-app.ts'
import { page as answerPage, type OtherSite, postingPage, startCounter, startOtherSite } from './other-sites.ts'

let app: TestApp
let account: Account
let openContext: OpenContext
/** The program on the person's computer. */
let program: OtherSite
let redirectUri: string
let clientId: string
let page: Page
let problems: string[]

it.beforeAll(async ({ app: shared, openContext: open }) => {
  app = shared
  openContext = open
  account = await app.account('Padaria')
  program = await startOtherSite(
    '127.0.0.1',
    answerPage(() => '<title>Pronto</title>'),
  )
  redirectUri = `http://127.0.0.1:${program.port}/volta`
  clientId = await newClient(app, [redirectUri])
})
afterAll(() => program?.stop())
beforeEach(async () => {
  problems = []
  page = await newPage()
})
afterEach(() => page.context().close())

async function newPage(options: Parameters<OpenContext>[0] = {}): Promise<Page> {
  const context = await openContext({ locale: 'pt-BR', viewport: { width: 1280, height: 900 }, ...options })
  const opened = await context.newPage()
  opened.on('pageerror', (error) => problems.push(error.message))
  opened.on('console', (message) => {
    // The icon belongs to the dashboard, which this installation does not include.
    const about = new URL(message.location().url || app.url).pathname
    if (message.type() === 'error' && about !== '/favicon.svg' && about !== '/favicon.ico')
      problems.push(message.text())
  })
  return opened
}

const pkce = newPkce()
const addressOf = (client = clientId, redirect = redirectUri) =>
  `${app.url}/oauth/authorize?${new URLSearchParams({
    client_id: client,
    redirect_uri: redirect,
    response_type: 'code',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    state: 'o "estado" & <mais>',
  })}`
const username = () => `administrador-${account.empresaId}`
async function signIn(on = page) {
  await on.getByLabel('Usuário').fill(username())
  await on.getByLabel('Senha').fill(SENHA)
  await on.getByRole('button', { name: 'Entrar' }).click()
  await on.getByRole('button', { name: 'Autorizar' }).waitFor()
}
async function arrived(): Promise<URLSearchParams> {
  await page.waitForURL((url) => url.href.startsWith(redirectUri))
  return new URL(page.url()).searchParams
}

describe('a person', () => {
  it('can sign in and consent with only the keyboard, and the least access is chosen already', async () => {
    await page.goto(addressOf())
    expect(await page.title()).toBe('Entrar para autorizar · Vigia')
    await page.keyboard.type(username())
    await page.keyboard.press('Tab')
    await page.keyboard.type(SENHA)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Autorizar este acesso?', level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    await page.locator('input[value="mcp:leitura"]:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const answer = await arrived()
    expect([...answer.keys()]).toEqual(['code', 'state', 'iss'])
    expect([answer.get('state'), answer.get('iss')]).toEqual(['o "estado" & <mais>', app.url])
    const fields = { client_id: clientId, redirect_uri: redirectUri, code: answer.get('code') ?? '' }
    const { status, body } = await askToken(app, {
      grant_type: 'authorization_code',
      code_verifier: pkce.verifier,
      ...fields,
    })
    expect([status, body.scope]).toEqual([200, 'mcp:leitura'])
    expect(problems).toEqual([])
  })

  it('can refuse', async () => {
    await page.goto(addressOf())
    await signIn()
    await page.getByRole('button', { name: 'Recusar' }).click()
    const answer = await arrived()
    expect([answer.get('error'), answer.get('code')]).toEqual(['access_denied', null])
    expect(problems).toEqual([])
  })

  it('gets an error after a wrong password, and can continue with the right one', async () => {
    await page.goto(addressOf())
    await page.getByLabel('Usuário').fill(username())
    await page.getByLabel('Senha').fill('errada')
    await page.getByRole('button', { name: 'Entrar' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('Usuário ou senha incorretos.')
    expect(await page.getByLabel('Usuário').inputValue()).toBe(username())
    await page.locator('#password:focus').waitFor()
    await page.keyboard.type(SENHA)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Autorizar' }).click()
    expect((await arrived()).get('code')).toMatch(/^[\w-]{43}$/)
    expect(problems).toEqual([expect.stringContaining('401')])
  })

  it('gets the consent page at once with a session of the dashboard', async () => {
    await page.context().request.post(`${app.url}/api/v1/auth/login`, { form: { ...ADMIN } })
    // A link of another site leads to the page, as a link of the program would.
    const site = await startOtherSite(
      '127.0.0.2',
      answerPage(() => `<a href="${addressOf().replaceAll('&', '&amp;')}">Conectar</a>`),
    )
    try {
      await page.goto(`http://127.0.0.2:${site.port}/`)
      await page.getByRole('link', { name: 'Conectar' }).click()
      await page.getByText('toda a instalação').waitFor()
      await page.getByRole('link', { name: 'Entrar com outro login' }).click()
      await signIn()
      await page.getByText('Padaria e as Empresas abaixo dela').waitFor()
      await page.getByRole('button', { name: 'Autorizar' }).click()
      expect((await arrived()).get('code')).toMatch(/^[\w-]{43}$/)
    } finally {
      await site.stop()
    }
    expect(problems).toEqual([])
  })

  it('can read the page on a narrow phone, in light and dark mode', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const phone = await newPage({ viewport: { width: 320, height: 640 }, colorScheme })
      await phone.goto(addressOf())
      await signIn(phone)
      expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(320)
      const ground = await phone.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor")
      expect([colorScheme, ground]).toEqual([
        colorScheme,
        colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(18, 25, 34)',
      ])
      await phone.context().close()
    }
  })

  it('decides nothing with a click that was meant for a window in front of the page', async () => {
    await page.goto(addressOf())
    await signIn()
    await page.mouse.move(0, 0)
    const box = await page.getByRole('button', { name: 'Autorizar' }).boundingBox()
    await page.mouse.click((box?.x ?? 0) + 20, (box?.y ?? 0) + 20)
    // If the first click had counted, the page would be closed.
    await page.getByRole('button', { name: 'Autorizar' }).click()
    await arrived()
  })
})

describe('the policy of the page', () => {
  it('allows the redirect to a program with a private scheme', async () => {
    const own = 'com.exemplo.agente:/volta'
    await page.goto(addressOf(await newClient(app, [own]), own))
    await signIn()
    const answer = page.waitForResponse((response) => response.url().endsWith('/decisao'))
    await page.getByRole('button', { name: 'Autorizar' }).click()
    expect((await answer).headers().location).toMatch(/^com\.exemplo\.agente:\/volta\?code=/)
    expect(problems.filter((text) => text.includes('Content Security Policy'))).toEqual([])
  })

  it('allows a program to redirect to its own website', async () => {
    const counter = await startCounter()
    const leading = await startOtherSite('127.0.0.1', (_, response) => {
      response.writeHead(302, { location: `https://127.0.0.1:${counter.port}/pronto` }).end()
    })
    try {
      const uri = `http://127.0.0.1:${leading.port}/volta`
      await page.goto(addressOf(await newClient(app, [uri]), uri))
      await signIn()
      await page.getByRole('button', { name: 'Autorizar' }).click()
      await waitFor('the next address of the program', () => counter.visits() > 0)
      expect(problems.filter((text) => text.includes('Content Security Policy'))).toEqual([])
    } finally {
      await leading.stop()
      await counter.stop()
    }
  })

  it('forbids frames', async () => {
    const site = await startOtherSite(
      '127.0.0.2',
      answerPage(() => `<iframe src="${addressOf().replaceAll('&', '&amp;')}"></iframe>`),
    )
    try {
      await page.goto(`http://127.0.0.2:${site.port}/`)
      await waitFor('the refusal of the frame', () =>
        problems.some((text) => /frame-ancestors|X-Frame-Options/i.test(text)),
      )
      for (const frame of page.frames().slice(1)) expect(await frame.locator('form').count()).toBe(0)
    } finally {
      await site.stop()
    }
  })
})

describe("another site's page", () => {
  const fields = (): Record<string, string> => ({
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: pkce.challenge,
  })

  it.each([
    ['of another site', '127.0.0.2'],
    ['of the same address on another port', '127.0.0.1'],
  ])('%s cannot post a login or a ticket', async (_, host) => {
    await page.context().request.post(`${app.url}/api/v1/auth/login`, { form: { ...ADMIN } })
    await page.goto(addressOf())
    const bilhete = await page.locator('input[name=bilhete]').inputValue()
    const posts: [path: string, fields: Record<string, string>][] = [
      ['/oauth/authorize', { ...fields(), ...ADMIN }],
      ['/oauth/authorize', { ...fields(), ...ADMIN, etapa: 'consentimento' }],
      ['/oauth/authorize/decisao', { bilhete, decisao: 'autorizar' }],
    ]
    const before = program.asked.length
    for (const [path, sent] of posts) {
      const site = await startOtherSite(
        host,
        answerPage(() => postingPage(`${app.url}${path}`, sent)),
      )
      try {
        const refused = page.waitForResponse((response) => response.url() === `${app.url}${path}`)
        await page.goto(`http://${host}:${site.port}/`)
        expect([path, (await refused).status()]).toEqual([path, 403])
      } finally {
        await site.stop()
      }
    }
    expect(program.asked.length).toBe(before)
    // The ticket is still valid on its own page.
    await page.goto(addressOf())
    await page.locator('input[name=bilhete]').evaluate((input, value) => input.setAttribute('value', value), bilhete)
    await page.getByRole('button', { name: 'Autorizar' }).click()
    expect((await arrived()).get('code')).toMatch(/^[\w-]{43}$/)
  })

  it('cannot post from a sandbox without an origin', async () => {
    const posting = postingPage(`${app.url}/oauth/authorize`, { ...fields(), ...ADMIN })
    const sandbox = { 'content-security-policy': 'sandbox allow-scripts allow-forms' }
    const site = await startOtherSite(
      '127.0.0.2',
      answerPage(() => posting, sandbox),
    )
    try {
      const refused = page.waitForResponse((response) => response.url() === `${app.url}/oauth/authorize`)
      await page.goto(`http://127.0.0.2:${site.port}/`)
      expect((await refused).status()).toBe(403)
    } finally {
      await site.stop()
    }
  })
})
