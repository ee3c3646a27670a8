import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { transact } from '../../src/db/transaction.ts'
import { openBackstage } from '../../src/test/clouds/backstage.ts'
import { type StartedTarget, startTarget } from './target.ts'

let target: StartedTarget
beforeAll(async () => {
  target = await startTarget()
})
afterAll(() => target.stop())

it('answers a request that waits for a transaction of the run', async () => {
  const backstage = await openBackstage(target)
  try {
    const { answer } = await transact(backstage.db, async (tx) => {
      // Takes the lock of the database, and changes nothing.
      await tx.updateTable('empresas').set({ nome: 'Loja' }).where('id', '=', 0).execute()
      const answer = target.operator.send('POST', '/api/v1/empresas', { nome: 'Loja' })
      // The request meets the lock. In the process of the cloud its wait would keep this transaction from its end.
      await delay(300)
      return { answer }
    })
    expect((await answer).status).toBe(201)
  } finally {
    await backstage.close()
  }
})
