import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Candidato } from '@vigia/contracts/candidate'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { createClockOffset } from './clock-offset.ts'
import { createIntake, type Intake } from './intake.ts'
import { createOutbox, type Outbox } from './store.ts'
import { candidate, jpeg } from './testing/candidates.ts'

let dir = ''
let db: EdgeDb
let outbox: Outbox
let intake: Intake
let woken = 0

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vigia-intake-'))
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  outbox = createOutbox(db, { maxBytes: 1e9, inFlight: () => new Set() })
  woken = 0
  intake = createIntake({
    outbox,
    clock: createClockOffset(),
    machine: { clockSynchronised: async () => true },
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
/** As a disk behaves that has no room left. */
const full = (isFull: boolean) =>
  db.pragma(`max_page_count = ${isFull ? Number(db.pragma('page_count', { simple: true })) : 1_000_000}`)

it('gives each event identity and clock and keeps it at once', () => {
  intake.events([seen(), seen()], { n: 1 })
  expect(outbox.size()).toBe(2)
  expect(woken).toBe(1)
  const first = outbox.head(1)?.registro as Candidato
  expect(first.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  expect(first.relogio.desvio_ms).toBeNull()
  expect(outbox.states(1)).toEqual({ invasao: { n: 1 } })
})

it('holds events while the disk is full, in order, and saves no state ahead of them', async () => {
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

it('lets one event that can never be stored go, and keeps those behind it', () => {
  const broken = seen()
  // JSON has no bigint: the record can not be written, on whatever disk.
  const impossible = { ...broken, candidate: { ...broken.candidate, calibracao: { conf: 1n as unknown as number } } }
  intake.events([impossible], { n: 1 })
  intake.events([seen()], { n: 2 })
  expect(outbox.size()).toBe(1)
  expect(outbox.states(1)).toEqual({ invasao: { n: 2 } })
})
