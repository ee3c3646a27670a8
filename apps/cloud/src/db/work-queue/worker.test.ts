import { setImmediate } from 'node:timers/promises'
import { onPostgres } from '@vigia/testing/test-databases'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTempDatabase, type TempDatabase } from '../../test/records/queue-records.ts'
import { type Database, openDatabase } from '../open.ts'
import { transact } from '../transaction.ts'
import { claimWork, readyDue } from './claims.ts'
import { LEASE_MS } from './items.ts'
import { type Claim, enqueueWork, failWork, finishWork, type NewWork, reviveWork } from './queue.ts'
import { createWorker, type Worker, type WorkerOptions } from './worker.ts'

const HOUR = 3_600_000
let temp: TempDatabase
let db: Database
let ahead: number
const running = new Set<Worker>()

beforeEach(async () => {
  temp = await openTempDatabase()
  db = temp.db
  ahead = 0
})
afterEach(async () => {
  for (const worker of running) await worker.stop()
  running.clear()
  await temp.close()
})

const clock = { now: () => Date.now() + ahead }
const empresa = async (pai: number | null = null) => {
  const row = { nome: 'Loja', empresa_pai_id: pai, fuso_horario: 'America/Sao_Paulo', limite_cameras: 9, criada_em: 1 }
  return (await db.insertInto('empresas').values(row).returning('id').executeTakeFirstOrThrow()).id
}
let chave = 0
const add = async (empresaId: number, count = 1, change: Partial<NewWork> = {}) => {
  const works = Array.from({ length: count }, (): NewWork => {
    chave += 1
    return { tipo: 'verificacao', chave: String(chave), empresaId, prioridade: 0, ...change }
  })
  await transact(db, (tx) => enqueueWork(tx, works, clock.now()))
  return works.map((work) => work.chave)
}
const claim = (change: Partial<Parameters<typeof claimWork>[1]> = {}) =>
  claimWork(db, {
    tipo: 'verificacao',
    posse: crypto.randomUUID(),
    until: clock.now() + LEASE_MS,
    exceptRoots: [],
    exceptEmpresas: [],
    ...change,
  })
const finish = (item: Claim) => transact(db, (tx) => finishWork(tx, item))
const fail = (item: Claim, next: Parameters<typeof failWork>[2]['next']) =>
  transact(db, (tx) => failWork(tx, item, { erro: 'Falhou.', now: clock.now(), next }))
/** Claims and finishes all items; returns their Empresas in order. */
const drain = async (change: Parameters<typeof claim>[0] = {}) => {
  const order: Claim[] = []
  for (let item = await claim(change); item; item = await claim(change)) {
    order.push(item)
    await finish(item)
  }
  return order
}
const rows = () => db.selectFrom('trabalhos').selectAll().orderBy('id').execute()
const start = (change: Partial<WorkerOptions> & Pick<WorkerOptions, 'handle'>): Worker => {
  const log = pino({ level: 'silent' })
  const worker = createWorker({ db, clock, log, tipo: 'verificacao', atOnce: 2, longestWaitMs: HOUR, ...change })
  running.add(worker)
  worker.start()
  return worker
}

describe('turns', () => {
  it('alternate between roots, and below a root between its Empresas', async () => {
    const [a, b] = [await empresa(), await empresa()]
    const [a1, a2] = [await empresa(a), await empresa(await empresa(a))]
    await add(a1, 4)
    await add(a2, 4)
    await add(b, 4)
    expect((await drain()).map(({ empresa_id }) => empresa_id)).toEqual([a1, b, a2, b, a1, b, a2, b, a1, a2, a1, a2])
  })

  it('are stored in the database and continue in another process', async () => {
    const [a, b] = [await empresa(), await empresa()]
    await add(a, 3)
    const first = await claim()
    await add(b, 1)
    const second = await claim()
    expect([first?.empresa_id, second?.empresa_id]).toEqual([a, b])
  })

  it('follow priority and age within an Empresa, with the oldest item every eighth time', async () => {
    const a = await empresa()
    const low = await add(a, 2, { prioridade: 3 })
    const high = await add(a, 9, { prioridade: 0 })
    expect((await drain()).map((item) => item.chave)).toEqual([...high.slice(0, 7), low[0], ...high.slice(7), low[1]])
  })

  it('skip Empresas and roots at their limit', async () => {
    const [a, b] = [await empresa(), await empresa()]
    const a1 = await empresa(a)
    await add(a1)
    await add(b)
    expect(await claim({ exceptRoots: [a, b] })).toBeUndefined()
    expect(await claim({ exceptEmpresas: [a1, b] })).toBeUndefined()
    expect((await claim({ exceptRoots: [a] }))?.empresa_id).toBe(b)
    expect((await claim())?.empresa_id).toBe(a1)
  })
})

describe('a claim', () => {
  it('belongs to only one process', async () => {
    await add(await empresa(), 20)
    const claims = await Promise.all(Array.from({ length: 40 }, () => claim()))
    const ids = claims.flatMap((item) => item?.id ?? [])
    expect(ids).toHaveLength(20)
    expect(new Set(ids).size).toBe(20)
  })

  it('of the last item leaves no turn to clear, and new work has a turn again', async () => {
    const root = await empresa()
    const [a, b] = [await empresa(root), await empresa(root)]
    const ready = async () =>
      (await db.selectFrom('turnos_trabalho').select('quem').where('pronto', '=', 1).orderBy('quem').execute()).map(
        ({ quem }) => quem,
      )
    await add(a, 2)
    await add(b)
    await claim()
    expect(await ready()).toEqual([root, a, b])
    await claim()
    expect(await ready()).toEqual([root, a])
    await claim()
    expect(await ready()).toEqual([])
    await add(b)
    expect(await claim()).toMatchObject({ empresa_id: b })
  })

  it('is released after its lease, and the late process writes nothing', async () => {
    await add(await empresa())
    const late = await claim()
    if (!late) throw new Error('nothing claimed')
    await readyDue(db, 'verificacao', clock.now(), HOUR)
    expect(await claim()).toBeUndefined()
    ahead += LEASE_MS
    await readyDue(db, 'verificacao', clock.now(), HOUR)
    const again = await claim()
    expect(again).toMatchObject({ id: late.id, tentativas: 1 })
    expect(await finish(late)).toBe(false)
    expect(await fail(late, { estado: 'parado', em: null })).toBe(false)
    expect(await finish(again as Claim)).toBe(true)
    expect(await rows()).toEqual([])
  })

  it('is due if it was written before the clock was set back', async () => {
    await add(await empresa(), 3)
    const [a, b] = [await claim({ until: clock.now() + 30 * 24 * HOUR }), await claim()]
    await fail(b as Claim, { estado: 'recuo', em: clock.now() + 30 * 24 * HOUR })
    await readyDue(db, 'verificacao', clock.now(), HOUR)
    expect((await drain()).map(({ id }) => id).sort()).toEqual([a?.id, b?.id, 3].sort())
  })
})

describe('a lane', () => {
  const lane = { faixa: 'servidor' }

  it('has at most one claimed item of any kind, and its Empresas take turns', async () => {
    const [a, b] = [await empresa(), await empresa()]
    await add(a, 30, lane)
    await add(b, 2, lane)
    await add(a, 1, { ...lane, tipo: 'notificacao' })
    const order: number[] = []
    for (let i = 0; i < 32; i += 1) {
      const item = await claim()
      expect(await claim()).toBeUndefined()
      expect(await claim({ tipo: 'notificacao' })).toBeUndefined()
      order.push(item?.empresa_id ?? 0)
      await finish(item as Claim)
    }
    expect(order.slice(0, 5)).toEqual([a, b, a, b, a])
    expect((await claim({ tipo: 'notificacao' }))?.empresa_id).toBe(a)
  })

  it('is released when its item failed or stopped, or its process ended', async () => {
    const a = await empresa()
    await add(a, 4, lane)
    await fail((await claim()) as Claim, { estado: 'recuo', em: clock.now() + 1000 })
    await fail((await claim()) as Claim, { estado: 'parado', em: null })
    expect(await claim()).toBeDefined()
    expect(await claim()).toBeUndefined()
    ahead += LEASE_MS
    await readyDue(db, 'verificacao', clock.now(), HOUR)
    expect(await drain()).toHaveLength(3)
  })
})

it('keeps a stopped item until its retry time or a manual retry', async () => {
  await add(await empresa(), 2)
  await fail((await claim()) as Claim, { estado: 'parado', em: null })
  await fail((await claim()) as Claim, { estado: 'parado', em: clock.now() + HOUR })
  expect(await claim()).toBeUndefined()
  ahead += HOUR
  await readyDue(db, 'verificacao', clock.now(), 2 * HOUR)
  expect(await claim()).toMatchObject({ id: 2, tentativas: 1 })
  expect(await reviveWork(db, 2, clock.now())).toBeUndefined()
  expect(await reviveWork(db, 1, clock.now())).toMatchObject({ id: 1, chave: expect.any(String) })
  expect(await claim()).toMatchObject({ id: 1, tentativas: 0, criado_em: expect.any(Number) })
})

describe('a worker', () => {
  it('leaves time for other work while its items need only the database', async () => {
    await add(await empresa(), 100)
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    try {
      start({ handle: async (item) => void (await finish(item)) })
      await waitFor('all of it', async () => (await rows()).length === 0, { everyMs: 200 })
      // Two items a round; `waitFor` checks every 200 ms.
      expect(turns).toBeGreaterThan(60)
    } finally {
      clearInterval(timer)
    }
  })

  it('reads the queue a few times, however often it is woken for nothing', async () => {
    let queries = 0
    const counted = await openDatabase(temp.file, { onQuery: () => (queries += 1) })
    const worker = start({ db: counted, handle: async () => {} })
    queries = 0
    const wakes = 2_000
    for (let i = 0; i < wakes; i += 1) {
      worker.wake()
      await setImmediate()
    }
    await worker.stop()
    await counted.destroy()
    expect(queries).toBeGreaterThan(0)
    // A round for each wake-up would have several queries each.
    expect(queries).toBeLessThan(wakes / 2)
  })

  it('limits concurrent items in total, per root and per Empresa', async () => {
    const [a, b] = [await empresa(), await empresa()]
    const a1 = await empresa(a)
    await add(a, 9)
    await add(a1, 9)
    const release = Promise.withResolvers<void>()
    const at: number[] = []
    const handle = async (item: Claim) => {
      at.push(item.empresa_id)
      await release.promise
      await finish(item)
    }
    const worker = start({ atOnce: 4, perRoot: 3, perEmpresa: 2, handle })
    await waitFor('three of the root', () => at.length === 3)
    expect(at.filter((id) => id === a1).length).toBeLessThanOrEqual(2)
    await add(b)
    worker.wake()
    await waitFor('the other root', () => at.length === 4)
    expect(at[3]).toBe(b)
    release.resolve()
    await waitFor('the rest', async () => (await rows()).length === 0)
  })

  it('releases its claims when it stops, without counting an attempt', async () => {
    await add(await empresa())
    const begun = Promise.withResolvers<void>()
    const worker = start({
      handle: (_, signal) => {
        begun.resolve()
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
      },
    })
    await begun.promise
    await worker.stop()
    expect(await rows()).toMatchObject([{ estado: 'pronto', tentativas: 0, posse: null }])
  })

  // Other replicas may share a database on PostgreSQL, so that a worker there waits for the end of a lease.
  it.skipIf(onPostgres())(
    'takes over the claims of a former process at its start if alone (needs SQLite)',
    async () => {
      await add(await empresa())
      await claim()
      const done: string[] = []
      const handle = async (item: Claim) => {
        await finish(item)
        done.push(item.chave)
      }
      start({ alone: true, handle })
      await waitFor('the item', () => done.length === 1, { timeoutMs: LEASE_MS / 2 })
    },
  )

  it('defers items that fail in the program and continues with the others', async () => {
    const [bad, good] = await add(await empresa(), 2)
    start({
      handle: async (item) => {
        if (item.chave === bad) throw new Error('broken')
        await finish(item)
      },
    })
    await waitFor('both to be tried', async () => (await rows())[0]?.erro != null && (await rows()).length === 1)
    expect(await rows()).toMatchObject([
      { chave: bad, estado: 'recuo', tentativas: 1, erro: expect.stringContaining('Falha interna') },
    ])
    expect(good).toBeDefined()
  })
})
