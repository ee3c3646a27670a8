import type { Api } from '@vigia/testing/api'
import type { Page } from '../guard-page.ts'

/** A path for GET, or one with the body of a POST. */
export type Request = string | { readonly path: string; readonly body: object }

const asPost = (request: Request): { readonly path: string; readonly body?: string } =>
  typeof request === 'string' ? { path: request } : { path: request.path, body: JSON.stringify(request.body) }

/** Sends each request once to warm up and then `rounds` times, one after the other. */
export async function timeRequests(
  api: Api,
  paths: readonly Request[],
  rounds: number,
): Promise<{ readonly durations: readonly number[]; readonly slowest: string }> {
  const durations: number[] = []
  let slowest = ''
  for (let round = 0; round <= rounds; round += 1)
    for (const { path, body } of paths.map(asPost)) {
      const init = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': 'application/json' } }
      const start = performance.now()
      const response = await api.fetch(path, init)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${path}: HTTP ${response.status}`)
      if (round === 0) continue
      const duration = performance.now() - start
      if (duration > Math.max(0, ...durations)) slowest = path
      durations.push(duration)
    }
  return { durations, slowest }
}

/** A page of the dashboard: its address, and an element that exists when its data is shown. */
export interface Screen {
  readonly path: string
  readonly shown: string
}

/** Page without the data of any measured one. */
const ELSEWHERE = '/conta'

/** Time in ms from the click on the link of a page, whose data the browser does not have, until it is painted. */
export async function timePaint(page: Page, base: string, { path, shown }: Screen): Promise<number> {
  await page.goto(`${base}${ELSEWHERE}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Work of the first page ends before the measurement.
  await page.evaluate('new Promise((resolve) => requestIdleCallback(resolve))')
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const link = document.querySelector('nav a[href^=${JSON.stringify(path)}]')
    const start = performance.now()
    link.click()
    const check = () => {
      if (performance.now() - start > 20000) reject(new Error('not shown: ' + ${JSON.stringify(shown)}))
      else if (document.querySelector(${JSON.stringify(shown)}) === null) requestAnimationFrame(check)
      // The second frame begins after the first one is painted.
      else requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)))
    }
    check()
  })`)
}
