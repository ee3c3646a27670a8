import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Candidato, Registro } from '@vigia/contracts/candidate'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { knownTime } from '../time/testing/known-time.ts'
import { createIntake, type Intake } from './intake.ts'
import type { Outbox } from './outbox.ts'
import { createSender, type Sender } from './sender.ts'
import { createOutbox } from './store.ts'
import { candidate, jpeg } from './testing/candidates.ts'
import { createRandom } from './testing/random.ts'
import { createSimulatedCloud } from './testing/simulated-cloud.ts'

/**
 * Runs the outbox and its sender against a simulated cloud that follows the rules of the link exactly. The line loses,
 * repeats, delays and reorders; the disk is sometimes full; the clock jumps; the process crashes. VIGIA_SEED selects a
 * single seed.
 */
const SEEDS = process.env.VIGIA_SEED ? [Number(process.env.VIGIA_SEED)] : Array.from({ length: 200 }, (_, i) => i + 1)
const CAMERAS = [1, 2, 3] as const
const HOUR = 3_600_000

let dir = ''
beforeAll(() => {
  dir = temporaryFolder('vigia-promises-')
  const template = openEdgeDb(join(dir, 'template.db'))
  if (!template.ok) throw new Error(template.reason)
  template.db.close()
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))
afterEach(() => {
  vi.useRealTimers()
})

async function run(seed: number) {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    now: Date.parse('2026-11-09T15:00:00Z'),
  })
  const random = createRandom(seed)
  const cloud = createSimulatedCloud()
  const log = pino({ level: 'silent' })
  const quota = { maxBytes: random.pick([1e9, 300_000, 110_000]), reserveBytes: 0, freeBytes: () => null }
  let faults = true
  let produced = 0
  /** Position of each event on the disk, by its name, and numbers of dropped events. */
  const kept = new Map<string, { camera: number; seq: number }>()
  const lost = new Map<number, Set<number>>(CAMERAS.map((camera) => [camera, new Set()]))
  const refused = new Set<string>()
  let diedInMemory = 0
  let dying = false
  /** Number of records dropped by the quota. */
  let dropped = 0
  let file = ''
  let files = 0
  let db!: EdgeDb
  let outbox!: Outbox
  let sender!: Sender
  let intake!: Intake
  /** The current connection; messages of an older one are ignored. */
  let session: { readonly cut: Set<() => void> } | null = null

  const nextFile = () => join(dir, `${seed}-${++files}.db`)

  /** The network between broker and cloud: delays, repeats, loses and reorders messages. */
  function carry(deliver: () => void) {
    const times = faults ? random.pick([0, 1, 1, 1, 1, 2]) : 1
    for (let i = 0; i < times; i++) setTimeout(deliver, faults ? random.int(0, random.chance(0.1) ? 60_000 : 300) : 5)
  }

  function publish(payload: Buffer): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const on = session
    if (!on) return Promise.reject(new Error('not connected'))
    on.cut.add(() => reject(new Error('cut')))
    if (!faults || random.chance(0.95)) carry(() => arrive(payload))
    // The broker may crash before or after its PUBACK.
    if (faults && random.chance(0.1)) setTimeout(() => reject(new Error('no PUBACK')), 500)
    else setTimeout(resolve, faults ? random.int(0, 700) : 1)
    return promise
  }

  function arrive(payload: Buffer) {
    if (faults && random.chance(0.1)) return
    const answer = cloud.receive(payload, isRefused)
    carry(() => sender.confirm(answer))
  }
  const isRefused = (registro: Registro) => registro.tipo === 'candidato' && refused.has(registro.rotulos[0] ?? '')

  function start() {
    const opened = openEdgeDb(file)
    if (!opened.ok) throw new Error(opened.reason)
    db = opened.db
    db.pragma('synchronous = OFF')
    const real = createOutbox(db, {
      quota,
      inFlight: () => sender?.inFlight() ?? new Set(),
      onDropped: ({ records }) => {
        dropped += records
      },
    })
    outbox = {
      ...real,
      add(events, state) {
        if (dying) throw killed
        const seqs = real.add(events, state)
        for (const [i, { candidate: one }] of events.entries())
          kept.set(one.rotulos[0] ?? '', { camera: one.camera_id, seq: seqs[i] ?? 0 })
        return seqs
      },
      addLost(loss) {
        if (dying) throw killed
        real.addLost(loss)
        const last = real.highest(loss.cameraId)
        for (let seq = last - loss.count + 1; seq <= last; seq++) lost.get(loss.cameraId)?.add(seq)
      },
    }
    sender = createSender({ outbox, publish, log, limitKbps: () => random.pick([null, null, 100]) })
    intake = createIntake({
      outbox,
      time: knownTime,
      log,
      onAdded: () => sender.wake(),
      maxWaitingBytes: 30_000,
    })
  }

  /** Kills and restarts the process: a crash leaves the file and its write-ahead log on the disk. */
  function kill() {
    connect(false)
    diedInMemory += intake.waitingInMemory > 0 ? 1 : 0
    dying = true
    sender.stop()
    intake.stop()
    dying = false
    const copy = nextFile()
    for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, copy + suffix)
    db.close()
    file = copy
    start()
  }

  function connect(up: boolean) {
    for (const cut of session?.cut ?? []) cut()
    session = up ? { cut: new Set() } : null
    sender.connection(up)
  }

  function produce() {
    const camera = random.pick(CAMERAS)
    const name = `n${++produced}`
    if (random.chance(0.03)) refused.add(name)
    const { id: _id, relogio: _relogio, ...rest } = candidate(camera, random.pick(['invasao', 'invasao', 'fogo']))
    const media = random.chance(0.6) ? [{ papel: 'crop' as const, bytes: jpeg(random.int(100, 6_000)) }] : []
    intake.events([{ candidate: { ...rest, ocorrido_em: Date.now(), rotulos: [name] }, media }], { name })
  }

  const diskFull = (isFull: boolean) =>
    db.pragma(`max_page_count = ${isFull ? Number(db.pragma('page_count', { simple: true })) : 1_000_000}`)

  async function step() {
    const what = random.next()
    if (what < 0.45) for (let n = random.pick([1, 1, 2, 12]); n > 0; n--) produce()
    else if (what < 0.55) connect(true)
    else if (what < 0.62) connect(false)
    else if (what < 0.67) kill()
    else if (what < 0.72) diskFull(true)
    else if (what < 0.8) diskFull(false)
    else if (what < 0.84) vi.setSystemTime(Date.now() + random.int(-HOUR, HOUR))
    await vi.advanceTimersByTimeAsync(random.pick([0, 5, 50, 400, 3_000, 30_000]))
    for (const camera of CAMERAS) expectNoOverlap(camera)
  }

  /** Expects each number once in the outbox. */
  function expectNoOverlap(camera: number) {
    const rows = db.prepare('SELECT seq, last_seq FROM records WHERE camera_id = ? ORDER BY seq').all(camera)
    const ranges = rows as { seq: number; last_seq: number }[]
    // One assertion for all rows: an assertion costs more than a row.
    const overlapping = ranges.filter(({ seq }, at) => seq <= (ranges[at - 1]?.last_seq ?? 0))
    expect(overlapping).toEqual([])
  }

  file = nextFile()
  copyFileSync(join(dir, 'template.db'), file)
  start()
  for (let steps = random.int(10, 35); steps > 0; steps--) await step()

  faults = false
  diskFull(false)
  await vi.advanceTimersByTimeAsync(70_000)
  connect(true)
  for (let i = 0; i < 400 && (outbox.size() > 0 || intake.waitingInMemory > 0); i++)
    await vi.advanceTimersByTimeAsync(2_000)

  const left = outbox.size()
  const highest = new Map(CAMERAS.map((camera) => [camera, outbox.highest(camera)]))
  const inFlight = sender.inFlight().size
  sender.stop()
  intake.stop()
  db.close()
  expect({ left, inFlight, waiting: intake.waitingInMemory }).toEqual({ left: 0, inFlight: 0, waiting: 0 })
  check()
  for (let n = 1; n <= files; n++)
    for (const suffix of ['', '-wal']) rmSync(join(dir, `${seed}-${n}.db${suffix}`), { force: true })
  return { events: kept.size, lost: sizes(lost), dropped }

  function check() {
    if (diedInMemory === 0) expect(kept.size + sizes(lost)).toBe(produced)
    for (const camera of CAMERAS) {
      const named = [...kept].filter(([, place]) => place.camera === camera)
      const numbers = new Set([...named.map(([, { seq }]) => seq), ...(lost.get(camera) ?? [])])
      // Expects that each number was given exactly once.
      expect([...numbers].toSorted((a, b) => a - b)).toEqual(Array.from({ length: numbers.size }, (_, i) => i + 1))
      expect(highest.get(camera)).toBe(numbers.size)
      const positions = cloud.cameras.get(camera)?.positions ?? new Map()
      for (const [name, { seq }] of named) {
        const place = positions.get(seq)
        if (refused.has(name)) continue
        if (place?.kind === 'event') expect((place.registro as Candidato).rotulos).toEqual([name])
        else expect(place, `camera ${camera} number ${seq}`).toMatchObject({ kind: 'gap', motivo: 'cota_de_disco' })
        if (quota.maxBytes === 1e9) expect(place?.kind).toBe('event')
      }
      for (const seq of lost.get(camera) ?? [])
        expect(positions.get(seq)).toMatchObject({ kind: 'gap', motivo: 'disco_indisponivel' })
      const eventIds = [...positions].toSorted(([a], [b]) => a - b).flatMap(([, one]) => one.eventId ?? [])
      expect(eventIds).toEqual(eventIds.toSorted((a: number, b: number) => a - b))
    }
  }
}

it(`loses and duplicates no event, keeps the order and reports every gap (${SEEDS.length} seeds)`, {
  timeout: 300_000,
}, async () => {
  const total = { events: 0, lost: 0, dropped: 0 }
  for (const seed of SEEDS) {
    const one = await run(seed).catch((error: unknown) => {
      throw new Error(`VIGIA_SEED=${seed}: ${(error as Error).message}`, { cause: error })
    })
    total.events += one.events
    total.lost += one.lost
    total.dropped += one.dropped
  }
  if (SEEDS.length > 1) {
    expect(total.events).toBeGreaterThan(1_000)
    expect(total.lost).toBeGreaterThan(50)
    expect(total.dropped).toBeGreaterThan(50)
  }
})

/** Discards messages of an outbox whose process has ended. */
const killed = Object.assign(new Error('killed'), { code: 'SQLITE_IOERR' })

const sizes = (sets: ReadonlyMap<number, ReadonlySet<number>>) =>
  [...sets.values()].reduce((sum, { size }) => sum + size, 0)
