import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { blankJpeg } from '@vigia/testing/blank-jpeg'
import { fixture } from '@vigia/testing/fixture'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createFileMediaStore } from '../../adapters/media-store/file-media-store.ts'
import { deleteEventosOf } from '../../domains/eventos/eventos/delete-eventos.ts'
import { reviewEvent } from '../../domains/eventos/eventos/review-evento.ts'
import { ingestBatch } from '../../domains/operacao/ingestao/ingest-batch.ts'
import { checkBytes } from '../../domains/operacao/retencao/espaco/check-bytes.ts'
import { countExisting } from '../../domains/operacao/retencao/espaco/count-existing.ts'
import { createMediaSpace } from '../../domains/operacao/retencao/espaco/media-space.ts'
import { operatorCaller } from '../../test/clients/operator-caller.ts'
import { batch, candidate, seedCamera } from '../../test/records/records.ts'
import { DAY_MS, seedEvento } from '../../test/records/retention-records.ts'
import { fillWithLimit, forgetCount, hold, listPictures, usedBytes } from '../../test/stores/espaco-store.ts'
import { openTwoPools } from '../../test/walks/races.ts'
import { findClipeOf } from '../clipes.ts'
import type { Database } from '../open.ts'

const KB = 1_000
const LIMIT = 100 * KB
const log = pino({ level: 'silent' })
const pools = fixture(openTwoPools)

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

/** One replica lists nothing more when the other has just deleted it all: about one round in 15. */
const ROUNDS = Array.from({ length: 20 }, (_, round) => round + 1)

it.each(ROUNDS)('two replicas delete clips of a full account, and no preserved one, round %i', async () => {
  const media = createFileMediaStore({ dir: join(pools.dir, 'clips') })
  const seeded = await seedCamera(pools.one)
  const ids: number[] = []
  const now = Date.now()
  for (let i = 0; i < 4; i += 1)
    ids.push(await seedEvento({ db: pools.one, media, ...seeded }, now - DAY_MS + i, { clip: 10 * KB }))
  const [recorded = 0, held = 0, first = 0, second = 0] = ids
  const clipOf = async (id: number) => (await findClipeOf(pools.one, id))?.clipe ?? null
  const file = await clipOf(recorded)
  await pools.one.deleteFrom('clipes_eventos').where('evento_id', '=', recorded).execute()
  await pools.one.updateTable('eventos').set({ clipe_em: null }).where('id', '=', recorded).execute()
  const place = { empresa_id: seeded.empresaId, camera_id: seeded.cameraId, edge_id: seeded.edgeId }
  await pools.one
    .insertInto('gravacoes')
    .values({
      ...place,
      uuid: randomUUID(),
      camera_nome: 'Portão',
      inicio: now - DAY_MS,
      fim: now,
      estado: 'recebida',
      progresso: 1,
      falha: null,
      clipe_id: file?.id ?? null,
      completa: 1,
      relogio_json: null,
      pedida_por: 'Ana',
      criada_em: now,
      vaga_login: null,
      vaga_gravador: null,
    })
    .execute()
  await hold(pools.one, held, now + DAY_MS)
  await forgetCount(pools.one)
  const deps = (db: Database) => ({ db, media, clock: { now: Date.now }, log })
  await countExisting(deps(pools.one), new AbortController().signal, 0)
  await fillWithLimit(pools.one, seeded.empresaId, await usedBytes(pools.one, seeded.empresaId))
  const demand = new Map([[seeded.empresaId, 25 * KB]])
  const spaces = [pools.one, pools.two].map((db) => createMediaSpace({ ...deps(db), measure: () => null }))
  const waiting = await Promise.all(spaces.map((space) => space.waiting(demand, 'clipe')))
  expect(waiting).toEqual([new Map(), new Map()])
  expect(
    await pools.one
      .selectFrom('clipes')
      .select('id')
      .where('id', '=', file?.id ?? 0)
      .execute(),
  ).toEqual([])
  expect(await Promise.all([held, first, second].map(clipOf))).toEqual([expect.any(Object), null, null])
})
