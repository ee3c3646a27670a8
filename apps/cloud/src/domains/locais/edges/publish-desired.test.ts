import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createSealKeyPair } from '@vigia/link/sealed'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../db/open.ts'
import { onlyReplica } from '../../../replicas/replica.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { seedActivatedEdge, seedCamera, seedOneCamera } from '../../../test/records/records.ts'
import { createDesiredPublisher, type DesiredPublisher } from './publish-desired.ts'

let dir: string
let db: Database
let publisher: DesiredPublisher
let connected: () => void | Promise<void>
/** Edges in the order of their publications; the link refuses those in `failing`. */
const published: number[] = []
const failing = new Set<number>()
const link = {
  connected: true,
  onConnected: (listener: () => void | Promise<void>) => {
    connected = listener
  },
  onAnnounced: () => {},
  clearPresence: async () => {},
  publishDesired: async (edgeId: number) => {
    if (failing.has(edgeId)) throw new Error('refused')
    published.push(edgeId)
  },
}

beforeEach(async () => {
  dir = temporaryFolder('vigia-desired-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  published.length = 0
  failing.clear()
  const sources = () => ({ rtsp_url: 'rtsp://127.0.0.9/1', sub_rtsp_url: null })
  publisher = createDesiredPublisher({ db, link, sources, replica: onlyReplica, log: pino({ level: 'silent' }) })
})
afterEach(async () => {
  await publisher.stop()
  await db.destroy()
  rmSync(dir, { recursive: true })
})

/** Each failure waits at least 1 s. In series this is longer than the limit of `waitFor`. */
const FAILING = 40

async function seedEdges(count: number): Promise<number[]> {
  const { empresaId, edgeId } = await seedCamera(db)
  const edges = [edgeId]
  while (edges.length < count) edges.push(await seedActivatedEdge(db, empresaId))
  const { publicJwk } = await createSealKeyPair()
  await db
    .updateTable('edges')
    .set({ chave_cifra_json: JSON.stringify(publicJwk) })
    .execute()
  for (const edge of edges.slice(1)) await seedOneCamera(db, empresaId, edge)
  return edges
}

it('delays no edge because of failing ones and publishes those once they recover', async () => {
  const edges = await seedEdges(FAILING + 12)
  const bad = edges.slice(0, FAILING)
  for (const edge of bad) failing.add(edge)
  await connected()
  await waitFor('the good edges', () => published.length === 12)
  expect(published.toSorted((a, b) => a - b)).toEqual(edges.slice(FAILING))
  failing.clear()
  await waitFor('the others', () => published.length === FAILING + 12)
  expect(published.slice(12).toSorted((a, b) => a - b)).toEqual(bad)
})
