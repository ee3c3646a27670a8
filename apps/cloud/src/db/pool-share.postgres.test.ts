import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asRefusal } from '../http/errors.ts'
import { testPlace } from '../test/clouds/template.ts'
import { type Database, openDatabase } from './open.ts'
import { runForAll, runForRoot } from './pool-share.ts'

let db: Database
beforeAll(async () => {
  const place = await testPlace(join(temporaryFolder('vigia-share-'), 'vigia.db'))
  db = await openDatabase(place, { maxConnections: 6, statementMs: 2_000 })
})
afterAll(() => db.destroy())

const sleep = (seconds: number) => sql`select pg_sleep(${seconds})`.execute(db)

it('leaves connections to other roots while one root asks for all', async () => {
  const order: string[] = []
  const hostile = Array.from({ length: 40 }, () =>
    runForRoot(1, async () => {
      await sleep(0.2)
      order.push('hostile')
    }),
  )
  const honest = runForRoot(2, async () => {
    await sql`select 1`.execute(db)
    order.push('honest')
  })
  const background = sql`select 1`.execute(db).then(() => order.push('background'))
  await Promise.all([honest, background])
  // A third of the six connections sleeps at a time.
  expect(order.filter((name) => name === 'hostile').length).toBeLessThan(40 - 2)
  await Promise.all(hostile)
  expect(order).toHaveLength(42)
})

it('leaves work for all, and work that outlives its request, out of the share of a root', async () => {
  const order: string[] = []
  const query = (name: string) =>
    sql`select 1`.execute(db).then(() => {
      order.push(name)
    })
  const later = Promise.withResolvers<void>()
  const outlived: Promise<void>[] = []
  await runForRoot(1, async () => {
    outlived.push(later.promise.then(() => query('outlived')))
  })
  const hostile = Array.from({ length: 12 }, () =>
    runForRoot(1, async () => {
      await sleep(0.2)
      order.push('hostile')
    }),
  )
  const queued = runForRoot(1, () => query('queued'))
  await runForRoot(1, () => runForAll(() => query('for all')))
  // By now the others wait in the order of their calls.
  later.resolve()
  await Promise.all(outlived)
  expect(order).not.toContain('queued')
  expect(order.filter((name) => name === 'hostile').length).toBeLessThan(12)
  await Promise.all([...hostile, queued])
})

it('ends a statement above its time, and answers it with a sentence', async () => {
  const error = await sleep(30).catch((reason: unknown) => reason)
  expect(asRefusal(error)).toMatchObject({ code: 'indisponivel', detalhe: expect.stringContaining('tempo demais') })
  expect((await sql`select 1 as n`.execute(db)).rows).toEqual([{ n: 1 }])
})
