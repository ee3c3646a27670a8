import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Candidato, Confirmacao, Registro } from '@vigia/contracts/candidate'
import { decodeEnvelope } from '@vigia/link/envelope'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { createClockOffset } from './clock-offset.ts'
import { createSender, type Sender } from './sender.ts'
import { createOutbox, type Outbox } from './store.ts'
import { candidate, jpeg } from './testing/candidates.ts'

let dir = ''
let db: EdgeDb
let outbox: Outbox
let sender: Sender
let sent: Registro[] = []
let publish: (payload: Buffer) => Promise<void> = async () => {}
const clock = createClockOffset()

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vigia-sender-'))
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  sent = []
  publish = async () => {}
  outbox = createOutbox(db, { maxBytes: 1e9, inFlight: () => sender.inFlight() })
  sender = createSender({
    outbox,
    clock,
    now: Date.now,
    log: pino({ level: 'silent' }),
    maxInFlight: 3,
    ackTimeout: { minMs: 40, maxMs: 80 },
    publish: (payload) => {
      const decoded = decodeEnvelope(payload)
      if (!decoded.ok) throw new Error(decoded.motivo)
      sent.push(decoded.registro)
      return publish(payload)
    },
  })
})
afterEach(() => {
  sender.stop()
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

const add = (camera: number) =>
  outbox.add([{ candidate: candidate(camera), media: [{ papel: 'crop', bytes: jpeg(100) }] }], null)
const answer = (registro: Registro | undefined, resultado: Confirmacao['resultado'] = 'gravado') =>
  sender.acknowledge({ v: 1, id: registro?.id ?? '', resultado, motivo: null, enviado_em: Date.now() })
const seqs = () => sent.map((registro) => (registro as Candidato).seq)

describe('createSender', () => {
  it('sends nothing while there is no connection', () => {
    add(1)
    sender.wake()
    expect(sent).toEqual([])
  })

  it('sends one record of a camera at a time, the next only after the acknowledgement of the cloud', () => {
    for (let i = 0; i < 3; i++) add(1)
    sender.connection(true)
    expect(seqs()).toEqual([1])
    sender.wake()
    expect(seqs()).toEqual([1])
    answer(sent[0])
    expect(seqs()).toEqual([1, 2])
    expect(outbox.size()).toBe(2)
    answer(sent[1], 'repetido')
    answer(sent[2], 'recusado')
    expect(outbox.size()).toBe(0)
    expect(sender.inFlight().size).toBe(0)
  })

  it('sends several cameras side by side, up to the limit, and lets none starve', () => {
    for (const camera of [1, 2, 3, 4, 5]) for (let i = 0; i < 2; i++) add(camera)
    sender.connection(true)
    expect(sent.map(({ camera_id }) => camera_id)).toEqual([1, 2, 3])
    answer(sent[0])
    answer(sent[1])
    expect(sent.map(({ camera_id }) => camera_id)).toEqual([1, 2, 3, 4, 5])
  })

  it('sends again when no acknowledgement comes, whatever the broker said', async () => {
    add(1)
    sender.connection(true)
    await waitFor('a third sending', () => sent.length >= 3, { everyMs: 5 })
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    expect(outbox.size()).toBe(1)
    answer(sent[0])
    expect(outbox.size()).toBe(0)
  })

  it('sends again when publishing fails', async () => {
    publish = () => Promise.reject(new Error('link not connected'))
    add(1)
    sender.connection(true)
    await waitFor('another sending', () => sent.length >= 2, { everyMs: 5 })
    expect(outbox.size()).toBe(1)
  })

  it('waits for the answer only once the bytes are out', async () => {
    const out = Promise.withResolvers<void>()
    publish = () => out.promise
    add(1)
    add(2)
    sender.connection(true)
    // 300 ms are several times the wait for an answer
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(sent).toHaveLength(2)
    out.resolve()
    await waitFor('sent again', () => sent.length > 2, { everyMs: 5 })
  })

  it('sends again at once when the connection comes back, in order', () => {
    for (let i = 0; i < 2; i++) add(1)
    sender.connection(true)
    sender.connection(false)
    add(1)
    sender.wake()
    expect(seqs()).toEqual([1])
    sender.connection(true)
    expect(seqs()).toEqual([1, 1])
    answer(sent[1])
    answer(sent[2])
    answer(sent[3])
    expect(seqs()).toEqual([1, 1, 2, 3])
  })

  it('takes a second acknowledgement and one of an unknown record for what they are', () => {
    add(1)
    add(1)
    sender.connection(true)
    const first = sent[0]
    answer(first)
    answer(first)
    expect(outbox.size()).toBe(1)
    answer({ ...(sent[1] as Candidato), id: '01890000-0000-7000-8000-000000000000' })
    expect(outbox.size()).toBe(1)
    expect(seqs()).toEqual([1, 2])
  })

  it('sends an event without its pictures when these are damaged, and goes on', () => {
    add(1)
    add(1)
    db.prepare("UPDATE media SET bytes = x'00' WHERE record = 1").run()
    sender.connection(true)
    expect(sent[0]).toMatchObject({ seq: 1, midias: [], midia_descartada: true })
    answer(sent[0])
    expect(sent[1]).toMatchObject({ seq: 2, midia_descartada: false })
  })
})

describe('createClockOffset', () => {
  it('takes the middle of sending and receiving, and keeps the quickest answer for a while', () => {
    const offset = createClockOffset()
    expect(offset.offsetMs).toBeNull()
    offset.sample(10_000, 10_200, 5_100)
    expect(offset.offsetMs).toBe(5_000)
    offset.sample(20_000, 22_000, 15_900)
    expect(offset.offsetMs).toBe(5_000)
    offset.sample(30_000, 30_100, 25_000)
    expect(offset.offsetMs).toBe(5_050)
    offset.sample(900_000, 901_000, 895_400)
    expect(offset.offsetMs).toBe(5_100)
  })

  it('ignores a record during which the clock of the box was set back', () => {
    const offset = createClockOffset()
    offset.sample(10_000, 5_000, 5_100)
    expect(offset.offsetMs).toBeNull()
  })
})
