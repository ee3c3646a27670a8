import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createNotices } from '../db/notices.ts'
import type { Database } from '../db/open.ts'
import { openTestDatabase, testPlace } from '../test/clouds/template.ts'
import { seedActivatedEdge } from '../test/records/records.ts'
import { winner } from './edge-division.ts'
import { createReplica, type Replica } from './replica.ts'

const log = pino({ level: 'silent' })
let dir: string
let db: Database
let url: string
let edgeId: number
const running = new Set<Replica>()

beforeAll(async () => {
  dir = temporaryFolder('vigia-replica-')
  const file = join(dir, 'vigia.db')
  db = await openTestDatabase(file)
  url = await testPlace(file)
  const empresa = { nome: 'Loja', fuso_horario: 'America/Sao_Paulo', limite_cameras: 9, criada_em: 1 }
  const { id } = await db.insertInto('empresas').values(empresa).returning('id').executeTakeFirstOrThrow()
  edgeId = await seedActivatedEdge(db, id)
})
afterAll(async () => {
  for (const replica of running) await replica.stop()
  await db?.destroy()
  await rm(dir, { recursive: true, force: true })
})

function create(name: string) {
  let ahead = 0
  const read: number[][] = []
  const replica = createReplica({
    db,
    name,
    url: null,
    log,
    notices: createNotices({ url, replica: name, log }),
    link: { own: (edgeIds) => void read.push([...edgeIds]) },
    monotonic: () => performance.now() + ahead,
  })
  running.add(replica)
  return {
    replica,
    /** Edges whose topics the link reads. */
    reads: () => read.at(-1),
    /** As if the process had not run for this time. */
    freeze(ms: number) {
      ahead += ms
    },
  }
}

it('frees an edge that it released itself, when another replica is to own it', async () => {
  const names = Array.from({ length: 20 }, (_, number) => `r${number}`)
  const second = winner(edgeId, names) ?? ''
  const [first = ''] = names.filter((name) => name !== second)
  const [a, b] = [create(first), create(second)]
  await a.replica.start()
  expect([a.replica.owns(edgeId), a.reads()]).toEqual([true, [edgeId]])
  // Below the lease of 10 s in the database, and above the time for which the process is sure of it.
  a.freeze(8_000)
  await b.replica.start()
  await waitFor('the other replica to own the edge', () => b.replica.owns(edgeId))
  expect([a.replica.owns(edgeId), a.reads(), b.reads()]).toEqual([false, [], [edgeId]])
})
