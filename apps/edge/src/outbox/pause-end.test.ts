import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { decodeBatch } from '@vigia/link/batch'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { expect, it } from 'vitest'
import { openEdgeDb } from '../db/edge-db.ts'
import { createSender } from './sender.ts'
import { createOutbox } from './store.ts'
import { answerOf } from './testing/batches.ts'
import { candidate, unlimited } from './testing/candidates.ts'

const PAUSE_MS = 100

// At the k-th reading of the clock the pause is over: a timer may be early, and the machine busy.
it.each(Array.from({ length: 12 }, (_, k) => k + 1))('sends again if a pause ends at reading %i', async (k) => {
  const dir = temporaryFolder('vigia-pause-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  const sent: Buffer[] = []
  let clock = 0
  let readings: number | null = null
  const outbox = createOutbox(opened.db, { quota: unlimited(), inFlight: () => sender.inFlight() })
  const sender = createSender({
    outbox,
    limitKbps: () => null,
    log: pino({ level: 'silent' }),
    monotonic: () => (readings === null ? clock : clock + readings++),
    publish: async (payload) => void sent.push(payload),
  })
  outbox.add([{ candidate: candidate(1), media: [] }], null)
  sender.connection(true)
  const batch = decodeBatch(sent[0] ?? Buffer.alloc(0))
  const given = answerOf(batch.ok ? batch.itens.flatMap((item) => (item.ok ? item : [])) : [], 'fora_de_ordem')
  sender.confirm({ ...given, itens: given.itens.map((item) => ({ ...item, espere_s: PAUSE_MS / 1000 })) })
  expect(sent).toHaveLength(1)
  // The batch is out: only the timer of the pause wakes the lane.
  await setImmediate()
  clock = PAUSE_MS + 1 - k
  readings = 0
  await waitFor('the repetition', () => sent.length > 1, { everyMs: 1 })
  sender.stop()
  opened.db.close()
  rmSync(dir, { recursive: true, force: true })
})
