import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Extra } from '@vigia/contracts/extras'
import { extraSchema } from '@vigia/contracts/extras'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SeenClip } from '../capture/model.ts'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { uuidV7 } from '../db/uuid-v7.ts'
import { createExtras } from '../outbox/extra-store.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Dropped } from '../outbox/quota-store.ts'
import { createOutbox } from '../outbox/store.ts'
import { candidate, unlimited } from '../outbox/testing/candidates.ts'
import { createBootStore } from '../time/boot-store.ts'
import { knownTime } from '../time/testing/known-time.ts'
import { createClipFiles } from './clip-files.ts'
import { createClipKeeper } from './clip-keeper.ts'
import { createClipNotices } from './clip-notices.ts'
import { type ClipStore, createClipStore } from './clip-store.ts'
import type { ClipKeeper, ClipKeeperOptions } from './keeping.ts'

let dir = ''
let db: EdgeDb
let store: ClipStore
let outbox: Outbox
let keeper: ClipKeeper
let now = 0

beforeEach(() => {
  dir = temporaryFolder('vigia-clip-keeper-')
  now = 1_700_000_000_000
  open()
})
afterEach(async () => {
  await keeper?.stop()
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

function open() {
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  store = createClipStore(db, { now: () => now })
  outbox = createOutbox(db, { quota: unlimited(), inFlight: () => new Set(), expectClip: store.expect })
}

const folder = () => join(dir, 'clipes')
const files = () => readdirSync(folder()).toSorted()

async function start(quota: Partial<ClipKeeperOptions['quota']> = {}, options: Partial<ClipKeeperOptions> = {}) {
  keeper = createClipKeeper({
    time: knownTime,
    store,
    files: createClipFiles(folder()),
    notices: createClipNotices(createExtras(db), { now: () => now }),
    quota: { maxBytes: 1e9, reserveBytes: 0, freeBytes: () => null, ...quota },
    log: pino({ level: 'silent' }),
    // The reference is the id.
    eventOf: (ref) => ref,
    onChanged: () => {},
    now: () => now,
    checkEveryMs: 20,
    ...options,
  })
  await keeper.start()
}

/** Starts with this monotonic clock. @returns waits for a whole check */
async function startCounted(
  monotonic: () => number,
  options: Partial<ClipKeeperOptions> = {},
): Promise<() => Promise<void>> {
  let checks = 0
  const freeBytes = () => {
    checks += 1
    return null
  }
  await start({ freeBytes }, { ...options, monotonic })
  return async () => {
    const before = checks
    await waitFor('a check', () => checks > before + 1)
  }
}

/** Stores events of camera 7 that wait for a clip. */
function events(count: number): string[] {
  const made = Array.from({ length: count }, () => candidate(7))
  outbox.add(
    made.map((one) => ({ candidate: one, media: [], awaitsClip: true })),
    {},
  )
  return made.map(({ id }) => id)
}

function clipOf(ids: readonly string[], bytes = 1000): SeenClip {
  const data = randomBytes(bytes)
  return {
    cameraId: 7,
    events: ids.map((ref, i) => ({ ref, offsetMs: 5000 + i * 1000 })),
    startedAt: now,
    durationMs: 10_000,
    codec: 'h264' as const,
    codecs: 'avc1.4d401f',
    width: 384,
    height: 288,
    data,
    strip: randomBytes(50),
    sha256: createHash('sha256').update(data).digest('hex'),
  }
}

/** All announcements, in order; the cloud has every event. */
function announced(): Extra[] {
  outbox.remove(db.prepare<[], string>('SELECT id FROM records').pluck().all())
  const items = outbox.extras.next(['clipe', 'sem_clipe'], { records: 64, bytes: 1e9 })
  return items.map(({ extra }) => extraSchema.parse(extra)).toReversed()
}
const reasons = () =>
  announced().map((extra) => (extra.tipo === 'sem_clipe' ? [extra.evento, extra.motivo] : extra.tipo))

it('stores a clip of several events and announces it with their offsets', async () => {
  await start()
  const ids = events(2)
  const clip = clipOf(ids)
  keeper.clip(clip)
  await keeper.stop()
  const [extra, ...others] = announced()
  expect(others).toEqual([])
  expect(extra).toMatchObject({
    tipo: 'clipe',
    camera_id: 7,
    inicio: now,
    duracao_ms: 10_000,
    tamanho: 1000,
    sha256: clip.sha256,
    eventos: [
      { evento: ids[0], deslocamento_ms: 5000 },
      { evento: ids[1], deslocamento_ms: 6000 },
    ],
    imagem: { tamanho: 50 },
  })
  expect(files()).toEqual([`${extra?.id}.mp4`])
  expect(readFileSync(join(folder(), `${extra?.id}.mp4`)).equals(clip.data)).toBe(true)
})

it('announces a clip only after all its events', async () => {
  await start()
  const ids = events(2)
  keeper.clip(clipOf(ids))
  await keeper.stop()
  const next = () => outbox.extras.next(['clipe'], { records: 64, bytes: 1e9 }).length
  outbox.remove(ids.slice(1))
  expect(next()).toBe(0)
  outbox.remove(ids)
  expect(next()).toBe(1)
})

it('names the reason of each event without a clip', async () => {
  await start()
  const [a = '', b = '', c = ''] = events(3)
  keeper.missing([a], 'codec_desconhecido')
  keeper.clip(clipOf([b]))
  keeper.interrupted([7])
  await keeper.stop()
  expect(reasons()).toEqual([[a, 'codec_desconhecido'], 'clipe', [c, 'captura_reiniciada']])
})

it('settles after a restart the events whose clip was not complete, and removes unfinished files', async () => {
  await start()
  const [a = '', b = ''] = events(2)
  keeper.clip(clipOf([a]))
  await keeper.stop()
  mkdirSync(folder(), { recursive: true })
  writeFileSync(join(folder(), `${uuidV7(now)}.novo`), 'half')
  writeFileSync(join(folder(), `${uuidV7(now)}.mp4`), 'without a row')
  db.close()
  open()
  await start()
  expect(reasons()).toEqual(['clipe', [b, 'caixa_reiniciada']])
  expect(files()).toHaveLength(1)
})

it('announces a clip whose file is lost', async () => {
  await start()
  const [a = ''] = events(1)
  keeper.clip(clipOf([a]))
  await keeper.stop()
  rmSync(folder(), { recursive: true })
  await start()
  expect(reasons()).toEqual([[a, 'arquivo_perdido']])
  expect(store.bytes()).toBe(0)
})

const hasClip = (event: string) =>
  db.prepare('SELECT 1 FROM clip_events WHERE event = ? AND clip IS NOT NULL').get(event) !== undefined

it('drops the oldest clips above its quota, each with the reason', async () => {
  await start({ maxBytes: 2500 })
  const ids = events(3)
  for (const [i, id] of ids.entries()) {
    now += 1000
    keeper.clip(clipOf([id]))
    await waitFor('the clip', () => store.ids().length === Math.min(i + 1, 2) && hasClip(id))
  }
  await keeper.stop()
  expect(reasons()).toEqual(['clipe', [ids[0], 'disco_cheio'], 'clipe'])
  expect([files().length, store.bytes()]).toEqual([2, 2000])
})

it('gives way before the disk is short for events', async () => {
  let free = 10_000
  await start({ reserveBytes: 8000, freeBytes: () => free })
  const ids = events(2)
  keeper.clip(clipOf(ids.slice(0, 1)))
  await waitFor('the clip', () => store.bytes() === 1000)
  free = 7000
  await waitFor('no clip', () => store.bytes() === 0)
  keeper.clip(clipOf(ids.slice(1)))
  await keeper.stop()
  expect(reasons()).toEqual([
    [ids[0], 'disco_cheio'],
    [ids[1], 'disco_cheio'],
  ])
  expect(files()).toEqual([])
})

it('keeps unwanted clips for 48 hours after their cut, if the cloud knows them', async () => {
  let running = 0
  await start({}, { monotonic: () => running })
  const [a = '', b = ''] = events(2)
  for (const id of [a, b]) keeper.clip(clipOf([id]))
  await waitFor('the clips', () => store.bytes() === 2000)
  const [first] = announced()
  outbox.extras.remove([first?.id ?? ''])
  now += 48 * 3_600_000 + 1
  running += 48 * 3_600_000
  await waitFor('one clip', () => store.bytes() === 1000)
  expect(reasons()).toEqual(['clipe', [a, 'expirado']])
  await waitFor('the file to be removed', () => !existsSync(join(folder(), `${first?.id}.mp4`)))
})

it('deletes a clip that the cloud has or does not want, without a reason', async () => {
  await start()
  const [a = ''] = events(1)
  keeper.clip(clipOf([a]))
  await waitFor('the clip', () => store.bytes() === 1000)
  keeper.discard(store.ids()[0] ?? '')
  await keeper.stop()
  expect([files(), store.bytes(), reasons()]).toEqual([[], 0, []])
})

it('settles events whose capture process never answers', async () => {
  let running = 0
  const aCheck = await startCounted(() => running)
  const [a = ''] = events(1)
  await aCheck()
  // The clock jumps, and the clip may still come.
  now += 365 * 24 * 3_600_000
  running += 4 * 60_000
  await aCheck()
  expect(store.awaiting('all')).toEqual([a])
  running += 2 * 60_000
  await waitFor('a reason', () => store.awaiting('all').length === 0)
  expect(reasons()).toEqual([[a, 'recorte_falhou']])
})

it('keeps for 48 hours of running what a clock set back stamped', async () => {
  let running = 0
  const right = now
  now = 0
  const aCheck = await startCounted(() => running)
  keeper.clip(clipOf(events(1)))
  await waitFor('the clip', () => store.bytes() === 1000)
  // The cloud knows the clip.
  outbox.extras.remove(announced().map(({ id }) => id))
  now = right
  await aCheck()
  expect(store.bytes()).toBe(1000)
  running += 48 * 3_600_000
  await waitFor('the clip to go', () => store.bytes() === 0)
})

it('deletes no clip by age before the time is known, and then counts from its right time', async () => {
  const right = now
  const boot = { id: 'a', earliest: 0, lastMono: 0, assumed: false, ahead: null }
  const stamp = { boot: boot.id, ahead: right - 3 * 86_400_000 }
  const unknown = { state: 'desconhecida' as const, place: (at: number) => ({ at, stamp }) }
  now = stamp.ahead
  await start({}, { time: unknown })
  keeper.clip(clipOf(events(1)))
  await waitFor('the clip', () => store.bytes() === 1000)
  const [clip] = announced()
  outbox.extras.remove([clip?.id ?? ''])
  await keeper.stop()
  // The program runs again, so that only the stored times count.
  let running = 0
  now = right + 47 * 3_600_000
  const aCheck = await startCounted(() => running, { time: unknown })
  await aCheck()
  expect(store.bytes()).toBe(1000)
  createBootStore(db).save({ ...boot, ahead: right }, right)
  await keeper.stop()
  const nextCheck = await startCounted(() => running)
  await nextCheck()
  expect(store.bytes()).toBe(1000)
  now = right + 48 * 3_600_000 + 1
  running += 1
  await waitFor('the clip to go', () => store.bytes() === 0)
})

it('announces a clip with its right start', async () => {
  const stamp = { boot: 'a', ahead: now - 3 * 86_400_000 }
  await start({}, { time: { state: 'desconhecida', place: (at: number) => ({ at, stamp }) } })
  const clip = clipOf(events(1))
  keeper.clip({ ...clip, startedAt: stamp.ahead + 5_000 })
  await keeper.stop()
  createBootStore(db).save({ id: 'a', earliest: 0, lastMono: 0, assumed: false, ahead: now }, now)
  expect(announced()).toMatchObject([{ tipo: 'clipe', inicio: now + 5_000 }])
})

it('names the disk when a file cannot be written', async () => {
  writeFileSync(join(dir, 'clipes'), 'no folder')
  await start()
  const [a = ''] = events(1)
  keeper.clip(clipOf([a]))
  await keeper.stop()
  expect(reasons()).toEqual([[a, 'disco_indisponivel']])
})

it('disappears with its notes when the quota of the outbox drops its event', async () => {
  await start()
  const [a = '', b = ''] = events(2)
  keeper.clip(clipOf([a]))
  keeper.missing([b], 'sem_quadros')
  await keeper.stop()
  tighten()
  expect(db.prepare('SELECT kind FROM extras').pluck().all()).toEqual([])
  expect(db.prepare('SELECT event FROM clip_events').pluck().all()).toEqual([])
  expect([store.ids(), files()]).toEqual([[], []])
  keeper.clip(clipOf([a]))
  await keeper.stop()
  expect([store.ids(), files()]).toEqual([[], []])
})

it('leaves its numbers in a list when the quota drops the notes of stored events', async () => {
  await start()
  const [a = '', b = '', c = ''] = events(3)
  keeper.clip(clipOf([a]))
  keeper.missing([b], 'sem_quadros')
  await keeper.stop()
  outbox.remove([a, b, c])
  tighten()
  const [list] = outbox.extras.next(['sem_clipes'], { records: 64, bytes: 1e9 })
  expect(extraSchema.parse(list?.extra)).toMatchObject({ tipo: 'sem_clipes', camera_id: 7, seqs: [1, 2] })
  expect([store.ids(), files()]).toEqual([[], []])
})

/** Applies a quota that has no space for anything. */
function tighten() {
  const clipFiles = createClipFiles(folder())
  const onDropped = ({ clips }: Dropped) => clipFiles.removeNow(clips)
  createOutbox(db, { quota: unlimited(1), inFlight: () => new Set(), onDropped }).keepSpace()
}

it('keeps most of its clips while the clock may be wrong, and lets them go after 48 hours of running', async () => {
  let running = 0
  await start({}, { monotonic: () => running, checkEveryMs: 3_600_000 })
  for (let i = 0; i < 25; i += 1) keeper.clip(clipOf(events(1), 10))
  await keeper.stop()
  // The cloud knows the clips.
  outbox.extras.remove(announced().map(({ id }) => id))
  const again = async () => {
    await start({}, { monotonic: () => running, checkEveryMs: 3_600_000 })
    await keeper.stop()
    return files().length
  }
  now += 365 * 24 * 3_600_000
  expect(await again()).toBe(25)
  // One process runs for 48 hours.
  await start({}, { monotonic: () => running, checkEveryMs: 20 })
  expect(files()).toHaveLength(25)
  running += 48 * 3_600_000
  await waitFor('the clips to go', () => files().length === 0)
})
