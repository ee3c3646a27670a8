import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createBallast } from '@vigia/runtime/ballast'
import { canMount, mountSmallDisk, type SmallDisk } from '@vigia/testing/small-disk'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDiskSpace, type DiskSpace } from './disk-space.ts'

const MB = 1024 * 1024
const error = (code: string) => Object.assign(new Error(code), { code })

describe.skipIf(!canMount())('the free space of a disk (needs the right to mount)', () => {
  let small: SmallDisk
  let disk: DiskSpace
  let lines: string[]
  beforeEach(() => {
    lines = []
    small = mountSmallDisk(100)
    const note = (_fields: object, message: string) => void lines.push(message)
    disk = createDiskSpace({
      dirs: [small.dir, join(small.dir, 'media')],
      lowBytes: 1024 * MB,
      minimumBytes: 64 * MB,
      ballast: createBallast(join(small.dir, 'vigia.db')),
      log: { debug: note, info: note, warn: note, error: note },
      everyMs: 20,
    })
  })
  afterEach(() => {
    disk.stop()
    small.unmount()
  })

  it('is low below a fifth and full below 10 MiB of a small disk, with one log line each', () => {
    expect(disk.warning()).toBeNull()
    small.fill(19 * MB)
    expect(disk.warning()).toBe('disco_baixo')
    expect(disk.hasSpace()).toBe(true)
    small.fill(9 * MB)
    expect([disk.warning(), disk.warning()]).toEqual(['disco_cheio', 'disco_cheio'])
    expect(disk.hasSpace()).toBe(false)
    small.free()
    expect(disk.warning()).toBeNull()
    expect(lines).toEqual([
      expect.stringContaining('pouco espaço'),
      expect.stringContaining('disco cheio'),
      expect.stringContaining('há espaço'),
    ])
  })

  it('keeps the ballast while space is free', async () => {
    const ballast = join(small.dir, 'vigia.db-lastro')
    disk.start()
    expect(existsSync(ballast)).toBe(true)
    createBallast(join(small.dir, 'vigia.db')).drop()
    await waitFor('the ballast', () => existsSync(ballast))
  })

  it('reports a failed write with free space (a quota) until a file can be written', async () => {
    disk.failed(error('EDQUOT'))
    expect(disk.warning()).toBe('disco_cheio')
    disk.failed(new Error('another failure'))
    expect(disk.warning()).toBe('disco_cheio')
    disk.start()
    await waitFor('the warning to end', () => disk.warning() === null)
  })

  it('distinguishes a read-only disk from a full one', async () => {
    small.readOnly(true)
    disk.failed(error('SQLITE_IOERR_WRITE'))
    disk.start()
    expect(disk.warning()).toBe('disco_somente_leitura')
    small.readOnly(false)
    await waitFor('the warning to end', () => disk.warning() === null)
  })

  it('ignores the failed write of an optional update, but no other failure', async () => {
    await disk.tolerate(() => Promise.reject(error('SQLITE_FULL')))
    expect(disk.warning()).toBe('disco_cheio')
    await expect(disk.tolerate(() => Promise.reject(error('SQLITE_CONSTRAINT')))).rejects.toThrow('CONSTRAINT')
  })
})
