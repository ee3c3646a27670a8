import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { primeiroSeqDe, ultimoSeqDe } from '@vigia/contracts/candidate'
import type { NomeIa } from '@vigia/contracts/ias'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClipNotices } from '../clips/clip-notices.ts'
import { type ClipStore, createClipStore } from '../clips/clip-store.ts'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { uuidV7 } from '../db/uuid-v7.ts'
import { createExtras } from './extra-store.ts'
import type { Outbox } from './outbox.ts'
import { createOutbox } from './store.ts'
import { candidate, jpeg, unlimited } from './testing/candidates.ts'
import { createRandom, type Random } from './testing/random.ts'

/** VIGIA_SEED selects a single seed. */
const SEEDS = process.env.VIGIA_SEED ? [Number(process.env.VIGIA_SEED)] : Array.from({ length: 6 }, (_, i) => i + 1)
const IAS = ['veiculo', 'invasao', 'fogo'] as const satisfies readonly NomeIa[]
const MB = 1024 * 1024

let dir = ''
let db: EdgeDb
let clips: ClipStore

beforeEach(() => {
  dir = temporaryFolder('vigia-order-of-loss-')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function open(name: string) {
  const opened = openEdgeDb(join(dir, name))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  db.pragma('synchronous = OFF')
  clips = createClipStore(db, { now: Date.now })
}

const outboxWith = (quota = unlimited()) =>
  createOutbox(db, { quota, inFlight: () => new Set(), expectClip: clips.expect })
const notices = () => createClipNotices(createExtras(db), { now: Date.now })

function addEvent(outbox: Outbox, camera: number, ia: NomeIa, pictureBytes = 0): string {
  const one = candidate(camera, ia)
  const media = pictureBytes > 0 ? [{ papel: 'crop' as const, bytes: jpeg(pictureBytes) }] : []
  outbox.add([{ candidate: one, media, awaitsClip: true }], null)
  return one.id
}

const noClip = (event: string) => clips.settle([event], (about) => notices().missing(about, 'sem_quadros'))

function keepClip(event: string, cameraId: number): void {
  const data = jpeg(64)
  const sha256 = createHash('sha256').update(data).digest('hex')
  const clip = { id: uuidV7(Date.now()), cameraId, startedAt: Date.now(), bytes: 64, sha256 }
  const seen = {
    cameraId,
    data,
    sha256,
    events: [],
    startedAt: clip.startedAt,
    durationMs: 10_000,
    codec: 'h264' as const,
    codecs: 'avc1.4d401f',
    width: 384,
    height: 288,
    strip: jpeg(100),
  }
  clips.keep(clip, [event], (ids) =>
    notices().kept(
      clip,
      seen,
      ids.map((id) => ({ event: id, offsetMs: 0 })),
    ),
  )
}

function addFurther(outbox: Outbox, evento: string, camera_id: number): void {
  const caixas = [{ rotulo: 'person', confianca: 0.8, x: 0.1, y: 0.1, w: 0.2, h: 0.4 }]
  const about = { evento, camera_id, fonte: 'sub', dt_ms: 0, redetectada: true, caixas } as const
  outbox.extras.add({ tipo: 'evidencia', v: 1, id: uuidV7(Date.now()), ...about }, jpeg(500))
}

interface RecordRow {
  readonly id: string
  readonly position: number
  readonly camera_id: number
  readonly severity: number
  readonly has_media: number
}

interface Content {
  readonly events: readonly RecordRow[]
  readonly extras: number
  readonly clips: number
  readonly notes: number
}

function content(): Content {
  const count = (sql: string) => Number(db.prepare(sql).pluck().get())
  return {
    events: db
      .prepare<[], RecordRow>(
        `SELECT id, position, camera_id, severity, has_media FROM records WHERE is_gap = 0 ORDER BY severity, position`,
      )
      .all(),
    extras: count(`SELECT count(*) FROM extras WHERE kind IN ('evidencia', 'descartado')`),
    clips: count('SELECT count(*) FROM clips'),
    notes: count(`SELECT count(*) FROM extras WHERE kind = 'sem_clipe'`),
  }
}

/** Expects that nothing was dropped while something of less value is left. */
function expectOrder(before: Content, after: Content): void {
  const left = new Map(after.events.map((row) => [row.id, row]))
  const stripped = before.events.filter((row) => row.has_media === 1 && left.get(row.id)?.has_media !== 1)
  const gone = before.events.filter(({ id }) => !left.has(id))
  const isDropped = (what: 'extras' | 'clips') => after[what] < before[what]
  if (isDropped('clips')) expect(after.extras).toBe(0)
  if (stripped.length > 0) expect(after.clips).toBe(0)
  // Pictures and events leave in ascending value: the rest is a tail of what there was.
  const pictures = (rows: readonly RecordRow[]) => rows.filter(({ has_media }) => has_media === 1).map(({ id }) => id)
  const isTail = (all: readonly string[], rest: readonly string[]) =>
    expect(all.slice(all.length - rest.length)).toEqual(rest)
  isTail(pictures(before.events), pictures(after.events))
  if (after.notes < before.notes && gone.length === 0) expect(pictures(after.events)).toEqual([])
  if (gone.length > 0) expect([pictures(after.events), after.notes]).toEqual([[], 0])
  isTail(
    before.events.map(({ id }) => id),
    after.events.map(({ id }) => id),
  )
}

/** Expects no note and no row of a clip that belongs to an event that is gone. */
function expectNothingOfGone(ids: readonly string[]): void {
  const listed = JSON.stringify(ids)
  const gone = (sql: string) => db.prepare(sql).pluck().all(listed)
  const among = 'IN (SELECT value FROM json_each(?))'
  expect(gone(`SELECT kind FROM extras WHERE candidate ${among}`)).toEqual([])
  expect(gone(`SELECT event FROM clip_events WHERE event ${among}`)).toEqual([])
  expect(db.prepare('SELECT id FROM clips WHERE id NOT IN (SELECT clip FROM clip_events)').all()).toEqual([])
  const lists = db.prepare<[], string>(`SELECT header FROM extras WHERE kind = 'sem_clipes'`).pluck().all()
  const gaps = db
    .prepare<[], { camera_id: number; seq: number; last_seq: number }>('SELECT * FROM records WHERE is_gap = 1')
    .all()
  for (const { camera_id, seqs } of lists.map((text) => JSON.parse(text) as { camera_id: number; seqs: number[] }))
    for (const seq of seqs)
      expect(gaps.some((gap) => gap.camera_id === camera_id && gap.seq <= seq && seq <= gap.last_seq)).toBe(false)
}

/** Expects every number once: as an event or in a gap record. */
function expectEveryNumber(outbox: Outbox): void {
  const everything = { records: 1e6, bytes: Number.MAX_SAFE_INTEGER, atLeastOne: true }
  for (const camera of outbox.cameras()) {
    let next = 1
    for (const { registro } of outbox.read(camera, { after: 0, upTo: Number.MAX_SAFE_INTEGER }, everything)) {
      expect(primeiroSeqDe(registro)).toBe(next)
      next = ultimoSeqDe(registro) + 1
    }
    expect(next).toBe(outbox.highest(camera) + 1)
  }
}

function addAnything(outbox: Outbox, random: Random): string {
  const camera = random.int(1, 3)
  const id = addEvent(outbox, camera, random.pick(IAS), random.chance(0.5) ? random.int(200, 5_000) : 0)
  if (random.chance(0.4)) noClip(id)
  else if (random.chance(0.6)) keepClip(id, camera)
  if (random.chance(0.4)) addFurther(outbox, id, camera)
  return id
}

it(`never gives up a bigger promise for a smaller one (${SEEDS.length} seeds)`, () => {
  const dropped = { extras: 0, clips: 0, media: 0, notes: 0, records: 0 }
  for (const seed of SEEDS) {
    open(`${seed}.db`)
    const random = createRandom(seed)
    const generous = outboxWith()
    const ids = db.transaction(() => Array.from({ length: random.int(80, 160) }, () => addAnything(generous, random)))()
    // The newest of the highest severity outlives all others.
    const last = addEvent(generous, 1, 'fogo')
    let size = generous.summary().bytes
    for (let step = 0; step < 40 && content().events.length > 1; step++) {
      size -= random.int(1, 8) * 4096
      const before = content()
      const tight = createOutbox(db, {
        quota: unlimited(Math.max(1, size)),
        inFlight: () => new Set<string>(),
        onDropped(what) {
          for (const kind of ['extras', 'media', 'notes', 'records'] as const) dropped[kind] += what[kind]
          dropped.clips += what.clips.length
        },
      })
      tight.keepSpace()
      const after = content()
      expectOrder(before, after)
      const kept = new Set(after.events.map(({ id }) => id))
      expectNothingOfGone(ids.filter((id) => !kept.has(id)))
      expectEveryNumber(tight)
      if (after.events.length > 0) expect(kept.has(last)).toBe(true)
    }
    db.close()
  }
  if (SEEDS.length > 1) expect(Math.min(...Object.values(dropped))).toBeGreaterThan(20)
})

it('keeps new fire events on a full disk behind thousands of notes about clips', () => {
  open('full.db')
  const { missing } = notices()
  db.transaction(() => {
    for (let n = 0; n < 14_000; n++)
      missing({ event: uuidV7(Date.now()), cameraId: 1 + (n % 4), seq: null }, 'sem_quadros')
  })()
  // The outbox has its minimum of a few MiB.
  const outbox = outboxWith({ maxBytes: 1e9, reserveBytes: 500 * MB, freeBytes: () => 0 })
  const fires = Array.from({ length: 20 }, () => addEvent(outbox, 1, 'fogo', 10_000))
  for (const fire of fires) noClip(fire)
  for (let n = 0; n < 200; n++) noClip(addEvent(outbox, 2, 'invasao'))
  const kept = new Set(content().events.map(({ id }) => id))
  expect(fires.filter((id) => !kept.has(id))).toEqual([])
  expectEveryNumber(outbox)
  db.close()
})

it('keeps its minimum for events beside a large configuration', () => {
  open('desired.db')
  db.prepare('INSERT INTO desired (one, version, document) VALUES (1, 1, ?)').run('x'.repeat(6 * MB))
  const outbox = outboxWith({ maxBytes: 1e9, reserveBytes: 500 * MB, freeBytes: () => 0 })
  const ids = Array.from({ length: 100 }, () => addEvent(outbox, 1, 'invasao', 10_000))
  expect(content().events.map(({ id }) => id)).toEqual(ids)
  db.close()
})
