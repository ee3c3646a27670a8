import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { canMount, mountSmallDisk, type SmallDisk } from '@vigia/testing/small-disk'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEdgeDb } from '../db/edge-db.ts'
import { openEdgeDbSomewhere } from '../db/spare-db.ts'
import { knownTime } from '../time/testing/known-time.ts'
import { createDiskMonitor } from './disk-monitor.ts'
import { createIntake } from './intake.ts'
import { createOutbox } from './store.ts'
import { candidate, unlimited } from './testing/candidates.ts'

const log = pino({ level: 'silent' })
const quiet = { time: knownTime, log }

describe.skipIf(!canMount())('a disk that fails for a long time (needs the right to mount)', () => {
  let disk: SmallDisk
  let memoryDir: string
  let file: string
  beforeEach(() => {
    disk = mountSmallDisk(48)
    file = join(disk.dir, 'edge.db')
    memoryDir = temporaryFolder('vigia-memoria-')
  })
  afterEach(() => {
    disk.unmount()
    rmSync(memoryDir, { recursive: true })
  })

  it('moves the outbox with its records into memory, and back', async () => {
    const first = openEdgeDb(file)
    if (!first.ok) throw new Error(first.reason)
    const outbox = createOutbox(first.db, { quota: unlimited(1e9), inFlight: () => new Set() })
    const intake = createIntake({ ...quiet, outbox, onAdded: () => {}, retryMs: 20 })
    const fire = () => {
      const { id: _id, relogio: _relogio, ...seen } = candidate(1)
      intake.events([{ candidate: seen, media: [] }], { fired: true })
    }
    fire()
    // SQLite's size limit simulates the failure, because a mount with an open file cannot become read-only.
    const pages = Number(first.db.pragma('page_count', { simple: true }))
    first.db.pragma(`max_page_count = ${pages}`)
    while (intake.waitingInMemory < 3) fire()
    const moves: string[] = []
    const watch = createDiskMonitor({
      file,
      inMemory: false,
      intake,
      memoryDir,
      checkEveryMs: 20,
      timeoutMs: 100,
      onMoved: (why) => {
        watch.stop()
        moves.push(why)
      },
    })
    watch.start()
    await waitFor('the move', () => moves.length > 0)
    const kept = outbox.size()
    expect(intake.waitingInMemory).toBe(0)
    intake.stop()
    first.db.close()

    disk.fill()
    const second = await openEdgeDbSomewhere(file, { signal: AbortSignal.timeout(5_000), log, memoryDir })
    if (!second?.ok) throw new Error('not opened')
    expect(second.inMemory).toBe(true)
    const inMemory = createOutbox(second.db, { quota: unlimited(1e9), inFlight: () => new Set() })
    expect(inMemory.size()).toBe(kept + 3)
    const seqs = inMemory.read(1, { after: 0, upTo: 1e9 }, { records: 1_000, bytes: 1e9, atLeastOne: true })
    expect(seqs.map(({ registro }) => registro.tipo === 'candidato' && registro.seq)).toEqual(
      Array.from({ length: kept + 3 }, (_, i) => i + 1),
    )
    const back = createDiskMonitor({
      file,
      inMemory: true,
      intake,
      memoryDir,
      checkEveryMs: 20,
      onMoved: (why) => {
        back.stop()
        moves.push(why)
      },
    })
    back.start()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(moves).toHaveLength(1)
    disk.free()
    await waitFor('the way back', () => moves.length > 1)
    second.db.close()
    const last = await openEdgeDbSomewhere(file, { signal: AbortSignal.timeout(5_000), log, memoryDir })
    if (!last?.ok) throw new Error('not opened')
    expect([last.inMemory, last.db.name]).toEqual([false, file])
    expect(createOutbox(last.db, { quota: unlimited(1e9), inFlight: () => new Set() }).size()).toBe(kept + 3)
    last.db.close()
  })
})
