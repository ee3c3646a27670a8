import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBrowser } from '@vigia/testing/browser'
import { repositoryRoot } from '@vigia/testing/program'
import { startRecorder } from '@vigia/testing/simulator'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import type { Browser } from 'playwright-core'
import { addFirstCamera } from './first-camera.ts'
import { cloneRepository, type NpmStart, npmStart } from './start-clone.ts'
import { createStopwatch } from './stopwatch.ts'

/**
 * `npm run stopwatch`: clones the last commit and runs `npm start`. Adds a camera of the recorder simulator, draws a
 * zone, tests it to a second screen and answers its alert by one key. Prints actions and seconds of each step.
 * `--pronto` uses this working tree instead of a clone. The exit code is 0 when every step succeeds.
 */
const { values } = parseArgs({ options: { pronto: { type: 'boolean', default: false } } })
const print = (line: string) => void process.stdout.write(`${line}\n`)

const folder = temporaryDiskFolder('vigia-stopwatch-')
const opened: { close(): Promise<unknown> }[] = []
// Also after a signal: Playwright ends the process by itself.
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const stopwatch = createStopwatch(print, () => performance.now())
let vigia: NpmStart | undefined
let browser: Browser | undefined
try {
  const { step } = stopwatch
  const recorder = await startRecorder()
  opened.push(recorder)
  browser = await openBrowser()
  opened.push(browser)

  const dir = values.pronto ? repositoryRoot : join(folder, 'vigia')
  if (!values.pronto) await step('git clone', () => cloneRepository(dir))
  const started = await npmStart(dir, join(folder, 'data'))
  vigia = started
  opened.push({ close: started.stop })
  if (!values.pronto) await step('npm start: packages', () => started.printed('Instalando dependências: pronto'))
  await step('npm start: dashboard', () => started.printed('Construindo o painel: pronto'))
  await step('npm start: programs', () => started.printed('Para parar: Ctrl-C'))

  const username = /^Operador: (\S+)$/m.exec(started.output())?.[1]
  const password = /^Senha: (\S+) {2}/m.exec(started.output())?.[1]
  if (username === undefined || password === undefined) throw new Error(`no login in:\n${started.output()}`)
  await addFirstCamera(stopwatch, { base: started.base, login: { username, password }, recorder, browser })
  stopwatch.total()
} catch (error) {
  process.exitCode = 1
  console.error(error)
  const pages = browser?.contexts().flatMap((context) => context.pages()) ?? []
  for (const [index, page] of pages.entries()) await page.screenshot({ path: `/tmp/vigia-stopwatch-${index + 1}.png` })
  if (vigia) console.error(`The end of the output of npm start:\n${vigia.output().slice(-2000)}`)
} finally {
  for (const one of opened.reverse()) await one.close()
}
