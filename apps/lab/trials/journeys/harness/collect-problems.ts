import type { Page } from 'playwright-core'

/** Collects what a page reports: script errors, console errors, violations of its policy, requests to other hosts. */
export function collectProblems(page: Page, base: string, expected: readonly RegExp[]): string[] {
  const problems: string[] = []
  const add = (problem: string) => {
    if (!expected.some((one) => one.test(problem))) problems.push(problem)
  }
  page.on('pageerror', (error) => add(`script: ${error.stack ?? error.message}`))
  // A violation of the Content-Security-Policy is a console error, too.
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      add(`console: ${message.text()} (${message.location().url.replace(base, '')})`)
  })
  page.on('dialog', (dialog) => {
    add(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !/^(data|blob):/.test(request.url())) add(`request: ${request.url()}`)
  })
  return problems
}
