import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryLog } from '@vigia/link/testing/installation'
import { CERTIFICATES_TOPIC, topics } from '@vigia/link/topics'
import { canMount, mountSmallDisk, type SmallDisk } from '@vigia/testing/small-disk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStateFolder } from './state-folder.ts'

describe.skipIf(!canMount())('the state folder on an unwritable disk (needs the right to mount)', () => {
  let disk: SmallDisk
  let dir: string
  beforeEach(() => {
    disk = mountSmallDisk(1)
    dir = join(disk.dir, 'estado')
  })
  afterEach(() => disk.unmount())

  it('keeps no outdated state on a full disk, and continues when space is free', async () => {
    const folder = createStateFolder(dir, createMemoryLog())
    await folder.load()
    await folder.keep(CERTIFICATES_TOPIC, Buffer.from('a'))
    disk.fill()
    await folder.keep(CERTIFICATES_TOPIC, Buffer.alloc(9_000, 'b'))
    await folder.keep(topics(7).desejado, Buffer.alloc(9_000, 'c'))
    expect(readdirSync(dir)).toEqual([])
    disk.free()
    await folder.keep(CERTIFICATES_TOPIC, Buffer.from('d'))
    expect(await createStateFolder(dir, createMemoryLog()).load()).toEqual([
      { topic: CERTIFICATES_TOPIC, payload: Buffer.from('d') },
    ])
  })

  it('can be read from a read-only disk, also with damaged files', async () => {
    const folder = createStateFolder(dir, createMemoryLog())
    await folder.load()
    await folder.keep(CERTIFICATES_TOPIC, Buffer.from('a'))
    writeFileSync(join(dir, 'desejado-7.json'), '{')
    writeFileSync(join(dir, '.x.tmp'), '')
    disk.readOnly(true)
    expect(await createStateFolder(dir, createMemoryLog()).load()).toHaveLength(1)
    disk.readOnly(false)
  })
})
