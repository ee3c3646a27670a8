import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Candidato, Lacuna } from '@vigia/contracts/candidate'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { knownTime } from '../time/testing/known-time.ts'
import { createIntake, type Intake } from './intake.ts'
import type { Outbox } from './outbox.ts'
import { createOutbox } from './store.ts'
import { candidate, jpeg, unlimited } from './testing/candidates.ts'
import { head } from './testing/head.ts'

let dir = ''
let db: EdgeDb
let outbox: Outbox
let intake: Intake
let woken = 0

beforeEach(() => {
  dir = temporaryFolder('vigia-intake-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  outbox = createOutbox(db, { quota: unlimited(), inFlight: () => new Set() })
  woken = 0
  intake = createIntake({
    outbox,
    time: knownTime,
    log: pino({ level: 'silent' }),
    onAdded: () => woken++,
    retryMs: 20,
  })
})
afterEach(() => {
  intake.stop()
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

const seen = () => {
  const { id: _id, relogio: _relogio, ...rest } = candidate(1)
  return { candidate: rest, media: [{ papel: 'crop' as const, bytes: new Uint8Array(jpeg(500)) }] }
}
/** Fails like a full disk. */
const full = (isFull: boolean) =>
  db.pragma(`max_page_count = ${isFull ? Number(db.pragma('page_count', { simple: true })) : 1_000_000}`)

it('gives each event an identity and a clock state and stores it at once', () => {
  intake.events([seen(), seen()], { n: 1 })
  expect(outbox.size()).toBe(2)
  expect(woken).toBe(1)
  const first = head(outbox, 1)?.registro as Candidato
  expect(first.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  expect(first.relogio.desvio_ms).toBeNull()
  expect(outbox.states(1)).toEqual({ invasao: { n: 1 } })
})

it('holds events in order while the disk is full and saves no state ahead of them', async () => {
  intake.events([seen()], { n: 1 })
  full(true)
  for (let n = 2; n <= 20; n++) intake.events([seen()], { n })
  const kept = outbox.size()
  expect(kept).toBeLessThan(20)
  intake.states([{ cameraId: 1, ia: 'invasao', state: { n: 99 } }])
  expect(outbox.states(1)).toEqual({ invasao: { n: kept } })
  full(false)
  await waitFor('all of them', () => outbox.size() === 20, { everyMs: 10 })
  expect(outbox.states(1)).toEqual({ invasao: { n: 20 } })
})

it('drops one event that cannot be stored, leaves a gap, and keeps the following events', () => {
  const broken = seen()
  // JSON has no bigint, so this record cannot be written on any disk.
  const impossible = { ...broken, candidate: { ...broken.candidate, calibracao: { conf: 1n as unknown as number } } }
  intake.events([impossible], { n: 1 })
  intake.events([seen()], { n: 2 })
  expect(head(outbox, 1)?.registro).toMatchObject({
    tipo: 'lacuna',
    de_seq: 1,
    ate_seq: 1,
    motivo: 'disco_indisponivel',
  })
  expect(outbox.lowest(1, 1)).toBe(2)
  expect(outbox.states(1)).toEqual({ invasao: { n: 2 } })
})

it('counts the waiting events and never saves a state ahead of them', async () => {
  expect(intake.waitingInMemory).toBe(0)
  full(true)
  for (let n = 1; n <= 30; n++) intake.events([seen()], { n })
  const kept = outbox.size()
  expect(intake.waitingInMemory).toBe(30 - kept)
  full(false)
  await waitFor('all of them', () => intake.waitingInMemory === 0, { everyMs: 5 })
  expect(outbox.size()).toBe(30)
})

it('tries once more when the program ends', () => {
  full(true)
  for (let n = 1; n <= 20; n++) intake.events([seen()], { n })
  expect(intake.waitingInMemory).toBeGreaterThan(0)
  full(false)
  intake.stop()
  expect(outbox.size()).toBe(20)
})

describe('when the memory is full as well', () => {
  const bounded = (maxWaitingBytes: number) => {
    intake.stop()
    intake = createIntake({
      outbox,
      time: knownTime,
      log: pino({ level: 'silent' }),
      onAdded: () => woken++,
      retryMs: 20,
      maxWaitingBytes,
    })
  }
  const all = (camera: number) =>
    outbox
      .read(
        camera,
        { after: 0, upTo: Number.MAX_SAFE_INTEGER },
        { records: 10_000, bytes: Number.MAX_SAFE_INTEGER, atLeastOne: true },
      )
      .map(({ registro }) => registro)
  const event = (camera: number, ia: 'invasao' | 'fogo', at: number, bytes: number) => {
    const { id: _id, relogio: _relogio, ...rest } = candidate(camera, ia)
    return {
      candidate: { ...rest, ocorrido_em: at },
      media: bytes > 0 ? [{ papel: 'crop' as const, bytes: new Uint8Array(jpeg(bytes)) }] : [],
    }
  }
  /** The file cannot grow by a single page: all new events wait. */
  const limitFile = () => {
    full(true)
    while (intake.waitingInMemory === 0) intake.events([event(9, 'fogo', 1, 3_000)], null)
  }

  it('drops the pictures of the oldest, least severe events first, and keeps every event', async () => {
    bounded(200_000)
    limitFile()
    for (let n = 1; n <= 6; n++) intake.events([event(1, n === 1 ? 'fogo' : 'invasao', n, 40_000)], { n })
    full(false)
    await waitFor('all of them', () => intake.waitingInMemory === 0, { everyMs: 5 })
    const dropped = all(1).map((one) => one.tipo === 'candidato' && one.midia_descartada)
    expect(dropped).toEqual([false, true, true, false, false, false])
    expect(outbox.states(1)).toEqual({ invasao: { n: 6 }, fogo: { n: 1 } })
  })

  it('inserts a gap record for each camera with dropped events before the kept ones', async () => {
    intake.events([event(1, 'invasao', 500, 0)], { n: 0 })
    bounded(100_000)
    limitFile()
    for (let n = 1; n <= 80; n++) intake.events([event(1 + (n % 2), 'invasao', 1_000 + n, 0)], { n })
    const waiting = intake.waitingInMemory
    expect(waiting).toBeLessThan(60)
    full(false)
    await waitFor('all of them', () => intake.waitingInMemory === 0 && outbox.highest(1) === 41, { everyMs: 5 })
    const [first, gap, next] = all(1)
    expect(first).toMatchObject({ tipo: 'candidato', seq: 1, ocorrido_em: 500 })
    expect(gap).toMatchObject({ tipo: 'lacuna', de_seq: 2, ocorrido_de: 1_002, motivo: 'disco_indisponivel' })
    const lacuna = gap as Lacuna
    expect(next).toMatchObject({ seq: lacuna.ate_seq + 1, ocorrido_em: lacuna.ocorrido_ate + 2 })
    expect(all(1).at(-1)).toMatchObject({ seq: 41, ocorrido_em: 1_080 })
    expect(all(2)[0]).toMatchObject({ tipo: 'lacuna', de_seq: 1, ocorrido_de: 1_001 })
    expect(outbox.highest(2)).toBe(40)
  })
})
