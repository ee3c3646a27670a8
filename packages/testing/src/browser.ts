import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/**
 * Starts Chromium: Debian's if it is installed, else that of the npm package. `shell`: prefers Debian's headless shell,
 * which needs two thirds of the processor time, but has no notifications.
 */
export async function openBrowser({ shell = false } = {}): Promise<Browser> {
  const background = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ]
  // A browser without a screen would play sound before the first interaction, other than one with a screen.
  const quiet = [...background, '--autoplay-policy=document-user-activation-required']
  const programs = [...(shell ? ['/usr/bin/chromium-headless-shell'] : []), '/usr/bin/chromium']
  const debian = programs.find((path) => existsSync(path))
  if (debian !== undefined)
    return await playwright.launch({ executablePath: debian, args: ['--no-sandbox', '--disable-gpu', ...quiet] })
  return await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, ...quiet],
  })
}
