import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { ConfirmacaoExtra } from '@vigia/contracts/extras'
import { type BatchItem, decodeBatch } from '@vigia/link/batch'
import { decodeExtras } from '@vigia/link/extras-batch'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { uuidV7 } from '../db/uuid-v7.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxQuota } from './quota-store.ts'
import { createSender, type Sender } from './sender.ts'
import { createOutbox } from './store.ts'
import { candidate, jpeg, unlimited } from './testing/candidates.ts'

const KB = 1024
let dir = ''
let db: EdgeDb
let outbox: Outbox
let sender: Sender
let events: BatchItem[][] = []
/** Ids of the extras of each message. */
let extras: string[][] = []
let kinds: readonly string[] = ['evidencia']
/** Delay of the PUBACK of events. */
let line: Promise<void> = Promise.resolve()

beforeEach(() => {
  dir = temporaryFolder('vigia-extras-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  events = []
  extras = []
  kinds = ['evidencia']
  line = Promise.resolve()
  start(unlimited())
})
afterEach(() => {
  sender.stop()
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

function start(quota: OutboxQuota, minMs = 60_000) {
  outbox = createOutbox(db, { quota, inFlight: () => sender.inFlight() })
  sender = createSender({
    outbox,
    limitKbps: () => null,
    log: pino({ level: 'silent' }),
    confirmTimeout: { minMs, maxMs: minMs },
    publish: async (payload) => {
      const decoded = decodeBatch(payload)
      if (decoded.ok) events.push(decoded.itens.flatMap((item) => (item.ok ? item : [])))
      await line
    },
    extras: {
      extras: outbox.extras,
      kinds: () => kinds,
      publish: async (payload) => {
        const decoded = decodeExtras(payload)
        if (!decoded.ok) throw new Error(decoded.motivo)
        extras.push(decoded.itens.flatMap((item) => (item.ok ? item.extra.id : [])))
      },
    },
  })
}

/** Adds an event with one further picture; returns the ids of both. */
function add(camera = 1, bytes = 100) {
  const made = candidate(camera)
  outbox.add([{ candidate: made, media: [{ papel: 'crop', bytes: jpeg(bytes) }] }], null)
  return { evento: made.id, extra: addExtra(made.id, bytes, camera) }
}
function addExtra(evento: string, bytes = 100, camera = 1): string {
  const id = uuidV7(Date.now())
  const caixas = [{ rotulo: 'person', confianca: 0.5, x: 0.3, y: 0.3, w: 0.3, h: 0.3 }]
  const about = { tipo: 'evidencia', v: 1, fonte: 'sub', dt_ms: 600, redetectada: true } as const
  outbox.extras.add({ ...about, id, camera_id: camera, evento, caixas }, jpeg(bytes))
  return id
}
async function confirmEvents() {
  // The PUBACK of each batch arrives first.
  await setImmediate()
  sender.confirm({
    tipo: 'registros',
    v: 2,
    itens: events.flat().map(({ registro }) => ({ id: registro.id, resultado: 'gravado', motivo: null })),
  })
}
const confirm = (ids: readonly string[], resultado: ConfirmacaoExtra['resultado'] = 'gravado') =>
  sender.confirmExtras({ tipo: 'extras', v: 1, itens: ids.map((id) => ({ id, resultado, motivo: null })) })

it('sends the extras of confirmed events, newest first, and removes each on its confirmation', async () => {
  const made = [add(), add(), add()].map(({ extra }) => extra)
  sender.connection(true)
  expect(events.flat()).toHaveLength(3)
  expect(extras).toEqual([])
  await confirmEvents()
  expect(extras).toEqual([made.toReversed()])
  confirm(made.slice(1))
  expect(outbox.extras.count()).toBe(1)
  confirm(made.slice(0, 1), 'recusado')
  expect([outbox.extras.count(), extras.length]).toEqual([0, 1])
})

it('sends extras while no event waits for the line, also if events wait for an answer', async () => {
  sender.connection(true)
  const { evento, extra } = add()
  sender.wake()
  await confirmEvents()
  const second = addExtra(evento)
  const puback = Promise.withResolvers<void>()
  line = puback.promise
  add()
  sender.wake()
  confirm([extra])
  expect(extras).toEqual([[extra]])
  puback.resolve()
  await setImmediate()
  expect(extras).toEqual([[extra], [second]])
})

it('keeps the extras of a camera that the cloud has no space for, and sends those of others', async () => {
  const [own, other] = [add(1), add(2)]
  sender.connection(true)
  await confirmEvents()
  expect(extras).toEqual([[other.extra, own.extra]])
  const next = add(2)
  sender.wake()
  await confirmEvents()
  const espere = { ids: [own.extra], s: 60 }
  const itens = [{ id: other.extra, resultado: 'gravado', motivo: null } as const]
  sender.confirmExtras({ tipo: 'extras', v: 1, itens, espere })
  expect(extras.slice(1)).toEqual([[next.extra]])
  confirm([next.extra])
  expect([extras.length, outbox.extras.count()]).toEqual([2, 1])
  // A new connection asks again.
  sender.connection(false)
  sender.connection(true)
  expect(extras.at(-1)).toEqual([own.extra])
})

it('keeps the extras of an event that is not confirmed', () => {
  sender.connection(true)
  const [first, second] = [add(), add()]
  sender.wake()
  const [one] = events.flat()
  sender.confirm({ tipo: 'registros', v: 2, itens: [{ id: first.evento, resultado: 'gravado', motivo: null }] })
  expect([one?.registro.id, extras]).toEqual([first.evento, []])
  sender.connection(false)
  expect(outbox.extras.next(kinds, { records: 9, bytes: KB }).map(({ extra }) => extra.id)).toEqual([first.extra])
  expect(second.extra).not.toBe(first.extra)
})

it('sends nothing to a cloud that does not announce the kind', async () => {
  kinds = []
  add()
  sender.connection(true)
  await confirmEvents()
  expect([extras, outbox.extras.count()]).toEqual([[], 1])
  kinds = ['evidencia', 'outra']
  sender.wake()
  expect(extras.flat()).toHaveLength(1)
})

it('repeats unanswered extras, and all of them after a new connection', async () => {
  sender.stop()
  start(unlimited(), 20)
  const { extra } = add()
  sender.connection(true)
  await confirmEvents()
  await waitFor('a repetition', () => extras.length > 1, { everyMs: 1 })
  expect(extras.slice(0, 2)).toEqual([[extra], [extra]])
  sender.connection(false)
  const before = extras.length
  sender.connection(true)
  expect(extras.slice(before)).toEqual([[extra]])
})

it('bounds a message of extras, so that a live event waits for a short one', () => {
  for (let i = 0; i < 20; i++) addExtra(uuidV7(Date.now()), 30 * KB)
  sender.connection(true)
  expect(extras.map((ids) => ids.length)).toEqual([2])
  confirm(extras.flat())
  expect(extras.flat()).toHaveLength(4)
})

it('drops extras before any picture of a candidate when the quota is full', () => {
  sender.stop()
  const MB = 1024 * KB
  start(unlimited(2 * MB))
  for (let i = 0; i < 10; i++) add(1, 60 * KB)
  expect(outbox.extras.count()).toBe(10)
  for (let i = 0; i < 20; i++)
    outbox.add([{ candidate: candidate(1), media: [{ papel: 'crop', bytes: jpeg(60 * KB) }] }], null)
  const stored = outbox.read(1, { after: 0, upTo: 99 }, { records: 99, bytes: 9 * MB, atLeastOne: true })
  expect([outbox.extras.count(), stored.filter(({ midias }) => midias.length > 0).length]).toEqual([0, 30])
})

it('removes an extra with a damaged header and sends the others', () => {
  const ids = [addExtra(uuidV7(Date.now())), addExtra(uuidV7(Date.now()))]
  db.prepare("UPDATE extras SET header = 'x' WHERE id = ?").run(ids[1])
  sender.connection(true)
  expect([extras, outbox.extras.count()]).toEqual([[[ids[0]]], 1])
})
