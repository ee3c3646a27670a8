import { randomUUID } from 'node:crypto'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import { seedCamera } from '../../test/records/records.ts'
import { withoutConditions } from '../../test/stores/without-locks-store.ts'
import { expectCured, openTwoPools, together } from '../../test/walks/races.ts'
import type { Database } from '../open.ts'
import { transact } from '../transaction.ts'
import { claimWork } from '../work-queue/claims.ts'
import { enqueueWork, type NewWork } from '../work-queue/queue.ts'
import type { TipoTrabalho } from '../work-queue/turns.ts'

let empresaId: number
const pools = fixture(openTwoPools)

beforeAll(async () => {
  ;({ empresaId } = await seedCamera(pools.one))
})

/** Replaces all work. */
async function refill(works: readonly Pick<NewWork, 'tipo' | 'faixa'>[]): Promise<void> {
  await pools.one.deleteFrom('trabalhos').execute()
  const items = works.map((work) => ({ ...work, chave: randomUUID(), empresaId, prioridade: 0 }))
  await transact(pools.one, (tx) => enqueueWork(tx, items, 1))
}
const claim = (db: Database, tipo: TipoTrabalho) => () =>
  claimWork(db, { tipo, posse: randomUUID(), until: 100, exceptRoots: [], exceptEmpresas: [] })

it.each([
  ['5', 'notificacao'],
  ['6', 'verificacao'],
] as const)('%s: two replicas claim no %s twice', async (row, tipo) => {
  await expectCured(pools, {
    row,
    rounds: 20,
    strip: withoutConditions,
    round: async (one, two) => {
      await refill(Array.from({ length: 4 }, () => ({ tipo })))
      const claims = await together(...[one, two, one, two].map((db) => claim(db, tipo)))
      const ids = claims.flatMap((item) => item?.id ?? [])
      return ids.length - new Set(ids).size
    },
  })
})

it('5: two replicas claim no two messages of one server', async () => {
  await expectCured(pools, {
    row: '5, lane',
    rounds: 20,
    round: async (one, two) => {
      await refill([
        { tipo: 'notificacao', faixa: 'webhook:a' },
        { tipo: 'notificacao_lenta', faixa: 'webhook:a' },
      ])
      const claims = await together(claim(one, 'notificacao'), claim(two, 'notificacao_lenta'))
      return Math.max(0, claims.filter((item) => item !== undefined).length - 1)
    },
  })
})

it('claims every item at the same time as two other replicas add some', async () => {
  await refill([])
  const add = (db: Database) => async () => {
    for (let n = 0; n < 30; n += 1)
      await transact(db, (tx) => enqueueWork(tx, [{ tipo: 'push', chave: randomUUID(), empresaId, prioridade: 0 }], 1))
  }
  const taken: number[] = []
  const take = (db: Database) => async () => {
    for (let misses = 0; misses < 20; ) {
      const item = await claim(db, 'push')()
      if (item) taken.push(item.id)
      else misses += 1
    }
  }
  expect(await together(add(pools.one), add(pools.two), take(pools.one), take(pools.two))).toHaveLength(4)
  await together(take(pools.one))
  expect([taken.length, new Set(taken).size]).toEqual([60, 60])
})
