import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** Starts Chromium: Debian's if it is installed, else that of the npm package. */
export async function openBrowser(): Promise<Browser> {
  const background = [
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ]
  // A browser without a screen would play sound before the first interaction, other than one with a screen.
  const quiet = [...background, '--autoplay-policy=document-user-activation-required']
  const debian = '/usr/bin/chromium'
  if (existsSync(debian))
    return await playwright.launch({ executablePath: debian, args: ['--no-sandbox', '--disable-gpu', ...quiet] })
  return await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, ...quiet],
  })
}
