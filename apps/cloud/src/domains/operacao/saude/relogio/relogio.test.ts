import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RelogioServidor } from '@vigia/contracts/saude'
import { fixture } from '@vigia/testing/fixture'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../../adapters/media-store/file-media-store.ts'
import type { Database } from '../../../../db/open.ts'
import { transact } from '../../../../db/transaction.ts'
import { openTestDatabase } from '../../../../test/clouds/template.ts'
import { startTestApp } from '../../../../test/clouds/test-app.ts'
import { seedCanal } from '../../../../test/records/queue-records.ts'
import { seedCamera } from '../../../../test/records/records.ts'
import { DAY_MS, type Seeded, seedEvento } from '../../../../test/records/retention-records.ts'
import { queuedMessages } from '../../../../test/stores/espaco-store.ts'
import { countEventos, heldKinds, seedOldEventos, setBoxClock } from '../../../../test/stores/relogio-store.ts'
import { sweepEmpresa } from '../../retencao/sweep-empresa.ts'
import { createAgeClock } from './age-clock.ts'

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * DAY_MS
const NOON = Date.UTC(2026, 10, 21, 12)
const log = pino({ level: 'silent' })
let dir: string
let db: Database
let seeded: Seeded
/** Real time, and the error of the wall clock of this machine. */
let elapsed: number
let ahead: number
const clock = { now: () => NOON + elapsed + ahead }
const open = () => createAgeClock({ db, clock, monotonic: () => elapsed, log })
let ages: ReturnType<typeof open>

beforeEach(async () => {
  dir = temporaryFolder('vigia-relogio-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  seeded = { db, media: createFileMediaStore({ dir: join(dir, 'media') }), ...(await seedCamera(db)) }
  elapsed = 0
  ahead = 0
  ages = open()
  await ages.step()
})
afterEach(async () => {
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})

const sweep = () => sweepEmpresa({ ...seeded, log, clock: ages }, seeded.empresaId, new AbortController().signal)
/** Real hours pass, with a step of the time of ages in each. */
async function pass(hours: number, box?: { readonly ms: number }) {
  for (let hour = 0; hour < hours; hour += 1) {
    elapsed += HOUR_MS
    if (box) await setBoxClock(db, seeded.edgeId, { ...box, em: ages.now() })
    await ages.step()
  }
}

describe('a clock of the cloud that is a year ahead', () => {
  it('deletes no event and no clip, and reports it', async () => {
    await seedCanal(db, { empresa_id: seeded.empresaId, destino: 'https://exemplo.com.br/a' })
    for (let i = 0; i < 3; i += 1) await seedEvento(seeded, NOON - i * DAY_MS, { resposta: 'falso', clip: 100 })
    ahead = YEAR_MS
    await ages.step()
    await sweep()
    expect(await countEventos(db)).toEqual({ eventos: 3, clipes: 3 })
    expect(ages.isDoubtful()).toBe(true)
    expect(await queuedMessages(db)).toMatchObject([{ tipo: 'relogio.duvidoso' }])
  })

  it('deletes nothing after a restart, and before the stored time is known', async () => {
    await seedEvento(seeded, NOON, { resposta: 'falso', clip: 100 })
    ahead = YEAR_MS
    ages = open()
    await sweep()
    await ages.step()
    await sweep()
    expect(await countEventos(db)).toEqual({ eventos: 1, clipes: 1 })
  })

  it('deletes nothing at the first start after an upgrade', async () => {
    await seedEvento(seeded, NOON, { resposta: 'falso', clip: 100 })
    await db.updateTable('relogio').set({ hora: null }).execute()
    ahead = YEAR_MS
    ages = open()
    await ages.step()
    await sweep()
    expect(await countEventos(db)).toEqual({ eventos: 1, clipes: 1 })
  })

  it('is taken over once a person confirms it', async () => {
    await seedEvento(seeded, NOON, { resposta: 'falso', clip: 100 })
    ahead = YEAR_MS
    await ages.step()
    await transact(db, (tx) => ages.confirm(tx))
    expect(ages.isDoubtful()).toBe(false)
    await sweep()
    expect(await countEventos(db)).toEqual({ eventos: 0, clipes: 0 })
  })
})

describe('a clock of the cloud that is set back', () => {
  /** An event that arrives while the clock is a year, or decades, behind. */
  const arriveAt = async (behind: number) => {
    ahead = -behind
    await pass(1)
    const id = await seedEvento(seeded, clock.now(), { resposta: 'falso', clip: 100 })
    ahead = 0
    await pass(1)
    expect(ages.isDoubtful()).toBe(false)
    return id
  }

  it.each([
    ['a year', YEAR_MS],
    ['to 1970', NOON],
  ])('%s: its stamps are as old as the doubt at most', async (_, behind) => {
    await seedEvento(seeded, NOON - 91 * DAY_MS, { resposta: 'falso', clip: 100 })
    const id = await arriveAt(behind)
    await sweep()
    expect(await countEventos(db)).toEqual({ eventos: 1, clipes: 1 })
    expect(await db.selectFrom('eventos').select('id').execute()).toEqual([{ id }])
    elapsed += 91 * DAY_MS
    await ages.step()
    await sweep()
    expect(await countEventos(db)).toEqual({ eventos: 0, clipes: 0 })
  })

  it('keeps an incidente with such an event, whatever its other stamps', async () => {
    const old = await seedEvento(seeded, NOON - 91 * DAY_MS, { resposta: 'falso' })
    const id = await arriveAt(YEAR_MS)
    const of = db.selectFrom('eventos').select('incidente_id').where('id', '=', old)
    await db.updateTable('eventos').set({ incidente_id: of }).where('id', '=', id).execute()
    await sweep()
    expect((await countEventos(db)).eventos).toBe(2)
  })

  it('counts by the stamps once a person says that it was right', async () => {
    ahead = -YEAR_MS
    await pass(1)
    await transact(db, (tx) => ages.confirm(tx))
    await seedEvento(seeded, clock.now(), { resposta: 'falso' })
    expect(await db.selectFrom('carimbos_duvidosos').selectAll().execute()).toEqual([])
    elapsed += 91 * DAY_MS
    await ages.step()
    await sweep()
    expect((await countEventos(db)).eventos).toBe(0)
  })

  it('after a long pause: its stamps are as old as the take-over at most', async () => {
    // The machine was off for 200 days, and starts in 1970.
    ahead = -NOON
    ages = open()
    await ages.step()
    await seedEvento(seeded, clock.now(), { resposta: 'falso' })
    ahead = 200 * DAY_MS
    await ages.step()
    await transact(db, (tx) => ages.confirm(tx))
    await sweep()
    expect((await countEventos(db)).eventos).toBe(1)
  })
})

describe('a machine that was off for a year', () => {
  const backAfterYear = async (box: { readonly ms: number; readonly local?: boolean }) => {
    // The stored time is a year old, and the clock is right.
    elapsed = 0
    ahead = YEAR_MS
    ages = open()
    for (let hour = 0; hour < 26; hour += 1) {
      elapsed += HOUR_MS
      await setBoxClock(db, seeded.edgeId, { ...box, em: ages.now() })
      await ages.step()
    }
    return ages.isDoubtful()
  }

  it('takes its clock over once most boxes agree for 24 hours', async () => {
    expect(await backAfterYear({ ms: 30 * 60_000 })).toBe(false)
    expect(ages.now()).toBe(clock.now())
  })
  it('waits if the boxes do not agree, and if the only box is on the same machine', async () => {
    expect(await backAfterYear({ ms: 2 * HOUR_MS })).toBe(true)
    expect(await backAfterYear({ ms: 0, local: true })).toBe(true)
  })
})

describe('a sweep that would delete more than half of a kind', () => {
  it('waits without a shorter rule, and goes on once it is confirmed', async () => {
    await seedCanal(db, { empresa_id: seeded.empresaId, destino: 'https://exemplo.com.br/a' })
    await seedOldEventos(seeded, { old: 101, young: 50, at: NOON })
    await sweep()
    expect(await heldKinds(db)).toEqual(['alertas', 'eventos'])
    expect((await countEventos(db)).eventos).toBe(151)
    expect(await queuedMessages(db)).toMatchObject([{ tipo: 'apagamento.retido' }])
    await ages.step()
    expect(ages.isHolding()).toBe(true)
    await transact(db, (tx) => ages.confirm(tx))
    await sweep()
    expect((await countEventos(db)).eventos).toBe(50)
    expect(await heldKinds(db)).toEqual([])
  })

  it('goes on once the boxes have agreed for 24 hours', async () => {
    await seedOldEventos(seeded, { old: 101, young: 50, at: NOON })
    await sweep()
    await pass(26, { ms: 0 })
    await sweep()
    expect((await countEventos(db)).eventos).toBe(50)
  })

  it('does not wait for 100 records, or after a person has shortened the rule', async () => {
    await seedOldEventos(seeded, { old: 100, young: 5, at: NOON })
    await sweep()
    expect((await countEventos(db)).eventos).toBe(5)
    await seedOldEventos(seeded, { old: 0, young: 120, at: NOON })
    await db
      .insertInto('retencoes')
      .values({ empresa_id: seeded.empresaId, tipo: 'eventos', dias: 1, bytes: null })
      .execute()
    await pass(72)
    await sweep()
    expect((await countEventos(db)).eventos).toBe(0)
  })
})

describe('GET and POST /relogio', () => {
  const app = fixture(startTestApp)

  it('are for the operator alone, and the confirmation is audited', async () => {
    const { admin } = await app.account('Relógio')
    for (const [method, path] of [
      ['GET', '/relogio'],
      ['POST', '/relogio/confirmacao'],
    ] as const)
      expect((await admin.send(method, `/api/v1${path}`)).status).toBe(403)
    const seen = await app.operator.expect<RelogioServidor>(200, 'GET', '/api/v1/relogio')
    expect(seen).toMatchObject({ duvida: null, retidos: [] })
    await app.operator.expect(200, 'POST', '/api/v1/relogio/confirmacao')
    const records = await app.operator.expect<{ acao: string }[]>(200, 'GET', '/api/v1/auditoria?objeto=relogio')
    expect(records).toMatchObject([{ acao: 'confirmar', objeto: 'relogio' }])
  })
})
