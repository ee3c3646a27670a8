import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Candidato, type Lacuna, primeiroSeqDe, ultimoSeqDe } from '@vigia/contracts/candidate'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxQuota } from './quota-store.ts'
import { createOutbox } from './store.ts'
import { candidate, jpeg, unlimited } from './testing/candidates.ts'

const MB = 1024 * 1024
let dir = ''
let db: EdgeDb
const busy = new Set<string>()

beforeEach(() => {
  dir = temporaryFolder('vigia-quota-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  // These tests write a lot and simulate no power cut, so syncs are off.
  db.pragma('synchronous = OFF')
  busy.clear()
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

const openOutbox = (quota: OutboxQuota) => createOutbox(db, { quota, inFlight: () => busy })
const fill = (outbox: Outbox, n: number, bytes: number, ia: 'invasao' | 'fogo' = 'invasao') => {
  for (let i = 0; i < n; i++)
    outbox.add(
      [{ candidate: candidate(1, ia), media: bytes > 0 ? [{ papel: 'quadro', bytes: jpeg(bytes) }] : [] }],
      null,
    )
}
const all = (outbox: Outbox, cameraId = 1) =>
  outbox
    .read(
      cameraId,
      { after: 0, upTo: Number.MAX_SAFE_INTEGER },
      { records: 1e6, bytes: Number.MAX_SAFE_INTEGER, atLeastOne: true },
    )
    .map(({ registro }) => registro)
const withPictures = (outbox: Outbox) => all(outbox).filter((one) => one.tipo === 'candidato' && one.midias.length > 0)

/** Expects every number once, in order, from 1. */
function expectContiguous(outbox: Outbox, upTo: number) {
  let next = 1
  for (const registro of all(outbox)) {
    expect(primeiroSeqDe(registro)).toBe(next)
    next = ultimoSeqDe(registro) + 1
  }
  expect(next).toBe(upTo + 1)
}

describe('free space', () => {
  /** Free space of a disk that only the outbox uses. */
  const diskOf = (total: number, others = 0) => {
    const disk = { others, freeBytes: () => total - disk.others - statSync(db.name).size }
    return disk
  }

  it('limits the outbox when it is smaller than the quota of bytes', () => {
    const disk = diskOf(30 * MB)
    const outbox = openOutbox({ maxBytes: 1e9, reserveBytes: 10 * MB, freeBytes: disk.freeBytes })
    fill(outbox, 120, 200_000)
    expect(outbox.summary().bytes).toBeLessThanOrEqual(20 * MB)
    expect(outbox.summary().bytes).toBeGreaterThan(18 * MB)
    expect(all(outbox)).toHaveLength(120)
    expect(withPictures(outbox).length).toBeGreaterThan(80)
  })

  it('returns space until the reserve is free again when others use the disk', () => {
    const disk = diskOf(100 * MB)
    const outbox = openOutbox({ maxBytes: 1e9, reserveBytes: 10 * MB, freeBytes: disk.freeBytes })
    fill(outbox, 200, 200_000)
    const before = disk.freeBytes()
    disk.others = 60 * MB
    expect(disk.freeBytes()).toBeLessThan(10 * MB)
    for (let i = 0; i < 20; i++) outbox.keepSpace()
    expect(disk.freeBytes()).toBeGreaterThan(10 * MB - 300 * 1024)
    expect(disk.freeBytes()).toBeLessThan(before)
    expect(all(outbox)).toHaveLength(200)
    expect(withPictures(outbox).length).toBeGreaterThan(100)
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  })

  it('stops dropping when others have used the reserve as well', () => {
    const outbox = openOutbox({ maxBytes: 1e9, reserveBytes: 500 * MB, freeBytes: () => 100 * MB })
    fill(outbox, 60, 200_000)
    // A few MiB stay allowed, otherwise no event could be sent.
    expect(outbox.summary().bytes).toBeLessThanOrEqual(4 * MB)
    expect(outbox.summary().bytes).toBeGreaterThan(3 * MB)
    expect(withPictures(outbox).length).toBeGreaterThan(10)
    expectContiguous(outbox, 60)
  })

  it('stops when no candidate is left to drop', () => {
    const outbox = openOutbox({ maxBytes: 1, reserveBytes: 500 * MB, freeBytes: () => 0 })
    fill(outbox, 3, 1000)
    for (let i = 0; i < 3; i++) outbox.keepSpace()
    expect(all(outbox)).toMatchObject([{ tipo: 'lacuna', de_seq: 1, ate_seq: 3 }])
  })

  it('is ignored on a disk without a known free space', () => {
    const outbox = openOutbox({ maxBytes: 1e9, reserveBytes: 500 * MB, freeBytes: () => null })
    fill(outbox, 10, 100_000)
    expect(withPictures(outbox)).toHaveLength(10)
  })
})

it('drops thousands of small records over several calls', () => {
  const generous = openOutbox(unlimited())
  db.transaction(() => fill(generous, 20_000, 0))()
  const calls: number[] = []
  const outbox = createOutbox(db, {
    quota: unlimited(3 * MB),
    inFlight: () => busy,
    onDropped: ({ records }) => calls.push(records),
  })
  for (let i = 0; i < 40; i++) fill(outbox, 1, 0)
  expect(outbox.summary().bytes).toBeLessThanOrEqual(3 * MB)
  expectContiguous(outbox, 20_040)
  const [gap] = all(outbox)
  expect(gap).toMatchObject({ tipo: 'lacuna', de_seq: 1, motivo: 'cota_de_disco' })
  expect(calls.length).toBeGreaterThan(2)
  expect(Math.max(...calls)).toBeLessThanOrEqual(4_096 + 256)
})

it('drops severe candidates last and merges no gap with one in flight', () => {
  const outbox = openOutbox(unlimited(140 * 1024))
  fill(outbox, 3, 0, 'fogo')
  fill(outbox, 200, 0)
  const gap = all(outbox).find(({ tipo }) => tipo === 'lacuna') as Lacuna
  expect(gap.de_seq).toBe(4)
  expect(all(outbox).slice(0, 3)).toMatchObject([{ ia: 'fogo' }, { ia: 'fogo' }, { ia: 'fogo' }])
  busy.add(gap.id)
  fill(outbox, 20, 0)
  expect(all(outbox)).toContainEqual(gap)
  expectContiguous(outbox, 223)
})

it('never merges the number of a record in flight into a gap', () => {
  const outbox = openOutbox(unlimited(140 * 1024))
  fill(outbox, 5, 0)
  const flying = all(outbox)[2] as Candidato
  busy.add(flying.id)
  fill(outbox, 200, 0)
  const left = all(outbox)
  expect(left[0]).toMatchObject({ tipo: 'lacuna', de_seq: 1, ate_seq: 2 })
  expect(left[1]).toEqual(flying)
  expect(left[2]).toMatchObject({ tipo: 'lacuna', de_seq: 4 })
})

it('keeps gaps of different causes apart', () => {
  const outbox = openOutbox(unlimited(140 * 1024))
  outbox.addLost({ cameraId: 1, count: 7, de: 1_000, ate: 2_000 })
  fill(outbox, 200, 0)
  expect(all(outbox).slice(0, 2)).toMatchObject([
    { de_seq: 1, ate_seq: 7, ocorrido_de: 1_000, ocorrido_ate: 2_000, motivo: 'disco_indisponivel' },
    { de_seq: 8, motivo: 'cota_de_disco' },
  ])
})

it('includes no confirmed number: a gap ends at confirmed records', () => {
  fill(openOutbox(unlimited(1)), 3, 0)
  const outbox = openOutbox(unlimited())
  fill(outbox, 2, 0)
  const confirmed = all(outbox).find((one) => one.tipo === 'candidato' && one.seq === 4)
  expect(outbox.remove([confirmed?.id ?? ''])).toBe(1)
  openOutbox(unlimited(1)).keepSpace()
  expect(all(outbox)).toMatchObject([
    { tipo: 'lacuna', de_seq: 1, ate_seq: 3 },
    { tipo: 'lacuna', de_seq: 5, ate_seq: 5 },
  ])
})
