import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canMount, mountSmallDisk, type SmallDisk } from '@vigia/testing/small-disk'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EdgeDb } from './edge-db.ts'
import { makeSpare, openEdgeDbSomewhere } from './spare-db.ts'

const log = pino({ level: 'silent' })

describe.skipIf(!canMount())('an outbox whose disk cannot be written (needs the right to mount)', () => {
  let disk: SmallDisk
  let memoryDir: string
  let file: string
  const open = async () => {
    const opened = await openEdgeDbSomewhere(file, { signal: AbortSignal.timeout(5_000), log, retryMs: 20, memoryDir })
    if (!opened?.ok) throw new Error('not opened')
    return opened
  }
  const note = (db: EdgeDb, camera: number) => db.prepare('INSERT INTO sequences VALUES (?, 7)').run(camera)
  const cameras = (db: EdgeDb) => db.prepare('SELECT camera_id FROM sequences ORDER BY 1').pluck().all()
  const spares = () => readdirSync(memoryDir)

  beforeEach(() => {
    disk = mountSmallDisk(48)
    file = join(disk.dir, 'edge.db')
    memoryDir = mkdtempSync(join(tmpdir(), 'vigia-memoria-'))
  })
  afterEach(() => {
    disk.unmount()
    rmSync(memoryDir, { recursive: true })
  })

  it('uses the disk while it works', async () => {
    const { db, inMemory } = await open()
    expect([inMemory, spares()]).toEqual([false, []])
    db.close()
  })

  it('continues in memory with its content and returns to the disk with the new records', async () => {
    const first = await open()
    note(first.db, 1)
    first.db.close()
    disk.readOnly(true)
    const second = await open()
    expect([second.inMemory, cameras(second.db)]).toEqual([true, [1]])
    const [folder = ''] = spares()
    expect(statSync(join(memoryDir, folder)).mode & 0o777).toBe(0o700)
    note(second.db, 2)
    second.db.close()

    // Starts again while the disk still fails: the copy is newer.
    const third = await open()
    expect([third.inMemory, cameras(third.db)]).toEqual([true, [1, 2]])
    note(third.db, 3)
    third.db.close()

    disk.readOnly(false)
    const last = await open()
    expect([last.inMemory, cameras(last.db), spares()]).toEqual([false, [1, 2, 3], []])
    expect(last.db.name).toBe(file)
    last.db.close()
  })

  it('starts empty in memory if no file exists', async () => {
    disk.readOnly(true)
    const { db, inMemory } = await open()
    expect([inMemory, cameras(db)]).toEqual([true, []])
    db.close()
  })

  it('copies the journal of a killed program', async () => {
    const first = await open()
    note(first.db, 1)
    // The database stays open: as after a kill, the journal is not merged into the file.
    expect(makeSpare(file, join(memoryDir, 'copia', 'edge.db'))).toBe(true)
    expect(statSync(join(memoryDir, 'copia', 'edge.db-wal')).size).toBeGreaterThan(0)
    first.db.close()
  })

  it('stays in memory while the disk has too little space for the copy', async () => {
    const first = await open()
    first.db.close()
    disk.readOnly(true)
    const second = await open()
    note(second.db, 2)
    second.db.close()
    disk.readOnly(false)
    disk.fill()
    const third = await open()
    expect([third.inMemory, cameras(third.db)]).toEqual([true, [2]])
    third.db.close()
  })

  it('refuses a folder that other users can access, and logs it until the program stops', async () => {
    disk.readOnly(true)
    const first = await open()
    first.db.close()
    const [folder = ''] = spares()
    chmodSync(join(memoryDir, folder), 0o755)
    const options = { signal: AbortSignal.timeout(200), log, retryMs: 20, memoryDir }
    expect(await openEdgeDbSomewhere(file, options)).toBeNull()
  })

  it('belongs to one program only, also in memory', async () => {
    disk.readOnly(true)
    const { db } = await open()
    for (const readOnly of [true, false]) {
      disk.readOnly(readOnly)
      const again = await openEdgeDbSomewhere(file, { signal: AbortSignal.timeout(20_000), log, memoryDir })
      expect(again).toEqual({ ok: false, reason: 'em_uso' })
    }
    db.close()
  })
})
