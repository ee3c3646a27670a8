import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '@vigia/testing/browser'
import { repositoryRoot } from '@vigia/testing/program'
import { startRecorder } from '@vigia/testing/simulator'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { Browser } from 'playwright-core'
import type { z } from 'zod'
import { addFirstCamera } from './first-camera.ts'
import { cloneRepository, type NpmStart, npmStart } from './start-clone.ts'
import { createStopwatch } from './stopwatch.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Number of steps, for the progress. */
const STEPS = { clone: 14, pronto: 12 }

/**
 * Clones the last commit and runs `npm start`. Adds a camera of the recorder simulator, draws a zone, tests it to a
 * second screen and answers its alert by one key.
 */
export async function carryOut({ pronto }: Options, { print, progress }: TrialOutput): Promise<Result> {
  const folder = temporaryDiskFolder('vigia-stopwatch-')
  const opened: { close(): Promise<unknown> }[] = []
  // Also after a signal: Playwright ends the process by itself.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

  const all = pronto ? STEPS.pronto : STEPS.clone
  const stopwatch = createStopwatch(
    (step, finished) => progress(finished / all, step),
    () => performance.now(),
  )
  let vigia: NpmStart | undefined
  let browser: Browser | undefined
  try {
    const { step } = stopwatch
    const recorder = await startRecorder()
    opened.push(recorder)
    browser = await openBrowser()
    opened.push(browser)

    const dir = pronto ? repositoryRoot : join(folder, 'vigia')
    if (!pronto) await step('git clone', () => cloneRepository(dir))
    const started = await npmStart(dir, join(folder, 'data'))
    vigia = started
    opened.push({ close: started.stop })
    if (!pronto) await step('npm start: packages', () => started.printed('Instalando dependências: pronto'))
    await step('npm start: dashboard', () => started.printed('Construindo o painel: pronto'))
    await step('npm start: programs', () => started.printed('Para parar: Ctrl-C'))

    const username = /^Operador: (\S+)$/m.exec(started.output())?.[1]
    const password = /^Senha: (\S+) {2}/m.exec(started.output())?.[1]
    if (username === undefined || password === undefined) throw new Error(`no login in:\n${started.output()}`)
    await addFirstCamera(stopwatch, { base: started.base, login: { username, password }, recorder, browser })
    return { passed: true, rows: stopwatch.rows() }
  } catch (error) {
    const pages = browser?.contexts().flatMap((context) => context.pages()) ?? []
    for (const [index, page] of pages.entries())
      await page.screenshot({ path: `/tmp/vigia-stopwatch-${index + 1}.png` })
    if (vigia) print(`The end of the output of npm start:\n${vigia.output().slice(-2000)}`)
    throw error
  } finally {
    for (const one of opened.reverse()) await one.close()
  }
}
