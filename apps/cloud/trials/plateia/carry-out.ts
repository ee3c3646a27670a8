import { setTimeout as wait } from 'node:timers/promises'
import { percentile } from '@vigia/testing/stats'
import type { Result, Row, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import type { Page } from '../guard-page.ts'
import { type Client, missingAlerts, recordRequests, startClient } from './clients.ts'
import { openStage, type Stage } from './stage.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

const RATIO_MAX = 1.5
/** Below the limit of streams of one login (docs/interface.md). */
const CLIENTS_PER_LOGIN = 20
/** Time between two answers of a vigilante. */
const PAUSE_MS = 500
/** The first actions load pages and caches. */
const WARM_UP = 5

/** Actions of the browser; their durations in ms, and the ids of their alerts. */
interface Acted {
  readonly durations: readonly number[]
  readonly ids: readonly number[]
}

export async function carryOut(options: Options, { print, progress }: TrialOutput): Promise<Result> {
  const { clientes: count, acoes: rounds } = options
  const stage = await openStage()
  const clients: Client[] = []
  let turns = 0
  const act = async (times: number): Promise<Acted> => {
    const durations: number[] = []
    const ids: number[] = []
    for (let turn = 0; turn < times; turn += 1) {
      progress(turns / (WARM_UP + 2 * rounds), `${clients.length} clients`)
      const alert = await stage.alert(turns++)
      ids.push(alert.id)
      durations.push(...(await takeAndAnswer(stage, alert.camera)))
    }
    return { durations, ids }
  }
  try {
    await stage.page.goto(stage.base)
    await stage.page.getByRole('heading', { level: 1 }).waitFor()
    await act(WARM_UP)
    const recording = recordRequests(stage.page)
    const alone = await act(rounds)
    const lengthMs = recording.stop()
    for (let i = 0; i < count; i += CLIENTS_PER_LOGIN) {
      const api = await stage.login()
      for (let j = i; j < Math.min(count, i + CLIENTS_PER_LOGIN); j += 1)
        clients.push(await startClient(api, recording.requests, lengthMs, j / count))
    }
    const beside = await act(rounds)
    const missing = await Promise.all(clients.map((client) => missingAlerts(client, beside.ids)))
    const lost = missing.reduce((sum, n) => sum + n, 0)
    const total = (of: (client: Client) => number) => clients.reduce((sum, client) => sum + of(client), 0)
    const failures = total((client) => client.failures())
    const ratio = percentile(beside.durations, 0.95) / percentile(alone.durations, 0.95)
    print(`p95 beside / alone: ${ratio.toFixed(2)}, limit ${RATIO_MAX}`)
    print(
      `clients: ${clients.length}, requests: ${total((client) => client.requests())}, failed: ${failures}, ` +
        `alerts lost: ${lost} of ${beside.ids.length * clients.length}`,
    )
    return {
      passed: lost === 0 && failures === 0 && ratio <= RATIO_MAX,
      rows: [toRow('alone', alone), toRow(`beside ${count} clients`, beside)],
    }
  } finally {
    await Promise.all(clients.map((client) => client.stop()))
    await stage.close()
  }
}

/** Takes a new incidente into the queue by key and answers it by key. Returns the durations of both actions, ms. */
async function takeAndAnswer({ page, guard }: Stage, camera: string): Promise<[number, number]> {
  const panel = page.getByRole('article').first()
  const name = panel.getByText(camera, { exact: true }).first()
  // The stream reads the database at least once a second.
  await page.getByRole('list', { name: 'Fila de incidentes' }).getByText(camera).or(news(page)).first().waitFor()
  const taken = await timed(() => page.keyboard.press('a').then(() => name.waitFor()))
  await wait(PAUSE_MS)
  const answered = panel.getByText(`Verdadeiro: atendido por ${guard} às`)
  return [taken, await timed(() => page.keyboard.press('v').then(() => answered.waitFor()))]
}

async function timed(action: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await action()
  return performance.now() - begun
}

const news = (page: Page) => page.getByRole('button', { name: /^\d+ novos?$/ })

function toRow(browser: string, { durations }: Acted): Row {
  const ms = (share: number) => Math.round(percentile(durations, share))
  return { browser, actions: durations.length, 'median, ms': ms(0.5), 'p95, ms': ms(0.95) }
}
