import type { World } from './world.ts'

/** The typefaces of the build that the login page has loaded, for a browser with an empty cache. */
export async function loadedFaces({ vigia, browser }: World): Promise<string[]> {
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1280, height: 800 } })
  try {
    const page = await context.newPage()
    await page.goto(vigia.base)
    await page.getByLabel('Usuário').waitFor()
    const loaded = "[...faces].filter(({ status }) => status === 'loaded').map(({ family }) => family)"
    return await page.evaluate<string[]>(`document.fonts.ready.then((faces) => ${loaded})`)
  } finally {
    await context.close()
  }
}
