import type { Journey } from './harness/journey.ts'

/** Time between two attempts of the offline page (`sem-conexao.js`). */
const RETRY_MS = 15_000

/** The page can be installed, and without a network it says so, with a page of its own. */
export const aplicativo: Journey = {
  name: 'aplicativo',
  // Without a network every request fails.
  expected: [/net::ERR_/, /Failed to load resource/, /vigia: .* interrompido/],
  async run({ page, base, account, enter, step }) {
    const own = await account()
    await step('installable', async () => {
      await enter(own.admin)
      await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
      const session = await page.context().newCDPSession(page)
      const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
      // A private window, which every context of the test is, cannot install anything.
      const errors = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')
      if (errors.length > 0) throw new Error(JSON.stringify(errors))
    })
    await step('no answer of the API is stored', async () => {
      const paths = await page.evaluate<string[]>(`(async () => {
        const names = await caches.keys()
        const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
        return requests.flat().map(({ url }) => new URL(url).pathname)
      })()`)
      const expected = ['/favicon.svg', '/sem-conexao.css', '/sem-conexao.html', '/sem-conexao.js']
      if (JSON.stringify(paths.sort()) !== JSON.stringify(expected)) throw new Error(paths.join(', '))
    })
    await step('offline page', async () => {
      await page.clock.install()
      await page.context().setOffline(true)
      await page.goto(`${base}/quedas`)
      await page.getByRole('heading', { name: 'Sem conexão com a central' }).waitFor()
    })
    await step('the requested page, when the network is back', async () => {
      await page.context().setOffline(false)
      await page.clock.runFor(RETRY_MS)
      await page.getByRole('heading', { name: 'Quedas' }).waitFor()
    })
  },
}
