import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fixture } from '@vigia/testing/fixture'
import { emptyDatabaseUrl } from '@vigia/testing/test-databases'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createSecretBox, type SecretBox } from '../../adapters/secret-box.ts'
import { secretPurposes } from '../../adapters/secret-purposes.ts'
import { createLocalEdge } from '../../domains/locais/edges/local-edge.ts'
import { renewSeals } from '../../domains/locais/segredos/renew-seals.ts'
import { ensureOperator } from '../../domains/pessoas/usuarios/ensure-operator.ts'
import { createPasswords } from '../../domains/pessoas/usuarios/passwords.ts'
import { startTestApp } from '../../test/clouds/test-app.ts'
import { seedCamera, seedOneCamera } from '../../test/records/records.ts'
import { withoutConditions } from '../../test/stores/without-locks-store.ts'
import { expectCured, openTwoPools, together } from '../../test/walks/races.ts'
import { type Database, openDatabase } from '../open.ts'

const clock = { now: () => Date.now() }
const log = pino({ level: 'silent' })

const pools = fixture(openTwoPools)

it('12: two starts create one local edge', async () => {
  await expectCured(pools, {
    row: '12',
    rounds: 15,
    round: async (one, two, n) => {
      await pools.one.deleteFrom('edges').execute()
      const link = { connected: false, onConnected: () => {} }
      const edges = [one, two].map((db, at) =>
        createLocalEdge({ db, clock, link, log, file: join(pools.dir, `${n}-${at}`, 'codigo') }),
      )
      const done = await together(...edges.map((edge) => () => edge.start()))
      for (const edge of edges) await edge.stop()
      const { length } = await pools.one.selectFrom('edges').select('id').where('local', '=', 1).execute()
      return length - 1 + (2 - done.length)
    },
  })
})

it('13: two first starts create one operator, with one password file', async () => {
  const passwords = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 })
  await expectCured(pools, {
    row: '13',
    rounds: 15,
    round: async (one, two) => {
      await pools.one.deleteFrom('usuarios').execute()
      const dirs = [randomUUID(), randomUUID()].map((name) => join(pools.dir, name))
      const start =
        (db: Database, cloudDir = '') =>
        () =>
          ensureOperator({
            db,
            clock,
            passwords,
            announce: () => {},
            config: { cloudDir, admin: { username: 'admin', password: null } },
          })
      const done = await together(start(one, dirs[0]), start(two, dirs[1]))
      const files = dirs.filter((dir) => existsSync(join(dir, 'senha-inicial')))
      return 2 - done.length + (files.length - 1)
    },
  })
})

it('14: a change of the key keeps a password that a person changes meanwhile', async () => {
  const [former, next] = [randomBytes(32), randomBytes(32)]
  const [old, both] = [createSecretBox(former), createSecretBox(next, [former])]
  const { empresaId, edgeId } = await seedCamera(pools.one)
  const ids: number[] = []
  for (let n = 0; n < 60; n += 1) ids.push(await seedOneCamera(pools.one, empresaId, edgeId))
  const sealWith = (box: SecretBox, db: Database, id: number, url: string) =>
    db
      .updateTable('cameras')
      .set({ rtsp_url_cifrada: box.seal(url, secretPurposes.cameraUrl(id)) })
      .where('id', '=', id)
      .execute()
  await expectCured(pools, {
    row: '14',
    rounds: 2,
    strip: withoutConditions,
    round: async (one, two) => {
      for (const id of ids) await sealWith(old, pools.one, id, 'rtsp://antes')
      await together<unknown>(
        () => renewSeals({ db: one, box: both, log }),
        async () => {
          for (const id of ids.toReversed()) await sealWith(both, two, id, 'rtsp://depois')
        },
      )
      const rows = await pools.one.selectFrom('cameras').select(['id', 'rtsp_url_cifrada']).execute()
      const urls = rows.map(
        (row) => row.rtsp_url_cifrada && both.open(row.rtsp_url_cifrada, secretPurposes.cameraUrl(row.id)),
      )
      return urls.filter((url) => url === 'rtsp://antes').length
    },
  })
})

it('two replicas start at the same time on one empty database', async () => {
  const url = await emptyDatabaseUrl(join(pools.dir, 'vazio'))
  const env = { VIGIA_CHAVE: randomBytes(32).toString('base64'), VIGIA_BANCO: url, VIGIA_EDGE_LOCAL: 'true' }
  const apps = await together(...[1, 2].map(() => () => startTestApp(env, { empty: true })))
  await Promise.all(apps.map((app) => app.stop()))
  expect(apps).toHaveLength(2)
  const db = await openDatabase(url)
  const count = async (table: 'usuarios' | 'chaves_vapid' | 'edges' | 'segredos_instalacao') =>
    (await db.selectFrom(table).select('id').execute()).length
  const counts = [await count('usuarios'), await count('chaves_vapid'), await count('edges')]
  const secrets = await count('segredos_instalacao')
  await db.destroy()
  expect([...counts, secrets]).toEqual([1, 1, 1, 1])
})
