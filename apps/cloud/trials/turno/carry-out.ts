import { setTimeout as wait } from 'node:timers/promises'
import type { Result, Row, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import type { Page } from '../guard-page.ts'
import { openStage, type Stage } from './stage.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** The page notices a silent stream after 35 s of its clock, so that a step is far below. */
const STEP_MS = 5_000
const ALERT_EVERY_MS = 2 * MINUTE_MS
/** From a sample to the end of its hour and the next alert: a page that receives one holds more for a moment. */
const QUIET_MS = 30_000
const GROWTH_MAX = 1.1
const ANSWERS = ['v', 'f', 's'] as const

type Session = Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>>

/** State of the page at the end of an hour. */
interface Sample {
  readonly hour: number
  readonly heapMiB: number
  readonly nodes: number
  readonly listeners: number
  /** So far. */
  readonly alerts: number
  readonly answers: number
}
const measures = ['heapMiB', 'nodes', 'listeners'] as const

export async function carryOut(options: Options, { print, progress }: TrialOutput): Promise<Result> {
  const stage = await openStage()
  const samples = await replayShift(stage, options, progress).finally(() => stage.close())
  for (const problem of new Set(stage.problems)) print(problem)
  const quarter = samples.slice(0, Math.ceil(samples.length / 4))
  const later = samples.slice(quarter.length)
  let passed = stage.problems.length === 0
  for (const measure of measures) {
    const most = (some: readonly Sample[]) => Math.max(...some.map((sample) => sample[measure]))
    const ratio = most(later) / most(quarter)
    if (!(ratio <= GROWTH_MAX)) passed = false
    print(`${measure}: ${ratio.toFixed(3)} of the first quarter, limit ${GROWTH_MAX}`)
  }
  return { passed, rows: samples.map(toRow) }
}

async function replayShift(
  stage: Stage,
  { horas, minutos }: Options,
  onProgress: TrialOutput['progress'],
): Promise<Sample[]> {
  const { app, page } = stage
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const shiftMs = horas * HOUR_MS
  const stepRealMs = (minutos * MINUTE_MS) / (shiftMs / STEP_MS)
  const samples: Sample[] = []
  let alerts = 0
  let answers = 0
  for (let at = STEP_MS; at <= shiftMs; at += STEP_MS) {
    const begun = performance.now()
    if (at % ALERT_EVERY_MS === 0) await stage.alert(alerts++)
    app.clock.advance(STEP_MS)
    await page.clock.runFor(STEP_MS)
    if (at % ALERT_EVERY_MS === ALERT_EVERY_MS / 2 && at > ALERT_EVERY_MS) await answer(page, answers++)
    if (at % MINUTE_MS === 0) onProgress(at / shiftMs, `${alerts} alerts, ${answers} answers`)
    const hour = (at + QUIET_MS) / HOUR_MS
    if (Number.isInteger(hour)) samples.push({ hour, ...(await measure(session)), alerts, answers })
    await wait(Math.max(0, stepRealMs - (performance.now() - begun)))
  }
  return samples
}

/** Takes new incidentes into the queue and answers the selected one. */
async function answer(page: Page, turn: number): Promise<void> {
  await page.keyboard.press('a')
  await page.clock.runFor(1_000)
  await page.keyboard.press(ANSWERS[turn % ANSWERS.length] ?? 'v')
  await page.keyboard.press('n')
}

async function measure(session: Session): Promise<Pick<Sample, (typeof measures)[number]>> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
  return { heapMiB: of('JSHeapUsedSize') / 2 ** 20, nodes: of('Nodes'), listeners: of('JSEventListeners') }
}

const toRow = ({ heapMiB, hour, ...counts }: Sample): Row => ({
  hour,
  'heap, MiB': Number(heapMiB.toFixed(1)),
  ...counts,
})
