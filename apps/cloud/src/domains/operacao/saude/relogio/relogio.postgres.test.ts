import { join } from 'node:path'
import { fixture } from '@vigia/testing/fixture'
import { pino } from 'pino'
import { beforeEach, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../../adapters/media-store/file-media-store.ts'
import type { Database } from '../../../../db/open.ts'
import { isPostgres } from '../../../../db/postgres-dialect.ts'
import { transact } from '../../../../db/transaction.ts'
import { seedCanal } from '../../../../test/records/queue-records.ts'
import { seedCamera } from '../../../../test/records/records.ts'
import { DAY_MS, type Seeded, seedEvento } from '../../../../test/records/retention-records.ts'
import { queuedMessages } from '../../../../test/stores/espaco-store.ts'
import { countEventos, heldKinds, restartAges, seedOldEventos } from '../../../../test/stores/relogio-store.ts'
import { openTwoPools } from '../../../../test/walks/races.ts'
import { sweepEmpresa } from '../../retencao/sweep-empresa.ts'
import { createAgeClock } from './age-clock.ts'

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * DAY_MS
const NOON = Date.UTC(2026, 10, 21, 12)
const log = pino({ level: 'silent' })
let seeded: Seeded
/** Real time, and the errors of the wall clocks of both machines. */
let elapsed: number
let ahead: [number, number]

const replica = (db: Database, at: 0 | 1) =>
  createAgeClock({ db, clock: { now: () => NOON + elapsed + ahead[at] }, monotonic: () => elapsed, log })
let one: ReturnType<typeof replica>
let two: ReturnType<typeof replica>

const pools = fixture(openTwoPools)
beforeEach(async () => {
  const { one: db, dir } = pools
  expect(isPostgres(db)).toBe(true)
  seeded = { db, media: createFileMediaStore({ dir: join(dir, 'media') }), ...(await seedCamera(db)) }
  await restartAges(db, NOON)
  elapsed = 0
  ahead = [0, 0]
  one = replica(pools.one, 0)
  two = replica(pools.two, 1)
  await one.step()
  await two.step()
})

const both = () => Promise.all([one.step(), two.step()])
async function pass(hours: number) {
  for (let hour = 0; hour < hours; hour += 1) {
    elapsed += HOUR_MS
    await both()
  }
}
const sweepBy = (db: Database, ages: typeof one) =>
  sweepEmpresa({ ...seeded, db, log, clock: ages }, seeded.empresaId, new AbortController().signal)
const sweep = () => Promise.all([sweepBy(pools.one, one), sweepBy(pools.two, two)])

it('two replicas move the time of ages on by the time that passes, not twice', async () => {
  ahead = [YEAR_MS, YEAR_MS]
  await pass(30)
  expect([one.now(), two.now()]).toEqual([NOON + 30 * HOUR_MS, NOON + 30 * HOUR_MS])
})

it.each([
  ['both replicas', [YEAR_MS, YEAR_MS]],
  ['one of them', [0, YEAR_MS]],
] as const)('a clock a year ahead at %s deletes no event and no clip', async (_, wrong) => {
  await seedEvento(seeded, NOON, { resposta: 'falso', clip: 100 })
  const before = await countEventos(pools.one)
  ahead = [...wrong]
  await pass(2)
  await sweep()
  two = replica(pools.two, 1)
  await sweep()
  await pass(2)
  await sweep()
  expect(await countEventos(pools.one)).toEqual(before)
})

it('keeps what a clock stamped that was set back', async () => {
  await seedEvento(seeded, NOON - 91 * DAY_MS, { resposta: 'falso', clip: 100 })
  const before = await countEventos(pools.one)
  ahead = [-YEAR_MS, -YEAR_MS]
  await pass(1)
  await seedEvento(seeded, NOON + elapsed - YEAR_MS, { resposta: 'falso', clip: 100 })
  ahead = [0, 0]
  await pass(1)
  await sweep()
  // The old one went, and the one of the wrong clock stays.
  expect(await countEventos(pools.one)).toEqual(before)
})

it('one replica does not undo that a person confirmed a clock that was set back', async () => {
  ahead = [-YEAR_MS, -YEAR_MS]
  await pass(1)
  await transact(pools.one, (tx) => one.confirm(tx))
  await pass(2)
  expect([one.isDoubtful(), two.isDoubtful()]).toEqual([false, false])
  expect(two.now()).toBe(NOON + elapsed - YEAR_MS)
})

it('a sweep of two replicas at once waits once, and goes on once it is confirmed', async () => {
  await seedCanal(pools.one, { empresa_id: seeded.empresaId, destino: 'https://exemplo.com.br/a' })
  const before = (await countEventos(pools.one)).eventos
  await seedOldEventos(seeded, { old: 101, young: 50, at: NOON })
  const messages = await queuedMessages(pools.one)
  await sweep()
  expect(await heldKinds(pools.one)).toEqual(['alertas', 'eventos'])
  expect((await countEventos(pools.one)).eventos).toBe(before + 151)
  expect((await queuedMessages(pools.one)).length - messages.length).toBe(1)
  await transact(pools.two, (tx) => two.confirm(tx))
  await sweep()
  expect([(await countEventos(pools.one)).eventos, await heldKinds(pools.one)]).toEqual([before + 50, []])
})
