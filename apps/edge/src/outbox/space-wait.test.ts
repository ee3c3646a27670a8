import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type BatchItem, decodeBatch } from '@vigia/link/batch'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import type { Outbox } from './outbox.ts'
import { createSender, type Sender } from './sender.ts'
import { createOutbox } from './store.ts'
import { answerOf, seqsOf } from './testing/batches.ts'
import { candidate, jpeg, unlimited } from './testing/candidates.ts'

let dir = ''
let db: EdgeDb
let outbox: Outbox
let sender: Sender
let now = 0
/** Sent batches. */
let sent: BatchItem[][] = []

beforeEach(() => {
  dir = temporaryFolder('vigia-space-wait-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  sent = []
  now = 0
  outbox = createOutbox(db, { quota: unlimited(), inFlight: () => sender.inFlight() })
  sender = createSender({
    outbox,
    limitKbps: () => null,
    log: pino({ level: 'silent' }),
    monotonic: () => now,
    confirmTimeout: { minMs: 60_000, maxMs: 60_000 },
    publish: async (payload) => {
      const decoded = decodeBatch(payload)
      if (decoded.ok) sent.push(decoded.itens.flatMap((item) => (item.ok ? item : [])))
    },
  })
})
afterEach(() => {
  sender.stop()
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Adds an event with one picture. */
function fire(camera: number) {
  outbox.add([{ candidate: candidate(camera), media: [{ papel: 'crop', bytes: jpeg(100) }] }], null)
  sender.wake()
}
const camerasOf = (batches: readonly BatchItem[][]) => batches.flat().map(({ registro }) => registro.camera_id)

it('keeps the records of a camera that the cloud has no space for, and sends those of others', async () => {
  sender.connection(true)
  fire(1)
  fire(2)
  const wait = { resultado: 'fora_de_ordem', motivo: 'sem espaço', espere_s: 60 } as const
  const items = sent.flat().filter(({ registro }) => registro.camera_id === 1)
  sender.confirm({ tipo: 'registros', v: 2, itens: items.map(({ registro }) => ({ id: registro.id, ...wait })) })
  sender.confirm(
    answerOf(
      sent.flat().filter(({ registro }) => registro.camera_id === 2),
      'gravado',
    ),
  )
  const before = sent.length
  now = 59_000
  fire(1)
  fire(2)
  expect(camerasOf(sent.slice(before))).toEqual([2])
  expect(outbox.lowest(1)).toBe(1)
  now = 60_000
  sender.wake()
  expect(seqsOf(sent.at(-1) ?? [])).toEqual([1, 2])
})
