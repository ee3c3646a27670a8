import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Relato } from '@vigia/contracts/edge-state'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, it } from 'vitest'
import { createFileMediaStore } from '../../adapters/media-store/file-media-store.ts'
import { readLog } from '../../domains/eventos/alertas/store.ts'
import { saveReview } from '../../domains/eventos/eventos/review-store.ts'
import { ingestBatch } from '../../domains/operacao/ingestao/ingest-batch.ts'
import { saveReport } from '../../domains/operacao/ingestao/report-store.ts'
import { insertQueda } from '../../domains/operacao/quedas/store.ts'
import { operatorCaller } from '../../test/clients/operator-caller.ts'
import { giveVerdict, seedPending } from '../../test/records/queue-records.ts'
import { batch, candidate, seedCamera } from '../../test/records/records.ts'
import { expectCountsRight } from '../../test/stores/recount-store.ts'
import { pausing } from '../../test/stores/without-locks-store.ts'
import { expectCured, expectNoRace, openTwoPools, together } from '../../test/walks/races.ts'
import { countNew } from '../evento-counts.ts'
import type { Database } from '../open.ts'
import { transact } from '../transaction.ts'

let origin: Awaited<ReturnType<typeof seedCamera>>
const pools = fixture(openTwoPools)

beforeAll(async () => {
  origin = await seedCamera(pools.one)
})

/** Number of lines after `apos` that a reader of the log sees until `isOver`. */
async function follow(db: Database, apos: number, isOver: () => boolean): Promise<number> {
  let seen = 0
  let position = apos
  for (;;) {
    const last = isOver()
    const page = await readLog(db, { apos: position, tipos: ['alerta', 'evento'], empresas: null, limite: 50 })
    seen += page.linhas.length
    position = page.ate
    if (last && page.fim) return seen
    await setTimeout(2)
  }
}

it('1: a reader of the alert log misses no line', async () => {
  const origins: (typeof origin)[] = []
  for (let n = 0; n < 8; n += 1) origins.push(await seedCamera(pools.one))
  await expectCured(pools, {
    row: '1',
    rounds: 1,
    round: async (one, two) => {
      const newest = await pools.one.selectFrom('alertas').select('seq').orderBy('seq', 'desc').executeTakeFirst()
      let left = origins.length
      // Each writer has an Empresa and a tipo of its own, whose turn and counts serialize no other writer.
      const write = async (at: typeof origin, n: number) => {
        const db = pausing(n % 2 === 0 ? one : two, 'alertas')
        for (let i = 0; i < 6; i += 1) await giveVerdict(db, await seedPending(db, at, Date.now(), `tipo-${n}`))
        left -= 1
      }
      const reader = follow(pools.two, newest?.seq ?? 0, () => left === 0)
      await Promise.all(origins.map(write))
      return 6 * origins.length - (await reader)
    },
  })
})

it('2: two batches of one edge give every record its number and its id', async () => {
  const own = await openTwoPools()
  try {
    const media = createFileMediaStore({ dir: join(own.dir, 'media') })
    const { cameraId, edgeId } = await seedCamera(own.one)
    let seq = 0
    await expectCured(own, {
      row: '2',
      rounds: 15,
      round: async (one, two) => {
        const parts = [one, two].map((db, n) => {
          const records = [1, 2].map((at) => candidate(cameraId, seq + 2 * n + at, { crop: null }))
          return () => ingestBatch({ db, media, clock: { now: Date.now } }, edgeId, batch(records))
        })
        seq += 4
        const stored = await together(...parts)
        const reached = await own.one.selectFrom('sequencias').select('ultimo_seq').executeTakeFirst()
        return stored.length === 2 && stored.every(({ ok }) => ok) && reached?.ultimo_seq === seq ? 0 : 1
      },
    })
  } finally {
    await own.close()
  }
})

const relato = (instancia: string): Relato => ({
  v: 1,
  config_versao: 0,
  versao: '0.1.0',
  instancia,
  cameras: [],
  enviado_em: 1,
  relogio: { desvio_ms: 0, sincronizado: true },
  certificado: { sha256: '00'.repeat(32), vence_em: 1 },
  fila: 0,
  fila_memoria: 0,
  disco_gravavel: true,
  disco: null,
  memoria: null,
  cpu: null,
  temperatura: null,
})

it('10: two reports of one edge follow one another', async () => {
  await expectCured(pools, {
    row: '10',
    rounds: 30,
    round: async (one, two) => {
      const starts = [randomUUID(), randomUUID()] as const
      await together(
        () => saveReport(one, origin.edgeId, relato(starts[0]), 1),
        () => saveReport(two, origin.edgeId, relato(starts[1]), 1),
      )
      const of = pools.one.selectFrom('edges').select(['instancia', 'instancia_anterior'])
      const row = await of.where('id', '=', origin.edgeId).executeTakeFirstOrThrow()
      return new Set([row.instancia, row.instancia_anterior, ...starts]).size === 2 ? 0 : 1
    },
  })
})

it('15: verdicts and reviews at the same time keep the counts right, also without locks', async () => {
  const own = await openTwoPools()
  try {
    const camera = await seedCamera(own.one)
    await expectNoRace(own, {
      row: '15',
      rounds: 30,
      round: async (one, two) => {
        const id = await seedPending(own.one, camera)
        const row = await own.one.selectFrom('eventos').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
        await transact(own.one, (tx) => countNew(tx, [row]))
        const review = { rotulo: 'confirmado', revisor: 'Ana', autor: operatorCaller, now: Date.now() } as const
        const done = await together<unknown>(
          () => giveVerdict(one, id),
          () => saveReview(two, row, { ...review, novos: [], antigos: [] }),
        )
        return 2 - done.length
      },
    })
    await expectCountsRight(own.one)
  } finally {
    await own.close()
  }
})

it('16: an edge has one open queda, also without locks', async () => {
  await expectNoRace(pools, {
    row: '16',
    rounds: 40,
    round: async (one, two) => {
      await pools.one.deleteFrom('quedas').execute()
      const queda = { empresa_id: origin.empresaId, edge_id: origin.edgeId, camera_id: null, nome: 'Caixa' }
      const begin = (db: Database) => () =>
        transact(db, (tx) => insertQueda(tx, { ...queda, inicio: 1, motivo: 'offline' }))
      const done = await together(begin(one), begin(two))
      return done.filter((row) => row !== undefined).length === 1 ? 0 : 1
    },
  })
})
