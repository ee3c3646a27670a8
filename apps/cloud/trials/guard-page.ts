import { openBrowser } from '@vigia/testing/browser'

export type Page = Awaited<ReturnType<Awaited<ReturnType<typeof openBrowser>>['newPage']>>

/** A page in Chromium, of the size of a laptop, that the login of `token` has entered. @param url of the cloud */
export async function openGuardPage(
  url: string,
  token: string,
): Promise<{ readonly page: Page; close(): Promise<void> }> {
  const browser = await openBrowser()
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1280, height: 800 } })
  await context.addCookies([{ name: 'session', value: token, url }])
  return { page: await context.newPage(), close: () => browser.close() }
}
