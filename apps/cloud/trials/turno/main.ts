import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openStage, type Page } from './stage.ts'

/**
 * `npm run bench:turno -- [--horas 12] [--minutos 15]`: replays a shift of a vigilante at Plantão in Chromium with a
 * fast clock. Prints heap after a collection, nodes and listeners of each hour. The exit code is 0 when every later
 * sample is at most 10 % above the largest one of the first quarter.
 */
const { values } = parseArgs({
  options: { horas: { type: 'string', default: '12' }, minutos: { type: 'string', default: '15' } },
})
const hours = Number(values.horas)
const realMs = Number(values.minutos) * 60_000
if (!(hours >= 4 && hours <= 24 && realMs >= 60_000 && realMs <= 3_600_000)) {
  console.error('--horas is 4 to 24 and --minutos 1 to 60: npm run bench:turno -- --horas 12 --minutos 15')
  process.exit(2)
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** The page notices a silent stream after 35 s of its clock, so that a step is far below. */
const STEP_MS = 5_000
const ALERT_EVERY_MS = 2 * MINUTE_MS
const GROWTH_MAX = 1.1
const ANSWERS = ['v', 'f', 's'] as const

type Session = Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>>

interface Sample {
  readonly heapMiB: number
  readonly nodes: number
  readonly listeners: number
}
const measures = ['heapMiB', 'nodes', 'listeners'] as const

const stage = await openStage()
const samples: Sample[] = []
try {
  const { app, page } = stage
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const stepRealMs = realMs / ((hours * HOUR_MS) / STEP_MS)
  console.log('| hour | heap, MiB | nodes | listeners | alerts | answers |')
  console.log('|---:|---:|---:|---:|---:|---:|')
  let alerts = 0
  let answers = 0
  for (let at = STEP_MS; at <= hours * HOUR_MS; at += STEP_MS) {
    const begun = performance.now()
    if (at % ALERT_EVERY_MS === 0) await stage.alert(alerts++)
    app.clock.advance(STEP_MS)
    await page.clock.runFor(STEP_MS)
    if (at % ALERT_EVERY_MS === ALERT_EVERY_MS / 2 && at > ALERT_EVERY_MS) await answer(page, answers++)
    if (at % HOUR_MS === 0) {
      const sample = await measure(session)
      samples.push(sample)
      const cells = [at / HOUR_MS, sample.heapMiB.toFixed(1), sample.nodes, sample.listeners, alerts, answers]
      console.log(`| ${cells.join(' | ')} |`)
    }
    await wait(Math.max(0, stepRealMs - (performance.now() - begun)))
  }
} finally {
  await stage.close()
}

const quarter = samples.slice(0, Math.ceil(samples.length / 4))
const later = samples.slice(quarter.length)
let ok = stage.problems.length === 0
for (const problem of new Set(stage.problems)) console.log(problem)
for (const measure of measures) {
  const most = (some: readonly Sample[]) => Math.max(...some.map((sample) => sample[measure]))
  const ratio = most(later) / most(quarter)
  if (!(ratio <= GROWTH_MAX)) ok = false
  console.log(`${measure}: ${ratio.toFixed(3)} of the first quarter, limit ${GROWTH_MAX}`)
}
process.exit(ok ? 0 : 1)

/** Takes new incidentes into the queue and answers the selected one. */
async function answer(page: Page, turn: number): Promise<void> {
  await page.keyboard.press('a')
  await page.clock.runFor(1_000)
  await page.keyboard.press(ANSWERS[turn % ANSWERS.length] ?? 'v')
  await page.keyboard.press('n')
}

async function measure(session: Session): Promise<Sample> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
  return { heapMiB: of('JSHeapUsedSize') / 2 ** 20, nodes: of('Nodes'), listeners: of('JSEventListeners') }
}
