import { fileURLToPath } from 'node:url'
import { openBrowser } from '@vigia/testing/browser'
import { dropTestDatabases } from '@vigia/testing/test-databases'
import { it as base } from 'vitest'
import { startTestApp, type TestApp } from './test-app.ts'

export type Browser = Awaited<ReturnType<typeof openBrowser>>
export type OpenContext = Browser['newContext']
type BrowserContext = Awaited<ReturnType<OpenContext>>
export type Page = Awaited<ReturnType<Browser['newPage']>>

/** The built dashboard. */
export const PAINEL = fileURLToPath(new URL('../../../../dashboard/dist', import.meta.url))

interface OfWorker {
  readonly browser: Browser
  /**
   * One cloud for each worker, with the dashboard. Each file has its Empresa (`app.account`). A file must not move the
   * clock or depend on the operator's view of other Empresas. Otherwise it starts its own cloud (`startTestApp`).
   */
  readonly app: TestApp
}

interface OfFile {
  /** A context of the worker's browser, closed after the last test of the file. */
  readonly openContext: OpenContext
}

/** A fixture that uses no other fixture. */
const standAlone =
  <T>(open: () => Promise<T>, close: (opened: T) => Promise<void>) =>
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the used fixtures from this pattern.
  async ({}, use: (opened: T) => Promise<void>) => {
    const opened = await open()
    await use(opened)
    await close(opened)
  }

/** `it` of the files `*.shared.test.ts`: their worker is not isolated, so its fixtures live until its last file. */
export const it = base.extend<{ $worker: OfWorker; $file: OfFile }>({
  browser: [
    standAlone(
      () => openBrowser({ shell: true }),
      (browser) => browser.close(),
    ),
    { scope: 'worker' },
  ],
  app: [
    standAlone(
      () => startTestApp({ VIGIA_PAINEL_DIR: PAINEL }),
      async (app) => {
        await app.stop()
        await dropTestDatabases()
      },
    ),
    { scope: 'worker' },
  ],
  openContext: [
    async ({ browser }, use) => {
      const opened: BrowserContext[] = []
      await use(async (options) => {
        const context = await browser.newContext(options)
        // Finds a hang only: several programs share two cores.
        context.setDefaultTimeout(90_000)
        opened.push(context)
        return context
      })
      await Promise.all(opened.map((context) => context.close()))
    },
    { scope: 'file' },
  ],
})
