import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Confirmacao, primeiroSeqDe } from '@vigia/contracts/candidate'
import { decodeBatch } from '@vigia/link/batch'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { Database } from '../../../db/open.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { batch, seedCamera, seedOneCamera } from '../../../test/records/records.ts'
import { createSimulatedOutbox, type Lane } from '../../../test/stand-ins/simulated-outbox.ts'
import { expectCountsRight } from '../../../test/stores/recount-store.ts'
import { ingestBatch } from './ingest-batch.ts'

const camera = fc.nat(1)
const lane = fc.constantFrom<Lane>('waiting', 'live')
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('produce' as const), camera, bad: fc.nat(9).map((n) => n === 0) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('send' as const), camera, lane, n: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('deliver' as const), answered: fc.nat(3).map((n) => n > 0) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lose' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('repeat' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('timeout' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('connect' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('drop' as const),
      camera,
      from: fc.nat(3),
      n: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('vanish' as const), camera, at: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const), skipped: fc.nat(2) }) },
)

const deps = (db: Database, dir: string) => ({
  db,
  media: createFileMediaStore({ dir: join(dir, 'media') }),
  clock: { now: () => 1_793_000_000_000 },
})

const numbers = (db: Database, cameraId: number) =>
  db.selectFrom('eventos').select(['id', 'uuid', 'seq']).where('camera_id', '=', cameraId).orderBy('id').execute()
const gapsOf = (db: Database, cameraId: number) =>
  db.selectFrom('lacunas').selectAll().where('camera_id', '=', cameraId).execute()
const lastOf = async (db: Database) =>
  new Map((await db.selectFrom('sequencias').selectAll().execute()).map((row) => [row.camera_id, row.ultimo_seq]))

/** Up to the highest number: each is stored once or lies in one gap, and the ids ascend with the numbers. */
async function expectAccounted(db: Database, cameraId: number): Promise<Map<number, string>> {
  const events = await numbers(db, cameraId)
  const seqs = events.map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
  expect(new Set(seqs).size).toBe(seqs.length)
  const fate = new Map(seqs.map((seq) => [seq, 'evento']))
  for (const { de_seq, ate_seq, motivo } of await gapsOf(db, cameraId))
    for (let seq = de_seq; seq <= ate_seq; seq += 1) {
      expect([seq, fate.get(seq)]).toEqual([seq, undefined])
      fate.set(seq, motivo)
    }
  const ultimo = (await lastOf(db)).get(cameraId) ?? 0
  expect([...fate.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: ultimo }, (_, i) => i + 1))
  return fate
}

/** Each stored record followed all records that it required. */
function expectInOrder(payload: Buffer, respostas: readonly Confirmacao[], fates: Map<number, Map<number, string>>) {
  const decoded = decodeBatch(payload)
  if (!decoded.ok) throw new Error(decoded.motivo)
  for (const [i, item] of decoded.itens.entries()) {
    if (!item.ok || respostas[i]?.resultado !== 'gravado') continue
    const { registro, base, desde } = item
    for (let seq = Math.max(base, desde); seq < primeiroSeqDe(registro); seq += 1)
      expect([undefined, 'a_caminho']).not.toContain(fates.get(registro.camera_id)?.get(seq))
  }
}

it('stores or explains each number exactly once despite overtaking, loss, repeats and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
      const dir = temporaryFolder('vigia-lanes-')
      const db = await openTestDatabase(join(dir, 'vigia.db'))
      const { empresaId, edgeId, cameraId } = await seedCamera(db)
      const cameraIds = [cameraId, await seedOneCamera(db, empresaId, edgeId)]
      const outbox = createSimulatedOutbox(cameraIds)
      const wire: Buffer[] = []
      const deliver = async (payload: Buffer, answered: boolean) => {
        const ingested = await ingestBatch(deps(db, dir), edgeId, payload)
        if (!ingested.ok) throw new Error(ingested.motivo)
        expect(ingested.numerosUsados).toEqual([])
        if (answered) outbox.confirm(ingested.respostas)
        const fates = new Map<number, Map<number, string>>()
        for (const id of cameraIds) fates.set(id, await expectAccounted(db, id))
        expectInOrder(payload, ingested.respostas, fates)
      }
      const send = (which: number, from: Lane, n: number) => {
        const records = outbox.take(which, from, n)
        if (records.length > 0) wire.push(batch(records, outbox.serie))
      }

      for (const now of steps) {
        if (now.do === 'produce') outbox.produce(now.camera, now.bad)
        else if (now.do === 'send') send(now.camera, now.lane, now.n)
        else if (now.do === 'drop') outbox.drop(now.camera, now.from, now.n)
        else if (now.do === 'vanish') outbox.vanish(now.camera, now.at)
        else if (now.do === 'timeout') outbox.timeout()
        else if (now.do === 'lose') wire.shift()
        else if (now.do === 'repeat') wire.splice(0, 0, ...wire.slice(0, 1))
        else if (now.do === 'connect') {
          wire.length = 0
          outbox.connect()
        } else if (now.do === 'replace') {
          wire.length = 0
          const known = await lastOf(db)
          outbox.replace((id) => known.get(id) ?? 0, now.skipped)
        } else {
          const payload = wire.shift()
          if (payload) await deliver(payload, now.answered)
        }
      }

      // The connection is reliable again. The next record reveals the lost ones.
      for (const _time of [1, 2]) {
        outbox.connect()
        for (const which of [0, 1]) outbox.produce(which, false)
        for (let round = 0; outbox.held() > 0; round += 1) {
          expect(round).toBeLessThan(100)
          wire.length = 0
          for (const which of [0, 1]) for (const from of ['live', 'waiting'] as const) send(which, from, 100)
          for (const payload of wire) await deliver(payload, true)
          outbox.timeout()
        }
      }
      for (const [i, id] of cameraIds.entries()) {
        const fate = await expectAccounted(db, id)
        expect([...fate.values()]).not.toContain('a_caminho')
        const stored = new Map((await numbers(db, id)).map(({ uuid, seq }) => [uuid, seq]))
        for (const [seq, candidato] of outbox.made[i] ?? []) {
          if (candidato.bad) expect([seq, stored.get(candidato.id)]).toEqual([seq, undefined])
          else if (candidato.kept) expect([seq, stored.get(candidato.id)]).toEqual([seq, seq])
        }
      }
      await expectCountsRight(db)
      expect(await db.selectFrom('alertas').select('seq').where('tipo', '=', 'evento').execute()).toHaveLength(
        (await db.selectFrom('eventos').select('id').execute()).length,
      )
      await db.destroy()
      await rm(dir, { recursive: true, force: true })
    }),
    { numRuns: 20 },
  )
}, 300_000)
