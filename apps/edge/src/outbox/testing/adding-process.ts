import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openEdgeDb } from '../../db/edge-db.ts'
import { createOutbox } from '../store.ts'
import { candidate, jpeg, unlimited } from './candidates.ts'

/**
 * Adds candidates as fast as possible and prints the number of each after `add` has returned; the test kills it at any
 * moment.
 */
const [dir = ''] = process.argv.slice(2)
mkdirSync(dir, { recursive: true })
const opened = openEdgeDb(join(dir, 'edge.db'))
if (!opened.ok) throw new Error(opened.reason)
const outbox = createOutbox(opened.db, { quota: unlimited(), inFlight: () => new Set() })
function addOne() {
  const [seq] = outbox.add([{ candidate: candidate(1), media: [{ papel: 'crop', bytes: jpeg(20_000) }] }], {
    fired: true,
  })
  process.send?.(seq)
  setImmediate(addOne)
}
addOne()
