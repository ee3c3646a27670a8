import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Candidato, Confirmacao, Lacuna } from '@vigia/contracts/candidate'
import { primeiroSeqDe } from '@vigia/contracts/candidate'
import { type BatchItem, decodeBatch } from '@vigia/link/batch'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import type { Outbox } from './outbox.ts'
import { createSender, type Sender, type SenderOptions } from './sender.ts'
import { createOutbox } from './store.ts'
import { answerOf, positionsOf, seqsOf } from './testing/batches.ts'
import { candidate, jpeg, unlimited } from './testing/candidates.ts'

const KB = 1024
let dir = ''
let db: EdgeDb
let outbox: Outbox
let sender: Sender
/** Sent batches. */
let sent: BatchItem[][] = []
let publish: (payload: Buffer) => Promise<void> = async () => {}
let limitKbps: number | null = null

beforeEach(() => {
  dir = temporaryFolder('vigia-sender-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  sent = []
  publish = async () => {}
  limitKbps = null
  outbox = createOutbox(db, { quota: unlimited(), inFlight: () => sender.inFlight() })
  start()
})
afterEach(() => {
  sender.stop()
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

function start(options: Partial<SenderOptions> = {}) {
  sender = createSender({
    outbox,
    limitKbps: () => limitKbps,
    log: pino({ level: 'silent' }),
    confirmTimeout: { minMs: 60_000, maxMs: 60_000 },
    publish: (payload) => {
      const decoded = decodeBatch(payload)
      if (!decoded.ok || decoded.serie !== outbox.serie) throw new Error('unreadable batch')
      sent.push(decoded.itens.flatMap((item) => (item.ok ? item : [])))
      return publish(payload)
    },
    ...options,
  })
}

/** Adds an event with one picture; returns its number. */
function add(camera: number, bytes = 100) {
  const [seq] = outbox.add([{ candidate: candidate(camera), media: [{ papel: 'crop', bytes: jpeg(bytes) }] }], null)
  return seq
}
const fire = (camera: number, bytes = 100) => {
  add(camera, bytes)
  sender.wake()
}
const answer = (items: readonly BatchItem[] | undefined, resultado: Confirmacao['resultado'] = 'gravado') =>
  sender.confirm(answerOf(items ?? [], resultado))
const seqs = (batch = sent.flat()) => seqsOf(batch)
const positions = (batch: readonly BatchItem[] | undefined) => positionsOf(batch ?? [])

describe('live lane', () => {
  it('sends at once without waiting for answers and states the position of each record', () => {
    sender.connection(true)
    for (let i = 0; i < 3; i++) fire(1)
    expect(sent.map(positions)).toEqual([[[1, 1, 1, 1]], [[1, 2, 1, 1]], [[1, 3, 1, 1]]])
    answer(sent[0])
    fire(1)
    expect(positions(sent[3])).toEqual([[1, 4, 2, 2]])
    expect(sender.inFlight().size).toBe(3)
    answer(sent.flat(), 'repetido')
    expect(outbox.size()).toBe(0)
    expect(sender.inFlight().size).toBe(0)
  })

  it('keeps at most 16 batches in flight, then batches the waiting records', () => {
    sender.connection(true)
    for (let i = 0; i < 30; i++) fire(1 + (i % 3))
    expect(sent).toHaveLength(16)
    answer(sent[0])
    expect(sent).toHaveLength(17)
    expect(sent[16]).toHaveLength(14)
    const ofOne = sent.flat().filter(({ registro }) => registro.camera_id === 1)
    expect(seqs(ofOne)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('keeps at most 4 MiB in flight', async () => {
    sender.connection(true)
    for (let i = 0; i < 10; i++) fire(1, 900 * KB)
    expect(sent).toHaveLength(4)
    answer(sent[0])
    await waitFor('one more', () => sent.length > 4, { everyMs: 1 })
    expect(sent).toHaveLength(5)
  })
})

describe('back-fill', () => {
  it('sends the backlog in order, one batch until the PUBACK and three until the answer of the cloud', async () => {
    const out: (() => void)[] = []
    publish = () => new Promise((resolve) => void out.push(resolve))
    for (let i = 0; i < 300; i++) add(1)
    sender.connection(true)
    expect(sent).toHaveLength(1)
    for (let n = 1; n < 3; n++) {
      out[n - 1]?.()
      await waitFor('the next', () => sent.length === n + 1, { everyMs: 1 })
    }
    expect(sent.map(({ length }) => length)).toEqual([64, 64, 64])
    out[2]?.()
    answer(sent[0])
    await waitFor('the fourth', () => sent.length === 4, { everyMs: 1 })
    expect(seqs()).toEqual(Array.from({ length: 256 }, (_, i) => i + 1))
    expect(positions(sent[3])[0]).toEqual([1, 193, 65, 65])
  })

  it('sends a live event ahead of the backlog and states the numbers that it does not depend on', () => {
    publish = () => new Promise(() => {})
    for (let i = 0; i < 100; i++) add(1)
    sender.connection(true)
    expect(sent).toHaveLength(1)
    fire(1)
    fire(1)
    fire(2)
    expect(sent.slice(1).map(positions)).toEqual([[[1, 101, 1, 101]], [[1, 102, 1, 101]], [[2, 1, 1, 1]]])
    answer(sent[1])
    fire(1)
    expect(positions(sent[4])).toEqual([[1, 103, 1, 102]])
  })

  it('serves cameras in fair turns', async () => {
    for (let i = 0; i < 100; i++) add(1)
    for (const camera of [2, 3]) add(camera)
    sender.connection(true)
    await waitFor('all', () => sent.flat().length === 102, { everyMs: 1 })
    const order = sent.map((batch) => [...new Set(batch.map(({ registro }) => registro.camera_id))])
    expect(order).toEqual([[1], [2, 3, 1]])
  })

  it('enlarges batches on a fast line and shrinks them on a slow one; a large record is sent separately', async () => {
    let clock = 0
    let lineMs = 20
    publish = async () => {
      clock += lineMs
    }
    sender.stop()
    start({ monotonic: () => clock })
    for (let i = 0; i < 200; i++) add(1, 30 * KB)
    add(1, 400 * KB)
    for (let i = 0; i < 40; i++) add(1, 30 * KB)
    sender.connection(true)
    const sizes: number[] = []
    for (let n = 0; outbox.size() > 0; n++) {
      await waitFor('a batch', () => sent.length > n, { everyMs: 1 })
      sizes.push(sent[n]?.length ?? 0)
      if (seqs(sent[n]).at(-1) === 201) expect(seqs(sent[n])).toEqual([201])
      if (seqs().length > 120) lineMs = 900
      answer(sent[n])
    }
    expect(sizes.slice(0, 5)).toEqual([2, 4, 8, 16, 33])
    expect(sizes.slice(-10)).toEqual(Array.from({ length: 10 }, () => 1))
  })

  it('keeps the limit and applies a changed limit at once', async () => {
    let clock = 0
    let bytes = 0
    limitKbps = 80
    publish = async (payload) => {
      bytes += payload.length
    }
    sender.stop()
    start({ monotonic: () => clock })
    for (let i = 0; i < 400; i++) add(1, 2 * KB)
    sender.connection(true)
    const step = async () => {
      clock += 100
      sender.wake()
      await new Promise((resolve) => setImmediate(resolve))
      answer(sent.flat())
    }
    for (let ms = 0; ms < 20_000; ms += 100) await step()
    // 80 kbit/s are 10,000 bytes a second.
    expect(bytes).toBeGreaterThan(180_000)
    expect(bytes).toBeLessThan(220_000)
    limitKbps = null
    for (let i = 0; i < 40 && outbox.size() > 0; i++) await step()
    expect(outbox.size()).toBe(0)
  })

  it('sends an event ahead of 100,000 waiting ones, behind at most one batch', async () => {
    const insert = db.prepare(
      `INSERT INTO records (id, camera_id, seq, last_seq, is_gap, severity, has_media, header)
       VALUES (@id, 1, @seq, @seq, 0, 1, 0, @header)`,
    )
    db.transaction(() => {
      for (let seq = 1; seq <= 100_000; seq++) {
        const header = { tipo: 'candidato', v: 1, ...candidate(1), seq, midias: [], midia_descartada: false }
        insert.run({ id: header.id, seq, header: JSON.stringify(header) })
      }
      db.prepare('INSERT INTO sequences VALUES (1, 100000)').run()
    })()
    // 2 Mbit/s, one message after the other, as in a TCP connection; the cloud answers at once.
    const delivered: { batch: BatchItem[] | undefined; lineMs: number }[] = []
    let line = Promise.resolve()
    publish = (payload) => {
      const [batch, lineMs] = [sent.at(-1), payload.length / 250]
      line = line.then(() => new Promise((resolve) => setTimeout(resolve, lineMs)))
      void line.then(() => delivered.push({ batch, lineMs })).then(() => answer(batch))
      return line
    }
    sender.connection(true)
    await waitFor('some of them to be gone', () => sent.length > 20, { everyMs: 1 })
    const under = sent.length
    const before = delivered.length
    fire(1, 20 * KB)
    // Published in the same instant: the first batch after the batches in flight.
    expect(positions(sent[under])).toEqual([[1, 100_001, sent.at(-1)?.[0]?.base, 100_001]])
    await waitFor('its answer', () => outbox.lowest(1, 100_000) === null, { everyMs: 1 })
    const own = delivered.findIndex(({ batch }) => batch === sent[under])
    expect(own - before).toBeLessThanOrEqual(1)
    expect(delivered.slice(before, own + 1).reduce((sum, { lineMs }) => sum + lineMs, 0)).toBeLessThan(1_500)
    expect(outbox.size()).toBeGreaterThan(90_000)
  })
})

describe('answers', () => {
  /** With an answer timeout short enough for a test. */
  function restartWithShortTimeout() {
    sender.stop()
    start({ confirmTimeout: { minMs: 40, maxMs: 80 } })
  }

  it('repeats a batch without an answer, whatever the broker acknowledged', async () => {
    restartWithShortTimeout()
    sender.connection(true)
    fire(1)
    await waitFor('a third sending', () => sent.length >= 3, { everyMs: 5 })
    expect(new Set(sent.flat().map(({ registro }) => registro.id)).size).toBe(1)
    expect(outbox.size()).toBe(1)
    answer(sent[0])
    expect(outbox.size()).toBe(0)
  })

  it('repeats a batch when publishing fails', async () => {
    restartWithShortTimeout()
    publish = () => Promise.reject(new Error('link not connected'))
    add(1)
    sender.connection(true)
    await waitFor('another sending', () => sent.length >= 2, { everyMs: 5 })
    expect(outbox.size()).toBe(1)
  })

  it('starts the answer timeout only after the bytes are sent', async () => {
    restartWithShortTimeout()
    const out = Promise.withResolvers<void>()
    publish = () => out.promise
    sender.connection(true)
    fire(1)
    fire(2)
    // 300 ms are several times the answer timeout.
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(sent).toHaveLength(2)
    out.resolve()
    await waitFor('sent again', () => sent.length > 2, { everyMs: 5 })
  })

  it('blocks only one camera when the cloud never answers a record', async () => {
    restartWithShortTimeout()
    for (const camera of [1, 2]) for (let i = 0; i < 5; i++) add(camera)
    const poison = (item: BatchItem) => item.registro.camera_id === 1 && primeiroSeqDe(item.registro) === 3
    publish = async () => {
      const batch = sent.at(-1)
      // One batch is one transaction in the cloud: it fails as a whole.
      if (batch && !batch.some(poison)) setImmediate(() => answer(batch))
    }
    sender.connection(true)
    await waitFor('all but the poisoned', () => outbox.lowest(2) === null && outbox.lowest(1) === 3, { everyMs: 5 })
  })

  it('returns to the first stored record when one is missing, first at once and then with pauses', async () => {
    for (let i = 0; i < 4; i++) add(1)
    sender.connection(true)
    answer(sent[0]?.slice(0, 1))
    answer(sent[0]?.slice(2), 'fora_de_ordem')
    await waitFor('sent again', () => sent.length > 1, { everyMs: 1 })
    expect(sent.map((batch) => seqs(batch))).toEqual([
      [1, 2, 3, 4],
      [2, 3, 4],
    ])
    expect(positions(sent[1])[0]).toEqual([1, 2, 2, 2])
    const times = [performance.now()]
    publish = async () => {
      const batch = sent.at(-1)
      times.push(performance.now())
      setImmediate(() => answer(batch, 'fora_de_ordem'))
    }
    answer(sent[1], 'fora_de_ordem')
    await waitFor('four more', () => times.length > 4, { everyMs: 5 })
    for (const [i, time] of times.slice(1).entries()) {
      // Pause i is drawn from the upper half of 25 ms · 2^i; a timer may fire 1 ms early.
      expect(time - (times[i] ?? 0)).toBeGreaterThanOrEqual(12.5 * 2 ** i - 2)
    }
  })

  it('starts over after a reconnection: existing records become back-fill', () => {
    sender.connection(true)
    fire(1)
    fire(1)
    sender.connection(false)
    expect(sender.inFlight().size).toBe(0)
    fire(1)
    expect(sent).toHaveLength(2)
    sender.connection(true)
    expect(positions(sent[2])).toEqual([
      [1, 1, 1, 1],
      [1, 2, 1, 1],
      [1, 3, 1, 1],
    ])
  })

  it('removes refused records and ignores answers for unknown records', () => {
    sender.connection(true)
    fire(1)
    fire(1)
    answer(sent[0], 'recusado')
    answer(sent[0], 'recusado')
    answer(sent[0], 'fora_de_ordem')
    expect(outbox.size()).toBe(1)
    expect(sent).toHaveLength(2)
  })

  it('does not repeat a confirmed record whose removal from the disk fails', async () => {
    let broken = true
    sender.stop()
    start({
      outbox: {
        ...outbox,
        remove(ids) {
          if (broken) throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' })
          return outbox.remove(ids)
        },
      },
    })
    for (let i = 0; i < 3; i++) add(1)
    sender.connection(true)
    answer(sent[0]?.slice(0, 2))
    expect(outbox.size()).toBe(3)
    sender.connection(false)
    sender.connection(true)
    expect(sent.map((batch) => seqs(batch))).toEqual([[1, 2, 3], [3]])
    broken = false
    answer(sent[1])
    expect(outbox.size()).toBe(0)
  })
})

describe('damage', () => {
  it('sends an event without its damaged pictures and continues', () => {
    add(1)
    add(1)
    db.prepare("UPDATE media SET bytes = x'00' WHERE record = 1").run()
    sender.connection(true)
    expect(sent[0]?.map(({ registro }) => registro)).toMatchObject([
      { seq: 1, midias: [], midia_descartada: true },
      { seq: 2, midia_descartada: false },
    ])
    answer(sent[0])
    expect(outbox.size()).toBe(0)
  })

  it('sends an event without its pictures when no message can carry them', () => {
    add(1, 7 * KB * KB)
    add(1)
    sender.connection(true)
    expect(sent[0]?.map(({ registro }) => (registro as Candidato).midia_descartada)).toEqual([true, false])
  })

  it('sends a gap in place of an unreadable record', () => {
    for (let i = 0; i < 3; i++) add(1)
    db.prepare("UPDATE records SET header = 'rabisco' WHERE seq = 2").run()
    sender.connection(true)
    const gap = sent[0]?.[1]?.registro as Lacuna
    expect(gap).toMatchObject({ tipo: 'lacuna', de_seq: 2, ate_seq: 2, motivo: 'disco_indisponivel' })
    answer(sent[0])
    expect(outbox.size()).toBe(0)
  })
})
