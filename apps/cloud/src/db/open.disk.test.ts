import { join } from 'node:path'
import { createBallast } from '@vigia/runtime/ballast'
import { unwritableDisk } from '@vigia/runtime/disk-failure'
import { canMount, mountSmallDisk, type SmallDisk } from '@vigia/testing/small-disk'
import { afterEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from './open.ts'

describe.skipIf(!canMount())('the database on a full disk (needs the right to mount)', () => {
  let disk: SmallDisk | null = null
  let db: Database | null = null
  afterEach(async () => {
    await db?.destroy()
    disk?.unmount()
    disk = null
    db = null
  })

  const open = async (sizeMiB: number) => {
    disk = mountSmallDisk(sizeMiB)
    const file = join(disk.dir, 'vigia.db')
    db = await openDatabase(file)
    return { disk, file, db }
  }
  const addEmpresa = (on: Database, nome: string) =>
    on.transaction().execute(async (tx) => {
      await tx
        .insertInto('empresas')
        .values({ nome, empresa_pai_id: null, fuso_horario: 'UTC', limite_cameras: 1, criada_em: 1 })
        .execute()
    })

  it('reports SQLITE_FULL, answers reads and recovers when space is free again', async () => {
    const { disk, db } = await open(8)
    await addEmpresa(db, 'Antes')
    disk.fill()
    const errors = await Promise.all(
      Array.from({ length: 40 }, (_, i) => addEmpresa(db, `${i}${'x'.repeat(20_000)}`).catch((error) => error)),
    )
    const refused = errors.filter((error) => error !== undefined)
    expect(refused.length).toBeGreaterThan(30)
    for (const error of refused) expect(error).toMatchObject({ code: 'SQLITE_FULL' })
    expect(await db.selectFrom('empresas').select('nome').where('id', '=', 1).executeTakeFirst()).toEqual({
      nome: 'Antes',
    })
    disk.free()
    await addEmpresa(db, 'Depois')
  })

  it('opens by releasing the ballast and reports a full disk without one', async () => {
    const { disk, file, db: first } = await open(48)
    await addEmpresa(first, 'Antes')
    createBallast(file).hold(disk.freeBytes())
    await first.destroy()
    disk.fill()
    db = await openDatabase(file)
    expect(await db.selectFrom('empresas').select('nome').execute()).toEqual([{ nome: 'Antes' }])
    expect(createBallast(file).drop()).toBe(false)
    await db.destroy()
    disk.fill()
    expect(unwritableDisk(await openDatabase(file).catch((error) => error))).toBe('cheio')
  })
})
