import { OPERATOR } from '@vigia/testing/installation'
import { settle } from './check-page.ts'
import type { World } from './world.ts'

interface Script {
  readonly path: string
  /** Body as the cloud sends it, compressed. */
  readonly bytes: number
}

/** Signs in with an empty cache and returns every script that was loaded until the first page is complete. */
export async function measureScripts({ vigia, browser }: World): Promise<Script[]> {
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    const sizes: Promise<Script>[] = []
    page.on('response', (response) => {
      if (!(response.headers()['content-type'] ?? '').startsWith('text/javascript')) return
      const path = new URL(response.url()).pathname
      const script = response.request().sizes()
      sizes.push(script.then(({ responseBodySize }) => ({ path, bytes: responseBodySize })))
    })
    await page.goto(vigia.base)
    await page.getByLabel('Usuário').fill(OPERATOR.username)
    await page.getByLabel('Senha', { exact: true }).fill(OPERATOR.password)
    await page.getByRole('button', { name: 'Entrar' }).click()
    await page.getByRole('heading', { name: 'Plantão' }).waitFor()
    await settle(page)
    // The second page of this visit takes the same files from the cache of the browser.
    const first = new Map<string, Script>()
    for (const script of await Promise.all(sizes)) if (!first.has(script.path)) first.set(script.path, script)
    return [...first.values()]
  } finally {
    await context.close()
  }
}
