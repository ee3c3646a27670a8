import { join } from 'node:path'
import { canMount, canMountExt4, mountExt4Disk, mountSmallDisk, type SmallDisk } from '@vigia/testing/small-disk'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { knownTime } from '../time/testing/known-time.ts'
import { createIntake, type Intake } from './intake.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxQuota } from './quota-store.ts'
import { createOutbox } from './store.ts'
import { candidate, jpeg, unlimited } from './testing/candidates.ts'

const MB = 1024 * 1024
let disk: SmallDisk
let db: EdgeDb
let outbox: Outbox
let intake: Intake

function open(on: SmallDisk, quota: OutboxQuota) {
  disk = on
  const opened = openEdgeDb(join(disk.dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  outbox = createOutbox(db, { quota, inFlight: () => new Set() })
  intake = createIntake({
    outbox,
    time: knownTime,
    log: pino({ level: 'silent' }),
    onAdded: () => {},
    retryMs: 10,
  })
}
afterEach(() => {
  intake.stop()
  db.close()
  disk.unmount()
})

function fire(n: number, bytes = 20_000) {
  const { id: _id, relogio: _relogio, ...rest } = candidate(1)
  intake.events([{ candidate: { ...rest, rotulos: [`n${n}`] }, media: [{ papel: 'crop', bytes: jpeg(bytes) }] }], { n })
}
const names = () =>
  outbox
    .read(
      1,
      { after: 0, upTo: Number.MAX_SAFE_INTEGER },
      { records: 10_000, bytes: Number.MAX_SAFE_INTEGER, atLeastOne: true },
    )
    .flatMap(({ registro }) => (registro.tipo === 'candidato' ? registro.rotulos : []))
const upTo = (n: number) => Array.from({ length: n }, (_, i) => `n${i + 1}`)
const isWhole = () => db.pragma('integrity_check', { simple: true }) === 'ok'

describe.skipIf(!canMount())('a disk that is full (needs the right to mount)', () => {
  it('loses no event: events wait in memory and follow in order once there is space', async () => {
    const on = mountSmallDisk(48)
    open(on, { maxBytes: 1e9, reserveBytes: 0, freeBytes: on.freeBytes })
    for (let n = 1; n <= 10; n++) fire(n)
    disk.fill()
    for (let n = 11; n <= 100; n++) fire(n)
    const kept = 100 - intake.waitingInMemory
    expect(kept).toBeLessThan(50)
    expect(names()).toEqual(upTo(kept))
    expect(outbox.states(1)).toEqual({ invasao: { n: kept } })
    expect(isWhole()).toBe(true)
    disk.free()
    await waitFor('all of them', () => intake.waitingInMemory === 0, { everyMs: 2 })
    expect(names()).toEqual(upTo(100))
    expect(isWhole()).toBe(true)
  })

  it('does not keep confirmed records in the outbox', async () => {
    const on = mountSmallDisk(48)
    open(on, { maxBytes: 1e9, reserveBytes: 0, freeBytes: on.freeBytes })
    for (let n = 1; n <= 100; n++) fire(n)
    disk.fill()
    for (let n = 101; n <= 400; n++) fire(n)
    expect(intake.waitingInMemory).toBeGreaterThan(200)
    expect(disk.freeBytes()).toBeLessThan(MB / 4)
    let received = 0
    while (received < 400) {
      const batch = outbox.read(1, { after: 0, upTo: 1e9 }, { records: 40, bytes: 1e9, atLeastOne: true })
      for (const { registro } of batch) expect(registro).toMatchObject({ seq: ++received, rotulos: [`n${received}`] })
      outbox.remove(batch.map(({ registro }) => registro.id))
      await waitFor('more', () => outbox.size() > 0 || received === 400, { everyMs: 2 })
    }
    expect(isWhole()).toBe(true)
    disk.free()
    outbox.keepSpace()
    expect(disk.freeBytes()).toBeLessThan(40 * MB)
  })

  it('regains space through the quota of free space', () => {
    const on = mountSmallDisk(48)
    open(on, { maxBytes: 1e9, reserveBytes: 12 * MB, freeBytes: on.freeBytes })
    for (let n = 1; n <= 300; n++) fire(n, 150_000)
    expect(disk.freeBytes()).toBeGreaterThan(4 * MB)
    expect(names()).toHaveLength(300)
    // Another program uses 8 MiB of the remaining space.
    disk.fill(disk.freeBytes() - 8 * MB)
    for (let i = 0; i < 20; i++) outbox.keepSpace()
    expect(disk.freeBytes()).toBeGreaterThan(11 * MB)
    expect(names()).toHaveLength(300)
    expect(intake.waitingInMemory).toBe(0)
    expect(isWhole()).toBe(true)
  })
})

describe.skipIf(!canMountExt4())('a disk that becomes read-only meanwhile (needs the right to mount ext4)', () => {
  it('stops and corrupts nothing: events wait, and stored events are still there afterwards', () => {
    open(mountExt4Disk(16), unlimited())
    for (let n = 1; n <= 10; n++) fire(n)
    // The kernel does the same on a device error.
    disk.readOnly(true)
    for (let n = 11; n <= 30; n++) fire(n)
    expect(intake.waitingInMemory).toBe(20)
    expect(names()).toEqual(upTo(10))
    intake.stop()
    db.close()
    const on = disk
    on.readOnly(false)
    open(on, unlimited())
    expect(names()).toEqual(upTo(10))
    expect(isWhole()).toBe(true)
  })
})
