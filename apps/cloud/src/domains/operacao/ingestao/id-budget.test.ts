import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { Database } from '../../../db/open.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { batch, candidate, seedActivatedEdge, seedCamera, seedOneCamera } from '../../../test/records/records.ts'
import { createIdBudget, type IdAccount } from './id-budget.ts'
import { ingestBatch } from './ingest-batch.ts'

const START = Date.UTC(2026, 10, 21, 12)
let dir: string
let db: Database
let now: number

beforeEach(async () => {
  dir = temporaryFolder('vigia-ids-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  now = START
})
afterEach(async () => {
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})

const lastId = async () => (await db.selectFrom('contador_eventos').select('ultimo').executeTakeFirstOrThrow()).ultimo

/** Live events that claim to overtake all numbers from `base` on. */
async function overtake(edgeId: number, claims: readonly { cameraId: number; base: number; seq: number }[]) {
  const media = createFileMediaStore({ dir: join(dir, 'media') })
  const records = claims.map(({ cameraId, base, seq }) => ({
    ...candidate(cameraId, seq, { crop: null }),
    base,
    desde: seq,
  }))
  const ingested = await ingestBatch({ db, media, clock: { now: () => now } }, edgeId, batch(records))
  if (!ingested.ok) throw new Error(ingested.motivo)
  return ingested.respostas.map(({ resultado }) => resultado)
}

/**
 * Claims that waste as many ids as possible: each one declares the previous numbers lost and overtakes the same number
 * again.
 */
const burn = (edgeId: number, cameraId: number, times: number) =>
  overtake(
    edgeId,
    Array.from({ length: times }, (_, i) => ({ cameraId, base: 1 + i * 1_000_000, seq: 1 + (i + 1) * 1_000_000 })),
  )

async function childOf(parentId: number) {
  const child = await seedCamera(db)
  await db.updateTable('empresas').set({ empresa_pai_id: parentId }).where('id', '=', child.empresaId).execute()
  return child
}

describe('event ids that an edge may reserve', () => {
  it('are limited for one camera and never delay its live event', async () => {
    const { edgeId, cameraId } = await seedCamera(db)
    expect(await overtake(edgeId, [{ cameraId, base: 1, seq: 9_000_000_000_000 }])).toEqual(['gravado'])
    expect(await lastId()).toBe(10_001)
  })

  it('are limited for an edge and for all Empresas of one tree together', async () => {
    const top = await seedCamera(db)
    const below = [await childOf(top.empresaId), await childOf(top.empresaId)]
    await burn(top.edgeId, top.cameraId, 40)
    expect(await lastId()).toBe(100_000 + 40)
    for (const { edgeId, cameraId } of below) await burn(edgeId, cameraId, 40)
    expect(await lastId()).toBe(250_000 + 120)
    // More edges and cameras do not raise the limit.
    const edgeId = await seedActivatedEdge(db, top.empresaId)
    await burn(edgeId, await seedOneCamera(db, top.empresaId, edgeId), 10)
    expect(await lastId()).toBe(250_000 + 130)
  })

  it('stay available to another Empresa, whose ids still follow the sequence', async () => {
    const hostile = await seedCamera(db)
    for (let i = 0; i < 3; i += 1) {
      const edgeId = await seedActivatedEdge(db, hostile.empresaId)
      await burn(edgeId, await seedOneCamera(db, hostile.empresaId, edgeId), 15)
    }
    const { edgeId, cameraId } = await seedCamera(db)
    await overtake(edgeId, [{ cameraId, base: 1, seq: 9_001 }])
    await overtake(edgeId, [{ cameraId, base: 1, seq: 1 }])
    await overtake(edgeId, [{ cameraId, base: 2, seq: 2 }])
    const rows = await db.selectFrom('eventos').select('seq').where('camera_id', '=', cameraId).orderBy('id').execute()
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 9_001])
  })

  it('are released on use, and over time without use', async () => {
    const { edgeId, cameraId } = await seedCamera(db)
    const account = async () =>
      (await db.selectFrom('reservas_de_ids').selectAll().orderBy('dono').execute()).map(({ dono, livre_em }) => [
        dono,
        livre_em - START,
      ])
    await overtake(edgeId, [{ cameraId, base: 1, seq: 101 }])
    // An edge releases two a second, a tree ten.
    expect(await account()).toEqual([
      ['edge', 50_000],
      ['empresa', 10_000],
    ])
    await overtake(
      edgeId,
      Array.from({ length: 60 }, (_, i) => ({ cameraId, base: i + 1, seq: i + 1 })),
    )
    expect(await account()).toEqual([
      ['edge', 20_000],
      ['empresa', 4_000],
    ])
    now += 3_600_000
    await burn(edgeId, await seedOneCamera(db, 1, edgeId), 12)
    expect(await lastId()).toBe(101 + 100_000 + 12)
  })

  it('stay only on the account of the tree after the removal of their edge', async () => {
    const { empresaId, edgeId, cameraId } = await seedCamera(db)
    await burn(edgeId, cameraId, 12)
    await db.deleteFrom('reservas_de_ids').where('dono', '=', 'edge').execute()
    for (let i = 0; i < 3; i += 1) await burn(await seedActivatedEdge(db, empresaId), cameraId, 12)
    expect(await lastId()).toBe(250_000 + 48)
  })
})

it('never exceeds the limit for any order of takes, releases and waits', () => {
  const step = fc.record({ take: fc.nat(60_000), back: fc.nat(50), waitMs: fc.nat(20_000) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let account: IdAccount = { dono: 'edge', donoId: 1, livreEm: 0 }
      let at = START
      let outstanding = 0
      for (const { take, back, waitMs } of steps) {
        const budget = createIdBudget(() => [account], at)
        outstanding += budget.take(1, take)
        for (let i = 0; i < back; i += 1) budget.giveBack(1)
        account = budget.charged()[0] ?? account
        outstanding -= Math.min(back, outstanding)
        at += waitMs
        expect(outstanding).toBeLessThanOrEqual(100_000 + Math.ceil(((at - START) / 1000) * 2))
      }
    }),
  )
})
