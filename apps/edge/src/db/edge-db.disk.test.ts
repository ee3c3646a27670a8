import { join } from 'node:path'
import { createBallast } from '@vigia/runtime/ballast'
import { canMount, mountSmallDisk, type SmallDisk } from '@vigia/testing/small-disk'
import { afterEach, describe, expect, it } from 'vitest'
import { openEdgeDb } from './edge-db.ts'

let disk: SmallDisk | null = null
afterEach(() => {
  disk?.unmount()
  disk = null
})

/** A database in which camera 1 is at 7. */
function storeSequence(file: string): void {
  const opened = openEdgeDb(file)
  if (!opened.ok) throw new Error(opened.reason)
  opened.db.prepare('INSERT INTO sequences VALUES (1, 7)').run()
  opened.db.close()
}

describe.skipIf(!canMount())('openEdgeDb on a disk that cannot be written (needs the right to mount)', () => {
  it('reports a read-only disk and opens the file once the disk is writable', () => {
    disk = mountSmallDisk()
    const file = join(disk.dir, 'edge.db')
    storeSequence(file)
    disk.readOnly(true)
    expect(openEdgeDb(file)).toMatchObject({
      ok: false,
      reason: 'disco_indisponivel',
      detalhe: expect.stringContaining('somente para leitura'),
    })
    disk.readOnly(false)
    const opened = openEdgeDb(file)
    if (!opened.ok) throw new Error(opened.reason)
    expect(opened.damaged).toBeNull()
    expect(opened.db.prepare('SELECT last FROM sequences').pluck().get()).toBe(7)
    opened.db.close()
  })

  it('reports a full disk when no file exists, and leaves no partial file', () => {
    disk = mountSmallDisk()
    const file = join(disk.dir, 'edge.db')
    disk.fill()
    expect(openEdgeDb(file)).toMatchObject({
      ok: false,
      reason: 'disco_indisponivel',
      detalhe: expect.stringContaining('cheio'),
    })
    disk.free()
    const opened = openEdgeDb(file)
    if (!opened.ok) throw new Error(opened.reason)
    expect(opened.damaged).toBeNull()
    opened.db.close()
  })

  it('opens an intact file on a full disk, so that its records can be sent', () => {
    disk = mountSmallDisk()
    const file = join(disk.dir, 'edge.db')
    storeSequence(file)
    disk.fill()
    const opened = openEdgeDb(file)
    if (!opened.ok) throw new Error(opened.reason)
    expect(opened.db.prepare('SELECT last FROM sequences').pluck().get()).toBe(7)
    opened.db.close()
  })
})

it.skipIf(!canMount())('releases its ballast when a full disk prevents the start (needs the right to mount)', () => {
  disk = mountSmallDisk(48)
  const file = join(disk.dir, 'edge.db')
  const ballast = createBallast(file)
  ballast.hold(null)
  expect(ballast.drop()).toBe(false)
  ballast.hold(disk.freeBytes())
  disk.fill()
  expect(openEdgeDb(file)).toMatchObject({ ok: true })
  expect(ballast.drop()).toBe(false)
})
