import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { packagedChromium } from './packaged-chromium.ts'

/** Whether all browsers are that of the npm package, although Debian's are installed. */
const onlyPackaged = process.env.VIGIA_TEST_NAVEGADOR === 'empacotado'
const installed = (path: string): string | null => (!onlyPackaged && existsSync(path) ? path : null)
const SHELL = installed('/usr/bin/chromium-headless-shell')
const CHROMIUM = installed('/usr/bin/chromium')

/** The reason why `openBrowser()` has no notifications; null: it has. The packaged Chromium is a headless shell. */
export const lacksNotifications = CHROMIUM === null ? "needs Debian's chromium for notifications" : null

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // A browser without a screen would play sound before the first interaction, other than one with a screen.
  '--autoplay-policy=document-user-activation-required',
]

/**
 * Starts Chromium: Debian's if it is installed, else that of the npm package. `shell`: prefers Debian's headless shell,
 * which needs two thirds of the processor time, but has no notifications. `packaged`: that of the npm package.
 */
export async function openBrowser({ shell = false, packaged = false } = {}): Promise<Browser> {
  const debian = packaged ? null : ((shell ? SHELL : null) ?? CHROMIUM)
  if (debian !== null) return await chromium.launch({ executablePath: debian, args: FLAGS })
  const { executablePath, env } = await packagedChromium()
  // The flags that the package recommends start one process for all pages, which ends with the first closed context.
  return await chromium.launch({ executablePath, args: FLAGS, env: { ...process.env, ...env } })
}
