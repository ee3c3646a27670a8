import { createMemoryLog } from '@vigia/link/testing/installation'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { transact } from '../db/transaction.ts'
import { enqueueWork } from '../db/work-queue/queue.ts'
import { openTempDatabase, type TempDatabase } from '../test/records/queue-records.ts'
import { seedCamera } from '../test/records/records.ts'
import { openTelemetry, type Telemetry } from './telemetry.ts'

const NOW = 1_800_000_000_000
let temp: TempDatabase
const opened: Telemetry[] = []

beforeEach(async () => {
  temp = await openTempDatabase()
})
afterEach(async () => {
  for (const telemetry of opened.splice(0)) await telemetry.stop()
  await temp.close()
})

/** Starts the metrics of a replica; returns its scrape. */
async function replica(leads: boolean): Promise<() => Promise<string>> {
  const log = createMemoryLog()
  const telemetry = await openTelemetry({ metricas: { host: '127.0.0.1', port: 0 }, otelUrl: null }, log)
  opened.push(telemetry)
  telemetry.watch({
    db: temp.db,
    clock: { now: () => NOW },
    replica: { leads },
    link: { connected: true },
    disk: { leastFreeBytes: () => null },
  })
  const [, porta] = /métricas \{"porta":(\d+)\}/.exec(log.lines.join('\n')) ?? []
  return async () => (await fetch(`http://127.0.0.1:${porta}/metrics`)).text()
}

it('shows depth and age of the queue, without the age of timers and of stopped work', async () => {
  const { empresaId } = await seedCamera(temp.db)
  const add = (chave: string, since: number, em = 0) =>
    transact(temp.db, (tx) => enqueueWork(tx, [{ tipo: 'verificacao', chave, empresaId, prioridade: 0, em }], since))
  await add('1', NOW - 90_000)
  await add('2', NOW - 30_000)
  await add('3', NOW - 500_000, NOW + 1000)
  const text = await (await replica(true))()
  expect(text).toContain('vigia_queue_items{kind="verificacao",state="pronto"} 2\n')
  expect(text).toContain('vigia_queue_items{kind="verificacao",state="recuo"} 1\n')
  expect(text).toContain('vigia_queue_items{kind="push",state="parado"} 0\n')
  expect(text).toContain('vigia_queue_oldest_seconds{kind="verificacao"} 90\n')
  await temp.db.updateTable('trabalhos').set({ tentativas: 1 }).where('chave', '=', '3').execute()
  await temp.db.updateTable('trabalhos').set({ estado: 'parado' }).where('chave', '=', '1').execute()
  expect(await (await replica(true))()).toContain('vigia_queue_oldest_seconds{kind="verificacao"} 500\n')
})

it('shows the gauges of the database on the leader only', async () => {
  await seedCamera(temp.db)
  const names = /^vigia_(cameras|edges|queue_items|queue_oldest_seconds)\{/m
  const [leader, follower] = [await (await replica(true))(), await (await replica(false))()]
  expect(leader).toContain('vigia_cameras{status="offline"} 1\n')
  expect(leader).toMatch(names)
  expect(follower).not.toMatch(names)
  expect([leader, follower].map((text) => /^vigia_leader (\d)$/m.exec(text)?.[1])).toEqual(['1', '0'])
})

it('answers the metrics of the process while the database fails', async () => {
  const scrape = await replica(true)
  // A connection that was never used could not fail.
  await scrape()
  await temp.db.destroy()
  const text = await scrape()
  expect(text).toMatch(/^process_resident_memory_bytes \d/m)
  expect(text).not.toMatch(/^vigia_cameras\{/m)
})
