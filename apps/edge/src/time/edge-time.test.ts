import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Candidato, Lacuna } from '@vigia/contracts/candidate'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { createIntake } from '../outbox/intake.ts'
import { createOutbox } from '../outbox/store.ts'
import { candidate, jpeg, unlimited } from '../outbox/testing/candidates.ts'
import { createBootStore, MOST_BOOTS } from './boot-store.ts'
import { createClockOffset } from './clock-offset.ts'
import { createEdgeTime, type TimeState } from './edge-time.ts'

const NOON = Date.parse('2026-11-09T15:00:00Z')
const [MIN, DAY] = [60_000, 86_400_000]
const log = pino({ level: 'silent' })

/** The right time, the error of the wall clock, and the start of the machine. */
let real = NOON
let behind = 0
let boot = { id: 'a', at: NOON }
let synchronised = false
let dir = ''
let db: EdgeDb
let running: ReturnType<typeof start> | null = null

beforeEach(() => {
  dir = temporaryFolder('vigia-edge-time-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  real = NOON
  behind = 0
  synchronised = false
  boot = { id: 'a', at: NOON }
})
afterEach(() => {
  running?.stop()
  running = null
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

const wall = () => real - behind

function start(hasBatteryClock = false) {
  const own = boot
  let isStopped = false
  const monotonic = () => real - own.at
  const clock = createClockOffset({ now: wall, monotonic })
  const states: TimeState[] = []
  const time = createEdgeTime({
    boot: { id: own.id, monotonic, hasBatteryClock },
    store: createBootStore(db),
    clock,
    machine: { clockSynchronised: async () => synchronised },
    notBefore: NOON - 30 * DAY,
    now: wall,
    log,
    onState: (state) => states.push(state),
  })
  const outbox = createOutbox(db, { quota: unlimited(), inFlight: () => new Set() })
  const intake = createIntake({ outbox, time, log, onAdded: () => {}, kinds: () => ['descartado'], now: wall })
  return {
    time,
    states,
    outbox,
    /** An event that a capture process has seen this long ago. */
    event(agoMs = 0, seenUnder = wall()) {
      const { id: _id, relogio: _relogio, ...seen } = candidate(1)
      const ocorrido_em = seenUnder - agoMs
      intake.events([{ candidate: { ...seen, ocorrido_em }, media: [{ papel: 'crop', bytes: jpeg(100) }] }], null)
    },
    /** The echo of a report over a fast line. */
    echo() {
      clock.echo({ tipo: 'eco', v: 2, t1: wall(), t2: real, t3: real })
      time.check()
    },
    /** The power fails. */
    stop() {
      if (isStopped) return
      isStopped = true
      intake.stop()
      time.stop()
    },
  }
}

async function boots(id: string, behindMs: number, hasBatteryClock = false) {
  running?.stop()
  boot = { id, at: real }
  behind = behindMs
  running = start(hasBatteryClock)
  await running.time.start()
  return running
}

const waiting = () =>
  createOutbox(db, { quota: unlimited(), inFlight: () => new Set() })
    .read(1, { after: 0, upTo: 1_000 }, { records: 100, bytes: 1e9, atLeastOne: true })
    .map(({ registro }) => registro as Candidato)
const times = () => waiting().map(({ ocorrido_em }) => ocorrido_em)

it('gives the events of the first minute their right times when a time server sets the clock', async () => {
  const edge = await boots('a', 3 * DAY)
  expect(edge.time.state).toBe('desconhecida')
  real += MIN
  expect(edge.time.stateMs()).toBe(MIN)
  edge.event()
  expect(times()).toEqual([NOON + MIN - 3 * DAY])
  real += MIN
  behind = 0
  edge.event()
  expect(edge.states).toEqual(['conhecida'])
  expect(times()).toEqual([NOON + MIN, NOON + 2 * MIN])
  // The cloud takes both as times of a right clock.
  expect(waiting()).toMatchObject([{ relogio: { desvio_ms: 0 } }, { relogio: { desvio_ms: null, sincronizado: true } }])
  expect(waiting()[0]).not.toHaveProperty('hora_incerta')
})

it('gives them their right times at the first echo of the cloud, also while the clock stays wrong', async () => {
  const edge = await boots('a', 3 * DAY)
  real += MIN
  edge.event()
  real += MIN
  edge.echo()
  edge.event()
  expect(times()).toEqual([NOON + MIN, NOON + 2 * MIN])
  // The program runs again within the same start, without a link.
  running?.stop()
  running = start()
  await running.time.start()
  real += MIN
  running.event()
  expect(running.time.state).toBe('conhecida')
  expect(times()).toEqual([NOON + MIN, NOON + 2 * MIN, NOON + 3 * MIN])
})

it('corrects a frame from before the clock was set that arrives after it', async () => {
  const edge = await boots('a', 3 * DAY)
  real += MIN
  const seenUnder = wall()
  real += 500
  behind = 0
  edge.event(0, seenUnder)
  expect(times()).toEqual([NOON + MIN])
  // Set back: the hour repeats, and a time in the future belongs to the former setting.
  real += MIN
  const before = wall()
  behind = 7 * MIN
  edge.event(0, before)
  expect(times()[1]).toBe(before - 7 * MIN)
})

it('bounds the times of a start that ended before its clock was known, in the order of the numbers', async () => {
  const first = await boots('a', 0)
  synchronised = true
  await first.time.start()
  real += 10 * MIN
  first.event()
  first.stop()
  const lastKnown = real
  synchronised = false
  real += 2 * DAY
  const second = await boots('b', 5 * DAY)
  real += MIN
  second.event()
  real += MIN
  second.event()
  expect(waiting()[1]).not.toHaveProperty('hora_incerta')
  second.stop()
  real += DAY
  const third = await boots('c', 6 * DAY)
  const began = real
  real += MIN
  third.event()
  third.echo()
  const [known, one, other, last] = waiting()
  expect(known).toMatchObject({ ocorrido_em: lastKnown })
  expect(known).not.toHaveProperty('hora_incerta')
  expect(one).toMatchObject({
    ocorrido_em: lastKnown + MIN,
    hora_incerta: { de: lastKnown + MIN, ate: began - MIN },
    relogio: { desvio_ms: null },
  })
  expect(other).toMatchObject({ hora_incerta: { de: lastKnown + 2 * MIN, ate: began } })
  expect(last).toMatchObject({ ocorrido_em: real })
  expect(times()).toEqual(times().toSorted((a, b) => a - b))
})

it('takes the time of a battery clock until something shows that it is wrong', async () => {
  const edge = await boots('a', 0, true)
  expect(edge.time.state).toBe('suposta')
  real += MIN
  edge.event()
  real += DAY
  const later = await boots('b', 2 * DAY, true)
  real += MIN
  later.event()
  // The clock of the first start was right, and nothing says otherwise.
  expect(waiting()[0]).not.toHaveProperty('hora_incerta')
  later.echo()
  expect(times()).toEqual([NOON + MIN, NOON + DAY + 2 * MIN])
})

it('does not take a battery clock that lies before the last known time', async () => {
  const edge = await boots('a', 0)
  edge.echo()
  expect(edge.time.state).toBe('conhecida')
  const next = await boots('b', 9_000 * DAY, true)
  expect(next.time.state).toBe('desconhecida')
})

it('states in a gap record between which times its events lie', async () => {
  const edge = await boots('a', 3 * DAY)
  edge.echo()
  real += MIN
  const lost = await boots('b', 3 * DAY)
  real += MIN
  const { at, stamp } = lost.time.place(wall())
  lost.outbox.addLost({ cameraId: 1, count: 2, de: at, ate: at, stamp })
  lost.stop()
  real += DAY
  const next = await boots('c', 0)
  next.echo()
  const [gap] = waiting() as unknown as Lacuna[]
  expect(gap).toMatchObject({ ocorrido_de: NOON + 2 * MIN, ocorrido_ate: real })
})

it('corrects discarded candidates', async () => {
  const edge = await boots('a', 3 * DAY)
  const { at, stamp } = edge.time.place(wall())
  const discard = { tipo: 'descartado', v: 1, id: candidate(1).id, camera_id: 1, ocorrido_em: at } as never
  edge.outbox.extras.add(discard, null, stamp)
  edge.echo()
  const [item] = edge.outbox.extras.next(['descartado'], { records: 1, bytes: 1e6 })
  expect(item?.extra).toMatchObject({ ocorrido_em: NOON })
})

it('bounds the number of starts of the machine', async () => {
  for (let n = 0; n < MOST_BOOTS + 3; n++) await boots(`${n}`, DAY)
  const kept = createBootStore(db)
    .list()
    .map(({ id }) => id)
  expect(kept).toHaveLength(MOST_BOOTS)
  expect(kept.at(-1)).toBe(`${MOST_BOOTS + 2}`)
})
