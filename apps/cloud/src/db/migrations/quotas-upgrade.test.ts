import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { createSecretBox } from '../../adapters/secret-box.ts'
import { createCamera } from '../../domains/locais/cameras/create-camera.ts'
import { insertEmpresa } from '../../domains/pessoas/empresas/store.ts'
import { operatorCaller } from '../../test/clients/operator-caller.ts'
import { seedOneCamera } from '../../test/records/records.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open.ts'
import type { Tables } from '../tables.ts'

it('keeps the cameras of a tree above its root limit through the upgrade and refuses more', async () => {
  const dir = temporaryFolder('vigia-quotas-')
  const file = join(dir, 'vigia.db')
  const former = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new SqliteDatabase(file) }) })
  await migrate(former, '0007-seeing')
  const fields = { nome: 'E', fuso_horario: 'America/Sao_Paulo', criada_em: 0 }
  const root = await insertEmpresa(former, { ...fields, empresa_pai_id: null, limite_cameras: 1 })
  const below = await insertEmpresa(former, { ...fields, empresa_pai_id: root.id, limite_cameras: 64 })
  const edge = { nome: 'Caixa', empresa_id: below.id, local: 0, criado_em: 0 } as const
  const { id: edgeId } = await former.insertInto('edges').values(edge).returning('id').executeTakeFirstOrThrow()
  for (let i = 0; i < 2; i += 1) await seedOneCamera(former, below.id, edgeId)
  await former.destroy()

  const db = await openDatabase(file)
  try {
    const count = () => db.selectFrom('cameras').select('id').execute()
    expect((await count()).length).toBe(2)
    const upgraded = await db.selectFrom('empresas').selectAll().where('id', '=', below.id).executeTakeFirstOrThrow()
    expect(upgraded).toMatchObject({ limite_cameras: 64, limite_edges: 1000, limite_agentes: 1000 })
    const box = createSecretBox(randomBytes(32))
    const deps = { db, clock: { now: () => 1 }, box, desired: { changed: () => {} } }
    const input = { empresa_id: below.id, nome: 'Terceira', rtsp_url: 'rtsp://127.0.0.1/1' }
    const create = () =>
      createCamera(deps, operatorCaller, input, () => Promise.reject(new Error('unexpected command to an edge')))
    await expect(create()).rejects.toMatchObject({ code: 'conflito' })
    await db.updateTable('empresas').set({ limite_cameras: 3 }).where('id', '=', root.id).execute()
    await create()
    expect((await count()).length).toBe(3)
  } finally {
    await db.destroy()
    rmSync(dir, { recursive: true })
  }
})
