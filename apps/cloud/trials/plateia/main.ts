import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Client, missingAlerts, recordRequests, startClient } from './clients.ts'
import { openStage, type Stage } from './stage.ts'

/**
 * `npm run bench:plateia -- [--clientes 60] [--acoes 40]`: times the actions of one browser at Plantão, alone and then
 * beside clients. Each client follows the alert stream and repeats the requests of the browser. The exit code is 0 when
 * no alert is lost and no request fails. The 95th percentile must also be at most 1.5 times the one alone.
 */
const { values } = parseArgs({
  options: { clientes: { type: 'string', default: '60' }, acoes: { type: 'string', default: '40' } },
})
const count = Number(values.clientes)
const rounds = Number(values.acoes)
if (
  !(Number.isInteger(count) && count >= 1 && count <= 200 && Number.isInteger(rounds) && rounds >= 10 && rounds <= 500)
) {
  console.error('--clientes is 1 to 200 and --acoes 10 to 500: npm run bench:plateia -- --clientes 60 --acoes 40')
  process.exit(2)
}
const RATIO_MAX = 1.5
/** Below the limit of streams of one login (docs/interface.md). */
const CLIENTS_PER_LOGIN = 20
/** Time between two answers of a vigilante. */
const PAUSE_MS = 500

const stage = await openStage()
let ok = true
let turns = 0
const clients: Client[] = []
try {
  await stage.page.goto(stage.base)
  await stage.page.getByRole('heading', { level: 1 }).waitFor()
  // The first actions load pages and caches.
  await act(stage, 5)
  const recording = recordRequests(stage.page)
  const alone = await act(stage, rounds)
  const lengthMs = recording.stop()
  for (let i = 0; i < count; i += CLIENTS_PER_LOGIN) {
    const api = await stage.login()
    for (let j = i; j < Math.min(count, i + CLIENTS_PER_LOGIN); j += 1)
      clients.push(await startClient(api, recording.requests, lengthMs, j / count))
  }
  const beside = await act(stage, rounds)
  const missing = await Promise.all(clients.map((client) => missingAlerts(client, beside.ids)))
  const lost = missing.reduce((sum, n) => sum + n, 0)
  const total = (of: (client: Client) => number) => clients.reduce((sum, client) => sum + of(client), 0)
  const failures = total((client) => client.failures())
  const ratio = p95(beside.durations) / p95(alone.durations)
  ok = lost === 0 && failures === 0 && ratio <= RATIO_MAX
  console.log('| browser | actions | median, ms | p95, ms |')
  console.log('|---|---:|---:|---:|')
  for (const [name, { durations }] of [['alone', alone] as const, [`beside ${count} clients`, beside] as const])
    console.log(`| ${name} | ${durations.length} | ${at(durations, 0.5).toFixed(0)} | ${p95(durations).toFixed(0)} |`)
  console.log(`p95 beside / alone: ${ratio.toFixed(2)}, limit ${RATIO_MAX}`)
  console.log(
    `clients: ${clients.length}, requests: ${total((client) => client.requests())}, failed: ${failures}, ` +
      `alerts lost: ${lost} of ${beside.ids.length * clients.length}`,
  )
} finally {
  await Promise.all(clients.map((client) => client.stop()))
  await stage.close()
}
process.exit(ok ? 0 : 1)

/** Takes each new incidente into the queue by key and answers it by key. The durations are of both actions, ms. */
async function act({ page, guard, alert }: Stage, times: number): Promise<{ durations: number[]; ids: number[] }> {
  const durations: number[] = []
  const ids: number[] = []
  const panel = page.getByRole('article').first()
  for (let turn = 0; turn < times; turn += 1) {
    const { id, camera } = await alert(turns++)
    ids.push(id)
    const name = panel.getByText(camera, { exact: true }).first()
    // The stream reads the database at least once a second.
    await page.getByRole('list', { name: 'Fila de incidentes' }).getByText(camera).or(news(page)).first().waitFor()
    durations.push(await timed(() => page.keyboard.press('a').then(() => name.waitFor())))
    await wait(PAUSE_MS)
    const answered = panel.getByText(`Verdadeiro: atendido por ${guard} às`)
    durations.push(await timed(() => page.keyboard.press('v').then(() => answered.waitFor())))
  }
  return { durations, ids }
}

async function timed(action: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await action()
  return performance.now() - begun
}

function at(durations: readonly number[], share: number): number {
  // Nearest rank.
  return durations.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * durations.length) - 1)] ?? Number.NaN
}

function p95(durations: readonly number[]): number {
  return at(durations, 0.95)
}

function news(page: Stage['page']) {
  return page.getByRole('button', { name: /^\d+ novos?$/ })
}
