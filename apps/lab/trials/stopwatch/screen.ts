import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import type { Actions } from './stopwatch.ts'

/** Time limit of one action of a page, ms. */
const ACTION_MS = 60_000

/** One screen of a person. Every action on it is counted. */
export interface Screen {
  readonly page: Page
  open(address: string): Promise<void>
  click(control: Locator): Promise<void>
  fill(field: Locator, text: string): Promise<void>
  choose(field: Locator, label: string): Promise<void>
  /** Clicks the control at a fraction of its width and height. */
  clickAt(control: Locator, point: readonly [number, number]): Promise<void>
  press(key: string): Promise<void>
}

/** Opens a screen with a session of its own. */
export async function openScreen(browser: Browser, actions: Actions): Promise<Screen> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
  })
  context.setDefaultTimeout(ACTION_MS)
  const page = await context.newPage()
  return {
    page,
    async open(address) {
      actions.fields += 1
      await page.goto(address)
    },
    async click(control) {
      actions.clicks += 1
      await control.click()
    },
    async fill(field, text) {
      actions.fields += 1
      await field.fill(text)
    },
    async choose(field, label) {
      actions.fields += 1
      await field.selectOption({ label })
    },
    async clickAt(control, [x, y]) {
      const box = await control.boundingBox()
      if (!box) throw new Error('the control is not on the screen')
      actions.clicks += 1
      await page.mouse.click(box.x + x * box.width, box.y + y * box.height)
    },
    async press(key) {
      actions.keys += 1
      await page.keyboard.press(key)
    },
  }
}
