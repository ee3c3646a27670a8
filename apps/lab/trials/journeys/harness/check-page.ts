import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { waitFor } from '@vigia/testing/wait'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { SHAPE } from './page-shape.ts'

/** WCAG 2.2 AA and axe's own rules of good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const AXE_OPTIONS = JSON.stringify({ runOnly: TAGS, resultTypes: ['violations'], reporter: 'no-passes' })
/** A browser compiles the short form in half the time. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Shapes of pages without a finding. Each is measured once in a process. */
const sound = new Set<string>()

/**
 * Returns the problems of the page in its current state: axe's serious and critical findings, markup, overflow. Several
 * primary actions are one too, and a table that scrolls sideways on a phone.
 */
export async function checkPage(page: Page): Promise<string[]> {
  await settle(page)
  const problems = await findBarriers(page)
  if (await page.evaluate<boolean>('globalThis.hostil !== undefined || document.querySelector("img[src=x]") !== null'))
    problems.push('a hostile name became markup')
  const primary = await page.evaluate<string[]>(PRIMARY)
  if (primary.length > 1) problems.push(`several primary actions: ${primary.join(', ')}`)
  const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  if (wider > 0) problems.push(`the content is ${wider} px wider than the screen`)
  const hidden = await page.evaluate<number>(WIDEST_TABLE)
  if (hidden > 0) problems.push(`a phone shows a table without its last ${hidden} px`)
  return problems
}

/** Names of the filled buttons of the page that a person sees, without those of dialogs. */
const PRIMARY = `
  [...document.querySelectorAll('main .mantine-Button-root')]
    .filter((button) => button.checkVisibility() && (button.dataset.variant ?? 'filled') === 'filled')
    .map((button) => button.innerText)`

/** Screens that show the rows of a table as lines (table.module.css). */
const PHONE = '(max-width: 47.99em)'

/** Width of the hidden part of the widest table on a phone, px. */
const WIDEST_TABLE = `matchMedia('${PHONE}').matches
  ? Math.max(0, ...[...document.querySelectorAll('table')].map(({ parentElement: { parentElement } }) =>
      parentElement.scrollWidth - parentElement.clientWidth))
  : 0`

/** axe's serious and critical findings; none for a shape that had none. */
async function findBarriers(page: Page): Promise<string[]> {
  const shape = createHash('sha256')
    .update(await page.evaluate<string>(SHAPE))
    .digest('base64')
  if (sound.has(shape)) return []
  // Each document needs the script once, and no page of the product has frames.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(AXE)
  let serious = await runAxe(page)
  if (serious.some(({ id }) => id === 'target-size')) {
    // A control that is scrolled half under the fixed head is not small.
    const top = await page.evaluate<number>('scrollY')
    await page.evaluate('scrollTo(0, 0)')
    serious = await runAxe(page)
    await page.evaluate(`scrollTo(0, ${top})`)
  }
  if (serious.length === 0) sound.add(shape)
  return serious.map(
    ({ id, nodes }) => `axe ${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
  )
}

async function runAxe(page: Page): Promise<axe.Result[]> {
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${AXE_OPTIONS})`)
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
}

/** Waits until placeholders and transitions have ended: axe would measure the contrast of half-visible text. */
export const settle = (page: Page): Promise<boolean> =>
  // Not page.waitForFunction: it evaluates a string inside the page, which the policy of the page forbids.
  waitFor('the page to come to rest', () => page.evaluate<boolean>(AT_REST), { everyMs: 50 })
const AT_REST = `
  !document.querySelector('[aria-busy="true"], main .mantine-Skeleton-root') &&
  !document.getAnimations().some(
    ({ playState, effect }) => playState === 'running' && effect?.getTiming().iterations !== Infinity)`
