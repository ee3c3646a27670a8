import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { primeiroSeqDe } from '@vigia/contracts/candidate'
import { type BatchItem, decodeBatch } from '@vigia/link/batch'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import pino from 'pino'
import { expect, it } from 'vitest'
import { openEdgeDb } from '../db/edge-db.ts'
import { createSender } from './sender.ts'
import { createOutbox } from './store.ts'
import { candidate, jpeg, unlimited } from './testing/candidates.ts'

it('sends unanswered records as back-fill after a cloud outage, within the limit and behind live records', () => {
  const dir = temporaryFolder('vigia-sender-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  let now = 0
  let limitKbps: number | null = null
  const sent: BatchItem[][] = []
  const outbox = createOutbox(opened.db, { quota: unlimited(), inFlight: () => sender.inFlight() })
  const sender = createSender({
    outbox,
    limitKbps: () => limitKbps,
    log: pino({ level: 'silent' }),
    monotonic: () => now,
    publish: async (payload) => {
      const decoded = decodeBatch(payload)
      if (!decoded.ok) throw new Error(decoded.motivo)
      sent.push(decoded.itens.flatMap((item) => (item.ok ? item : [])))
    },
  })
  const fire = (bytes: number) => {
    outbox.add([{ candidate: candidate(1), media: [{ papel: 'crop', bytes: jpeg(bytes) }] }], null)
    sender.wake()
  }

  sender.connection(true)
  for (let i = 0; i < 30; i++) fire(20_000)
  expect(sent).toHaveLength(16)
  now = 11_000
  sender.heard()
  // The other messages of the cloud arrive in time; only its answers are slow.
  expect(sent).toHaveLength(16)
  now = 60_000
  limitKbps = 16
  sender.heard()
  expect(sent[16]?.map(({ registro }) => primeiroSeqDe(registro))).toEqual([1])
  expect(sent).toHaveLength(17)
  fire(100)
  expect(sent[17]?.map(({ registro, base, desde }) => [primeiroSeqDe(registro), base, desde])).toEqual([[31, 1, 31]])

  sender.stop()
  opened.db.close()
  rmSync(dir, { recursive: true })
})
