import type { Page } from 'playwright-core'

/** States of a page. `cheia` is the page with data; its pictures have no state in their file name. */
export const states = ['cheia', 'vazia', 'carregando', 'sem-conexao', 'erro'] as const
export type State = (typeof states)[number]

/** Paths that the frame of the dashboard needs in every state. */
const FRAME = ['/api/v1/me', '/healthz']

/** Replaces the answers of the API, so that the next page has this state. `vazia` needs another login instead. */
export async function enterState(page: Page, state: State): Promise<void> {
  await page.unrouteAll()
  if (state === 'carregando')
    await page.route('**/api/v1/**', async (route) => {
      // Without an answer the page shows its placeholders.
      if (FRAME.includes(new URL(route.request().url()).pathname)) await route.continue()
    })
  if (state === 'erro')
    await page.route('**/api/v1/**', async (route) => {
      if (FRAME.includes(new URL(route.request().url()).pathname)) await route.continue()
      else await route.fulfill({ status: 503, json: { detail: 'A central está reiniciando. Tente outra vez.' } })
    })
  if (state === 'sem-conexao') await page.route('**/api/v1/sse/**', (route) => route.abort())
}

/** A list of the page `/ui` shows its placeholders for ever. */
const LOADED = `!document.querySelector('[aria-busy="true"]:not([data-sample] *), main .mantine-Skeleton-root')`

/** JavaScript that is true as soon as the page shows this state. */
export const shown: Readonly<Record<State, string>> = {
  // Pictures below the fold are loaded when a person scrolls to them.
  cheia: `${LOADED} && [...document.images].every(
    (image) => image.complete || image.getBoundingClientRect().top > innerHeight)`,
  vazia: LOADED,
  carregando: `document.querySelector('main h1') !== null`,
  // The notice appears when the stream has been interrupted for some seconds.
  'sem-conexao': `document.querySelector('main')?.textContent.includes('Sem contato com a central')`,
  erro: LOADED,
}
