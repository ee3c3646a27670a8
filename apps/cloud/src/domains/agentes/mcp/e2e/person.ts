import type { Browser, Page } from '../../../../test/clouds/shared-cloud.ts'
import { SENHA } from '../../../../test/clouds/test-app.ts'

/** A user who signs in and consents, in a new browser context without session. */
export interface Person {
  /** Opens the address of a client, signs in, consents and follows the redirect to the client's callback. */
  authorize(url: string | URL): Promise<Authorized>
}

interface Authorized {
  /** Text of the consent page. */
  readonly consent: string
}

/**
 * @param site.origin of the installation. An error on its pages, or a request to another host except the callback,
 * fails the test.
 */
export function createPerson(browser: Browser, site: { origin: string; username: string }): Person {
  /** Collects browser errors on pages of the installation, and requests to unexpected hosts. */
  function watch(page: Page, redirect: URL): string[] {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => {
      const { origin, pathname } = new URL(message.location().url)
      // The icon belongs to the dashboard, which this installation does not include.
      if (origin === site.origin && pathname !== '/favicon.svg' && ['error', 'warning'].includes(message.type()))
        problems.push(`${message.text()} (${pathname})`)
    })
    page.on('request', (request) => {
      if (![site.origin, redirect.origin].includes(new URL(request.url()).origin)) problems.push(request.url())
    })
    return problems
  }

  async function signInAndAllow(page: Page, redirect: URL): Promise<string> {
    await page.getByLabel('Usuário').fill(site.username)
    await page.getByLabel('Senha').fill(SENHA)
    await page.getByRole('button', { name: 'Entrar', exact: true }).click()
    const allow = page.getByRole('button', { name: 'Autorizar' })
    await allow.waitFor()
    const consent = (await page.locator('main').textContent()) ?? ''
    const more = page.getByRole('radio', { name: /^Ver e/ })
    if ((await more.count()) > 0) await more.check()
    await allow.click()
    await page.waitForURL(({ origin, pathname }) => origin === redirect.origin && pathname === redirect.pathname)
    return consent
  }

  return {
    authorize: async (asked) => {
      const url = new URL(asked)
      const redirect = new URL(url.searchParams.get('redirect_uri') ?? '')
      const context = await browser.newContext({ locale: 'pt-BR', ignoreHTTPSErrors: true })
      const page = await context.newPage()
      const problems = watch(page, redirect)
      try {
        await page.goto(url.href)
        const consent = await signInAndAllow(page, redirect)
        if (problems.length > 0) throw new Error(problems.join('; '))
        return { consent }
      } catch (error) {
        throw new Error(`at ${page.url()} with the text: ${await page.locator('body').textContent()}`, {
          cause: error,
        })
      } finally {
        await context.close()
      }
    },
  }
}
