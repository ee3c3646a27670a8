import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { blankJpeg } from '@vigia/testing/blank-jpeg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFileMediaStore } from '../../adapters/media-store/file-media-store.ts'
import { deleteEventosOf } from '../../features/eventos/delete-eventos.ts'
import { reviewEvent } from '../../features/eventos/review-evento.ts'
import { ingestBatch } from '../../features/ingestao/ingest-batch.ts'
import { checkBytes } from '../../features/retencao/espaco/check-bytes.ts'
import { createMediaSpace } from '../../features/retencao/espaco/media-space.ts'
import { fillWithLimit, listPictures, usedBytes } from '../../test/espaco-store.ts'
import { operatorCaller } from '../../test/operator-caller.ts'
import { openTwoPools, type TwoPools } from '../../test/races.ts'
import { batch, candidate, seedCamera } from '../../test/records.ts'
import type { Database } from '../open.ts'

const KB = 1_000
const LIMIT = 100 * KB
const log = pino({ level: 'silent' })
let pools: TwoPools
beforeAll(async () => {
  pools = await openTwoPools()
})
afterAll(() => pools.close())

it('two replicas count the bytes of one account exactly, and never pass its limit', async () => {
  const media = createFileMediaStore({ dir: join(pools.dir, 'media') })
  const origins = [await seedCamera(pools.one), await seedCamera(pools.one), await seedCamera(pools.one)]
  const [root] = origins
  for (const { empresaId } of origins.slice(1))
    await pools.one
      .updateTable('empresas')
      .set({ empresa_pai_id: root?.empresaId ?? 0 })
      .where('id', '=', empresaId)
      .execute()
  await fillWithLimit(pools.one, root?.empresaId ?? 0, LIMIT)
  const depsOf = (db: Database) => {
    const deps = { db, media, clock: { now: Date.now }, log }
    return { ...deps, space: createMediaSpace({ ...deps, measure: () => null }) }
  }
  const replicas = [depsOf(pools.one), depsOf(pools.two)]
  let stored = 0
  const write = async ({ cameraId, edgeId }: (typeof origins)[number], at: number) => {
    const deps = replicas[at % 2] ?? depsOf(pools.one)
    for (let seq = 1; seq <= 12; seq += 1) {
      const record = candidate(cameraId, seq, { crop: blankJpeg(10 * KB, randomUUID()) })
      // An edge repeats what gets no answer.
      for (let isStored = false; !isStored; ) {
        const answer = await ingestBatch(deps, edgeId, batch([record])).catch(() => null)
        isStored = answer?.ok === true && answer.respostas[0]?.resultado === 'gravado'
      }
      stored += 1
      expect(await usedBytes(deps.db, root?.empresaId ?? 0)).toBeLessThanOrEqual(LIMIT)
    }
  }
  const review = async () => {
    for (let i = 0; i < 10; i += 1) {
      const [evento] = (await listPictures(pools.two)).filter(({ crop_path }) => crop_path !== null)
      const said = { rotulo_humano: 'confirmado', revisor: 'Ana' } as const
      if (evento) await reviewEvent(depsOf(pools.two), operatorCaller, evento.id, said).catch(() => {})
    }
  }
  await Promise.all([...origins.map(write), review()])
  expect(stored).toBe(36)
  expect(await checkBytes(pools.one, media)).toEqual([])
  for (const { empresaId } of origins) while ((await deleteEventosOf(depsOf(pools.one), empresaId)) > 0);
  expect(await usedBytes(pools.one, root?.empresaId ?? 0)).toBe(0)
})
