import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Candidato, Lacuna } from '@vigia/contracts/candidate'
import { candidatoSchema, registroSchema } from '@vigia/contracts/candidate'
import { decodeBatch, encodeBatch, mediaFault } from '@vigia/link/batch'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import type { Outbox } from './outbox.ts'
import { createOutbox } from './store.ts'
import { candidate, jpeg, unlimited } from './testing/candidates.ts'
import { head } from './testing/head.ts'

let dir = ''
let db: EdgeDb

function open(): EdgeDb {
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  return opened.db
}

const openOutbox = (maxBytes = 1e9, busy: ReadonlySet<string> = new Set()): Outbox =>
  createOutbox(db, { quota: unlimited(maxBytes), inFlight: () => busy })

beforeEach(() => {
  dir = temporaryFolder('vigia-outbox-')
  db = open()
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Removes all waiting records one by one, oldest first. */
function drain(outbox: Outbox, cameraId: number) {
  const all = []
  for (let i = 0; i < 10_000; i++) {
    const record = head(outbox, cameraId)
    if (!record) return all
    registroSchema.parse(record.registro)
    all.push(record)
    outbox.remove([record.registro.id])
  }
  throw new Error('endless outbox')
}

describe('add', () => {
  it('numbers each camera separately and returns records in that order with their pictures', () => {
    const outbox = openOutbox()
    const picture = jpeg(3000)
    expect(outbox.add([{ candidate: candidate(1), media: [{ papel: 'crop', bytes: picture }] }], null)).toEqual([1])
    expect(outbox.add([{ candidate: candidate(2), media: [] }], null)).toEqual([1])
    expect(outbox.add([{ candidate: candidate(1), media: [] }], null)).toEqual([2])
    expect(outbox.size()).toBe(3)
    expect(outbox.cameras()).toEqual([1, 2])
    const first = head(outbox, 1)
    expect(first?.registro).toMatchObject({ seq: 1, midias: [{ papel: 'crop', tamanho: 3000 }] })
    expect(first?.midias[0]?.equals(picture)).toBe(true)
    if (!first) throw new Error('no record')
    const sent = decodeBatch(
      encodeBatch({ serie: outbox.serie, itens: [{ ...first, base: 1, desde: 1 }] }) ?? Buffer.alloc(0),
    )
    expect(sent).toMatchObject({ ok: true, serie: outbox.serie, itens: [{ ok: true }] })
    expect(drain(outbox, 1).map(({ registro }) => (registro as Candidato).seq)).toEqual([1, 2])
    expect(outbox.size()).toBe(1)
  })

  it('stores a record once under its identity, and nothing of a failed add', () => {
    const outbox = openOutbox()
    const one = candidate(1)
    outbox.add([{ candidate: one, media: [] }], { fired: 1 })
    expect(() => outbox.add([{ candidate: one, media: [] }], { fired: 2 })).toThrow(/UNIQUE/)
    expect(outbox.states(1)).toEqual({ invasao: { fired: 1 } })
    expect(outbox.add([{ candidate: candidate(1), media: [] }], null)).toEqual([2])
  })

  it('continues counting after a restart, also after all records were sent', () => {
    openOutbox().add([{ candidate: candidate(1), media: [] }], null)
    drain(openOutbox(), 1)
    db.close()
    db = open()
    expect(openOutbox().add([{ candidate: candidate(1), media: [] }], null)).toEqual([2])
  })

  it('loses no added record when the process is killed at any moment', async () => {
    for (const afterAdds of [3, 17, 40]) {
      const folder = join(dir, `killed-${afterAdds}`)
      const child = fork(new URL('./testing/adding-process.ts', import.meta.url), [folder], { execArgv: [] })
      let last = 0
      child.on('message', (seq: number) => {
        last = seq
        if (seq === afterAdds) child.kill('SIGKILL')
      })
      await once(child, 'close')
      expect(last).toBeGreaterThanOrEqual(afterAdds)
      const opened = openEdgeDb(join(folder, 'edge.db'))
      if (!opened.ok) throw new Error(opened.reason)
      const survived = createOutbox(opened.db, { quota: unlimited(), inFlight: () => new Set() })
      const records = drain(survived, 1)
      expect(records.length).toBeGreaterThanOrEqual(last)
      expect(records.map(({ registro }) => (registro as Candidato).seq)).toEqual(records.map((_, i) => i + 1))
      for (const { registro, midias } of records) expect(mediaFault(registro, midias)).toBeNull()
      expect(survived.states(1)).toEqual({ invasao: { fired: true } })
      opened.db.close()
    }
  })
})

describe('numbers', () => {
  it('have a name that stays with the file', () => {
    const { serie } = openOutbox()
    expect(serie).toMatch(/^[0-9a-f-]{36}$/)
    db.close()
    db = open()
    expect(openOutbox().serie).toBe(serie)
  })

  it('are raised, and never lowered', () => {
    const outbox = openOutbox()
    outbox.raiseTo(1, 40)
    expect(outbox.add([{ candidate: candidate(1), media: [] }], null)).toEqual([41])
    outbox.raiseTo(1, 7)
    outbox.raiseTo(2, 0)
    expect(outbox.add([{ candidate: candidate(1), media: [] }], null)).toEqual([42])
    expect(outbox.add([{ candidate: candidate(2), media: [] }], null)).toEqual([1])
  })

  it('are not raised while records of the camera wait, but as soon as these are removed', () => {
    const outbox = openOutbox()
    const [first, second] = [candidate(1), candidate(1)]
    outbox.add([{ candidate: first, media: [] }], null)
    outbox.raiseTo(1, 40)
    expect(outbox.add([{ candidate: second, media: [] }], null)).toEqual([2])
    outbox.remove([first.id, second.id])
    expect(outbox.add([{ candidate: candidate(1), media: [] }], null)).toEqual([41])
    outbox.addLost({ cameraId: 1, count: 2, de: 1, ate: 2 })
    expect(outbox.highest(1)).toBe(43)
  })

  it('are given to lost events together with a gap record', () => {
    const outbox = openOutbox()
    outbox.add([{ candidate: candidate(1), media: [] }], null)
    outbox.addLost({ cameraId: 1, count: 5, de: 2_000, ate: 1_500 })
    expect(outbox.add([{ candidate: candidate(1), media: [] }], null)).toEqual([7])
    const records = outbox.read(1, { after: 1, upTo: 6 }, { records: 9, bytes: 9e9, atLeastOne: true })
    expect(records.map(({ registro }) => registroSchema.parse(registro))).toMatchObject([
      { de_seq: 2, ate_seq: 6, ocorrido_de: 1_500, ocorrido_ate: 2_000, motivo: 'disco_indisponivel' },
    ])
    expect(outbox.summary()).toMatchObject({
      registros: 3,
      por_camera: [{ camera_id: 1, registros: 3, ultimo_seq: 7 }],
    })
  })
})

describe('read', () => {
  const limit = (records: number, bytes: number, atLeastOne = false) => ({ records, bytes, atLeastOne })
  const everything = { after: 0, upTo: Number.MAX_SAFE_INTEGER }

  it('stops at the record limit, at the byte limit and at the end of the range', () => {
    const outbox = openOutbox()
    for (let i = 0; i < 40; i++)
      outbox.add([{ candidate: candidate(1), media: [{ papel: 'crop', bytes: jpeg(10_000) }] }], null)
    const numbers = (range: typeof everything, limits: ReturnType<typeof limit>) =>
      outbox.read(1, range, limits).map(({ registro }) => (registro as Candidato).seq)
    expect(numbers(everything, limit(3, 1e9))).toEqual([1, 2, 3])
    expect(numbers(everything, limit(99, 33_000))).toEqual([1, 2, 3])
    expect(numbers(everything, limit(99, 5_000))).toEqual([])
    expect(numbers(everything, limit(99, 5_000, true))).toEqual([1])
    expect(numbers({ after: 20, upTo: 23 }, limit(99, 1e9))).toEqual([21, 22, 23])
    expect(numbers(everything, limit(99, 1e9))).toHaveLength(40)
    expect([outbox.lowest(1), outbox.lowest(1, 17), outbox.lowest(1, 40), outbox.highest(1)]).toEqual([1, 18, null, 40])
    expect([outbox.lowest(2), outbox.highest(2)]).toEqual([null, 0])
  })
})

describe('states', () => {
  it('saves them with a candidate or separately, and forgets removed cameras', () => {
    const outbox = openOutbox()
    outbox.add([{ candidate: candidate(1), media: [] }], { n: 1 })
    outbox.saveStates([
      { cameraId: 1, ia: 'invasao', state: { n: 2 } },
      { cameraId: 2, ia: 'invasao', state: { n: 3 } },
    ])
    expect(outbox.states(1)).toEqual({ invasao: { n: 2 } })
    outbox.keepStatesOf([1])
    expect(outbox.states(2)).toEqual({})
    expect(outbox.states(1)).toEqual({ invasao: { n: 2 } })
  })
})

describe('quota', () => {
  const MB = 1024 * 1024
  const fill = (outbox: Outbox, camera: number, n: number, ia: 'invasao' | 'fogo' = 'invasao') => {
    for (let i = 0; i < n; i++)
      outbox.add([{ candidate: candidate(camera, ia), media: [{ papel: 'quadro', bytes: jpeg(100_000) }] }], null)
  }

  it('drops the pictures of the oldest, least severe candidates first and keeps every record', () => {
    const outbox = openOutbox(2 * MB)
    fill(outbox, 1, 8, 'fogo')
    fill(outbox, 1, 22)
    const records = drain(outbox, 1).map(({ registro }) => registro as Candidato)
    expect(records).toHaveLength(30)
    expect(records.slice(0, 8).every(({ midia_descartada }) => !midia_descartada)).toBe(true)
    const lost = records.filter(({ midia_descartada }) => midia_descartada).map(({ seq }) => seq)
    expect(lost.length).toBeGreaterThan(5)
    expect(lost).toEqual(lost.map((_, i) => 9 + i))
    for (const record of records) candidatoSchema.parse(record)
  })

  it('drops records last and leaves one gap record for all of them', () => {
    const outbox = openOutbox(160 * 1024)
    for (let i = 0; i < 300; i++) outbox.add([{ candidate: candidate(1), media: [] }], null)
    const records = drain(outbox, 1).map(({ registro }) => registro)
    const gap = records[0] as Lacuna
    expect(gap).toMatchObject({ tipo: 'lacuna', camera_id: 1, de_seq: 1, motivo: 'cota_de_disco' })
    expect(gap.ocorrido_ate - gap.ocorrido_de).toBe(gap.ate_seq - 1)
    expect((records[1] as Candidato).seq).toBe(gap.ate_seq + 1)
    expect(gap.ate_seq + records.length - 1).toBe(300)
    expect(outbox.add([{ candidate: candidate(1), media: [] }], null)).toEqual([301])
  })

  it('merges gaps that become neighbours', () => {
    const outbox = openOutbox(110 * 1024)
    // Severe candidates stay longest: gaps appear on both sides of them and finally merge.
    for (let i = 0; i < 240; i++)
      outbox.add([{ candidate: candidate(1, i % 40 === 20 ? 'fogo' : 'invasao'), media: [] }], null)
    const records = drain(outbox, 1).map(({ registro }) => registro)
    let next = 1
    for (const record of records) {
      expect(record.tipo === 'lacuna' ? record.de_seq : record.seq).toBe(next)
      next = record.tipo === 'lacuna' ? record.ate_seq + 1 : record.seq + 1
    }
    expect(next).toBe(241)
    const kinds = records.map(({ tipo }) => tipo)
    expect(kinds.some((kind, i) => kind === 'lacuna' && kinds[i + 1] === 'lacuna')).toBe(false)
  })

  it('changes no record in flight', () => {
    const busy = new Set<string>()
    const outbox = openOutbox(160 * 1024, busy)
    const first = candidate(1)
    busy.add(first.id)
    outbox.add([{ candidate: first, media: [{ papel: 'crop', bytes: jpeg(20_000) }] }], null)
    for (let i = 0; i < 300; i++) outbox.add([{ candidate: candidate(1), media: [] }], null)
    expect(head(outbox, 1)?.registro).toMatchObject({ id: first.id, midia_descartada: false })
    expect(head(outbox, 1)?.midias).toHaveLength(1)
  })

  it('reports the dropped content', () => {
    const dropped: { media: number; records: number }[] = []
    const outbox = createOutbox(db, {
      quota: unlimited(MB),
      inFlight: () => new Set(),
      onDropped: (what) => dropped.push(what),
    })
    fill(outbox, 1, 20)
    expect(dropped.reduce((sum, { media }) => sum + media, 0)).toBeGreaterThan(5)
  })

  it('returns space to the disk after a backlog', () => {
    const outbox = openOutbox(200 * MB)
    fill(outbox, 1, 400)
    const pages = () => Number(db.pragma('page_count', { simple: true }))
    const full = pages()
    drain(outbox, 1)
    expect(pages()).toBeLessThan(full / 2)
  })
})
