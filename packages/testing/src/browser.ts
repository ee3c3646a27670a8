import { existsSync } from 'node:fs'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** Starts Chromium: Debian's if it is installed, else that of the npm package. */
export async function openBrowser(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
  const debian = '/usr/bin/chromium'
  if (existsSync(debian))
    return await playwright.launch({ executablePath: debian, args: ['--no-sandbox', '--disable-gpu', ...quiet] })
  return await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...chromium.args, ...quiet],
  })
}
