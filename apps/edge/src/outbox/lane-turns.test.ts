import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { decodeBatch } from '@vigia/link/batch'
import { decodeExtras } from '@vigia/link/extras-batch'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { uuidV7 } from '../db/uuid-v7.ts'
import { TURN_OF } from './lane-turns.ts'
import type { Outbox } from './outbox.ts'
import { createSender, type Sender } from './sender.ts'
import { createOutbox } from './store.ts'
import { candidate, jpeg, unlimited } from './testing/candidates.ts'

const KB = 1024
let dir = ''
let db: EdgeDb
let outbox: Outbox
let sender: Sender
/** Messages in the order of their sending. */
let sent: ('live' | 'backfill' | 'extras')[] = []
/** Events of the backlog. */
const backlog = new Set<string>()

beforeEach(() => {
  dir = temporaryFolder('vigia-lane-turns-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  db.pragma('synchronous = OFF')
  sent = []
  backlog.clear()
  outbox = createOutbox(db, { quota: unlimited(), inFlight: () => sender.inFlight() })
  sender = createSender({
    outbox,
    limitKbps: () => null,
    log: pino({ level: 'silent' }),
    async publish(payload) {
      const batch = decodeBatch(payload)
      const ids = batch.ok ? batch.itens.flatMap((item) => (item.ok ? item.registro.id : [])) : []
      const isBackfill = ids.some((id) => backlog.has(id))
      sent.push(isBackfill ? 'backfill' : 'live')
      void setImmediate().then(() =>
        sender.confirm({
          tipo: 'registros',
          v: 2,
          itens: ids.map((id) => ({ id, resultado: 'gravado', motivo: null })),
        }),
      )
      // Live messages never leave the line free.
      if (!isBackfill) await new Promise(() => {})
    },
    extras: {
      extras: outbox.extras,
      kinds: () => ['evidencia'],
      async publish(payload) {
        const batch = decodeExtras(payload)
        const ids = batch.ok ? batch.itens.flatMap((item) => (item.ok ? item.extra.id : [])) : []
        sent.push('extras')
        void setImmediate().then(() =>
          sender.confirmExtras({
            tipo: 'extras',
            v: 1,
            itens: ids.map((id) => ({ id, resultado: 'gravado', motivo: null })),
          }),
        )
      },
    },
  })
})
afterEach(() => {
  sender.stop()
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

function add(bytes: number): string {
  const one = candidate(1)
  outbox.add([{ candidate: one, media: [{ papel: 'crop', bytes: jpeg(bytes) }] }], null)
  return one.id
}
function addExtra() {
  const caixas = [{ rotulo: 'person', confianca: 0.5, x: 0.3, y: 0.3, w: 0.3, h: 0.3 }]
  const about = { tipo: 'evidencia', v: 1, fonte: 'sub', dt_ms: 600, redetectada: true, camera_id: 1 } as const
  const id = uuidV7(Date.now())
  outbox.extras.add({ ...about, id, evento: uuidV7(Date.now()), caixas }, jpeg(100 * KB))
}

async function goOn(live: number) {
  for (let n = 0; n < live; n++) {
    add(100)
    sender.wake()
    await setImmediate()
    await setImmediate()
  }
}

it('sends one message of extras among eight while events never leave the line free', async () => {
  sender.connection(true)
  await goOn(1)
  for (let n = 0; n < 30; n++) addExtra()
  await goOn(80)
  const extras = sent.filter((lane) => lane === 'extras').length
  expect(extras).toBeGreaterThanOrEqual(Math.floor(81 / TURN_OF))
  expect(extras).toBeLessThanOrEqual(Math.ceil(81 / (TURN_OF - 1)))
})

it('starves neither the backlog nor the extras', async () => {
  for (let n = 0; n < 20; n++) backlog.add(add(60 * KB))
  for (let n = 0; n < 20; n++) addExtra()
  sender.connection(true)
  await goOn(120)
  expect(new Set(sent)).toEqual(new Set(['live', 'backfill', 'extras']))
  const left = db.prepare<[], string>('SELECT id FROM records').pluck().all()
  expect(left.filter((id) => backlog.has(id))).toEqual([])
  expect(sent.filter((lane) => lane === 'extras').length).toBeGreaterThanOrEqual(120 / TURN_OF)
})

it('gives clips a turn after the same number of messages', async () => {
  sender.connection(true)
  await goOn(TURN_OF - 2)
  expect(sender.hasTurnForClip()).toBe(false)
  await goOn(1)
  expect([sender.isLineFree(), sender.hasTurnForClip()]).toEqual([false, true])
  sender.clipSent()
  expect(sender.hasTurnForClip()).toBe(false)
})
