import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { packagedChromium } from './packaged-chromium.ts'

/** `empacotado`: use the Chromium of the npm package although Debian's is installed. */
const isPackagedWanted = process.env.VIGIA_TEST_NAVEGADOR === 'empacotado'
const SHELL = '/usr/bin/chromium-headless-shell'
const CHROMIUM = '/usr/bin/chromium'
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
 * which needs two thirds of the processor time, but has no notifications.
 */
export async function openBrowser({ shell = false } = {}): Promise<Browser> {
  const debian = isPackagedWanted ? undefined : [...(shell ? [SHELL] : []), CHROMIUM].find((path) => existsSync(path))
  if (debian !== undefined) return await chromium.launch({ executablePath: debian, args: FLAGS })
  const { executablePath, env } = await packagedChromium()
  // The flags that the package recommends start one process for all pages, which ends with the first closed context.
  return await chromium.launch({ executablePath, args: FLAGS, env: { ...process.env, ...env } })
}
