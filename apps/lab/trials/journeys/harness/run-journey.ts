import { join } from 'node:path'
import type { Api } from '@vigia/testing/api'
import { createAccount, createLogin, unique } from './accounts.ts'
import { checkPage } from './check-page.ts'
import { collectProblems } from './collect-problems.ts'
import type { Account, Journey, Stage } from './journey.ts'
import type { Size } from './sizes.ts'
import type { World } from './world.ts'

/** Time limit of one action of a page, ms. It finds a hang only: journeys run beside other tests on two cores. */
const ACTION_MS = 90_000
/** Narrowest screen with the navigation at the side, px. */
const SIDE_NAVIGATION = 992

/**
 * Runs one journey in a new browser context. `pictures`: folder for a picture of each step. Rejects with the problems
 * of all its steps.
 */
export async function runJourney(
  journey: Journey,
  world: World,
  { width, height, theme }: Size,
  pictures?: string,
): Promise<void> {
  const { vigia, operator, recorder, onvifPorta, withAlerta, withPassagem } = world
  const { base } = vigia
  const browser = journey.notifications ? await world.notifier() : world.browser
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(ACTION_MS)
  const problems: string[] = []
  let steps = 0
  const accounts: Account[] = []
  try {
    const page = await context.newPage()
    const seen = collectProblems(page, base, journey.expected ?? [])
    const narrow = width < SIDE_NAVIGATION
    const stage: Stage = {
      page,
      base,
      operator,
      recorder,
      onvifPorta,
      narrow,
      unique,
      withAlerta,
      withPassagem,
      async account() {
        const account = await createAccount(operator.api)
        accounts.push(account)
        return account
      },
      login: ({ empresaId }, papel) => createLogin(operator.api, empresaId, papel),
      async enter({ api }) {
        await context.addCookies([{ name: 'session', value: api.token, url: base }])
        await page.goto(base)
        await page.getByRole('heading', { level: 1 }).waitFor()
      },
      async navigate(link) {
        const entry = page.getByRole('navigation').getByRole('link', { name: link, exact: true })
        if (narrow && !(await entry.isVisible())) await page.getByRole('navigation').getByRole('button').click()
        await entry.click()
      },
      async step(what, action) {
        try {
          await action()
        } catch (error) {
          const screen = `/tmp/vigia-journey-${journey.name}-${width}-${theme}.png`
          await page.screenshot({ path: screen })
          const message = error instanceof Error ? error.message : String(error)
          throw new Error([...problems, ...seen, `${what}: ${message}`, `Screen: ${screen}`].join('\n'), {
            cause: error,
          })
        }
        for (const problem of [...seen.splice(0), ...(await checkPage(page))]) problems.push(`${what}: ${problem}`)
        steps += 1
        const name = `${journey.name}-${width}-${theme}-${steps} ${what}.png`.replace(/[^\w.-]+/g, '-')
        if (pictures !== undefined) await page.screenshot({ path: join(pictures, name), fullPage: true })
      },
    }
    await journey.run(stage)
    problems.push(...seen)
    if (problems.length > 0) throw new Error(problems.join('\n'))
  } finally {
    await context.close()
    for (const { empresaId } of accounts) await removeCameras(operator.api, empresaId)
  }
}

/** The edge would analyse the cameras of all former runs. */
async function removeCameras(operator: Api, empresaId: number): Promise<void> {
  const cameras = await operator.get<{ id: number }[]>(`/cameras?empresa_id=${empresaId}`)
  for (const { id } of cameras) await operator.call('DELETE', `/cameras/${id}`)
}
