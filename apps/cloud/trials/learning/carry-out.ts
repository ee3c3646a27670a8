import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { above, below, type Check, resultOf } from '@vigia/testing/checks'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { createSecretBox } from '../../src/adapters/secret-box.ts'
import { createHeavyReads, type HeavyReads } from '../../src/db/heavy-reads/heavy-reads.ts'
import { type Database, openDatabase } from '../../src/db/open.ts'
import { readConcordancia } from '../../src/domains/eventos/relatorios/concordancia.ts'
import { suggestCalibracao } from '../../src/domains/locais/cameras/suggest-calibracao.ts'
import { simulateCalibracao } from '../../src/domains/operacao/calibracao/simulate-calibracao.ts'
import { operatorCaller } from '../../src/test/clients/operator-caller.ts'
import { fillScreens } from '../telas/fill-store.ts'
import { BUSY_CAMERA } from '../telas/sizes.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const DAY_MS = 86_400_000
const EVENTS = 8_000
/** The limit of `npm run lab -- telas` per request, here in processor time. */
const LIMIT_MS = 200

/** Fills a database and measures the requests of the learning from answers. */
export async function carryOut({ progress }: TrialOutput): Promise<Result> {
  const dir = temporaryFolder('vigia-learning-')
  progress(0, 'fills the database')
  const file = join(dir, 'vigia.db')
  await fillScreens(file, EVENTS, NOW, () => {})
  const db = await openDatabase(file)
  const reads = createHeavyReads({ db, file })
  try {
    return resultOf(await measure(db, reads))
  } finally {
    await reads.stop()
    await db.destroy()
    await rm(dir, { recursive: true, force: true })
  }
}

/** Processor time in ms, best of up to five runs. Other programs on the machine hardly affect it. */
async function cpuMs(run: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 5 && best >= LIMIT_MS; i += 1) {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

const clock = { now: () => NOW, advance: () => {} }
const iso = (daysAgo: number) => new Date(NOW - daysAgo * DAY_MS).toISOString()
const cost = async (name: string, run: () => Promise<unknown>): Promise<Check> =>
  below(name, await cpuMs(run), LIMIT_MS, 'ms of processor time')

async function measure(db: Database, reads: HeavyReads): Promise<Check[]> {
  const read = () =>
    readConcordancia({ db, reads }, operatorCaller, { desde: iso(365), ate: iso(0) }, new AbortController().signal)
  const query = { ia: 'invasao', precisao: 0.9 } as const
  const suggest = () => suggestCalibracao({ db, clock }, operatorCaller, BUSY_CAMERA, query)
  const simulate = (invasao: { readonly conf: number; readonly resfriamento_s?: number }) => {
    const deps = { db, clock, box: createSecretBox(Buffer.alloc(32)), limit: { consume: async () => {} } }
    const proposal = { desde: iso(7), ate: iso(0), config_ia: { invasao } }
    return simulateCalibracao(deps, operatorCaller, BUSY_CAMERA, proposal)
  }
  const [strict, lax] = [{ conf: 0.6 }, { conf: 0.41, resfriamento_s: 1 }]
  return [
    above('reviews in the agreement of a year', (await read()).total.revisados, EVENTS / 5),
    await cost('agreement', read),
    above('true events in a suggestion', (await suggest()).verdadeiros, 30),
    await cost('suggestion', suggest),
    above('events before a strict simulation', (await simulate(strict)).antes, 5),
    await cost('strict simulation', () => simulate(strict)),
    above('events before a lax simulation', (await simulate(lax)).antes, 5),
    above('new events of a lax simulation', (await simulate(lax)).surgem_total, 1_000),
    await cost('lax simulation', () => simulate(lax)),
  ]
}
