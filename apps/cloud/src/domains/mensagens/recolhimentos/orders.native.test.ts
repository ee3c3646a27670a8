import { subscribeToAll } from '@vigia/link/testing/mqtt-subscriber'
import { mosquittoProgram, startCustomerBroker } from '@vigia/testing/mosquitto'
import type { Program } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBus } from '../../../adapters/bus.ts'
import { transact } from '../../../db/transaction.ts'
import { operatorCaller } from '../../../test/clients/operator-caller.ts'
import {
  giveVerdict,
  loopbackSenders,
  openTempDatabase,
  queueBox,
  seedCanal,
  seedPending,
  type TempDatabase,
} from '../../../test/records/queue-records.ts'
import { seedCamera } from '../../../test/records/records.ts'
import { startTcpProxy, type TcpProxy } from '../../../test/stand-ins/tcp-proxy.ts'
import { removeCamera } from '../../locais/cameras/remove-camera.ts'
import { createDelivery } from '../notificacoes/delivery.ts'
import { removeCanal } from '../notificacoes/remove-canal.ts'
import { createTakeBack } from './take-back-kind.ts'

const credenciais = { usuario: 'vigia', senha: 's3nh@-do-broker' }

/** A broker that a proxy cuts off, the delivery and the orders of one process after another. */
describe.skipIf(mosquittoProgram === null)('orders to a broker that does not answer (needs mosquitto)', () => {
  let temp: TempDatabase
  let broker: Program
  let proxy: TcpProxy
  let origin: Awaited<ReturnType<typeof seedCamera>>
  let ahead = 0
  const lines: string[] = []
  const clock = { now: () => Date.now() + ahead }
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const running = new Set<{ stop(): Promise<void> }>()

  beforeEach(async () => {
    temp = await openTempDatabase()
    origin = await seedCamera(temp.db)
    broker = await startCustomerBroker(credenciais)
    proxy = await startTcpProxy(broker.porta ?? 0)
    ahead = 0
    lines.length = 0
  })
  afterEach(async () => {
    await Promise.all([...running].map((one) => one.stop()))
    running.clear()
    await proxy.close()
    await broker.stop()
    await temp.close()
  })

  function start(create: typeof createDelivery | typeof createTakeBack) {
    const deps = { db: temp.db, clock, box: queueBox, senders: loopbackSenders(clock), bus: createBus(), log }
    const engine = create(deps)
    running.add(engine)
    engine.start()
    return engine
  }
  const destino = (path = '') => `mqtt://127.0.0.1:${proxy.port}${path}`
  const canal = async (at = destino()) =>
    (await seedCanal(temp.db, { tipo: 'mqtt', empresa_id: origin.empresaId, destino: at, credenciais })).id
  const confirm = async () => giveVerdict(temp.db, await seedPending(temp.db, origin))
  const deliveries = () => temp.db.selectFrom('entregas').select('estado').execute()
  const orders = () => temp.db.selectFrom('recolhimentos').selectAll().execute()
  const delivered = () => waitFor('the delivery', async () => (await deliveries()).every(isDone), { everyMs: 20 })
  const isDone = ({ estado }: { estado: string }) => estado === 'entregue'
  const isOrdered = (n: number) => waitFor('the orders', async () => (await orders()).length === n, { everyMs: 20 })
  const dropCanal = (id: number) => removeCanal({ ...useCase(), senders: loopbackSenders(clock) }, operatorCaller, id)
  const useCase = () => ({
    db: temp.db,
    clock,
    box: queueBox,
    desired: { changed: () => {} },
    webhookPermitir: [],
    testLimit: { consume: async () => {} },
    wake: () => {},
  })
  /** Passes the time until the next attempt, until `orders` are left. */
  const passes = (n: number) =>
    waitFor('the orders', async () => {
      ahead += 60_000
      return (await orders()).length === n
    })

  /** Retained topics at the broker. */
  async function held(): Promise<string[]> {
    const subscriber = await subscribeToAll(broker.porta ?? 0, credenciais)
    await subscriber.mark()
    await subscriber.close()
    return subscriber.received.filter(({ retain }) => retain).map(({ topic }) => topic)
  }

  it('are done by a later process, with the login of the removed canal', async () => {
    const id = await canal()
    await confirm()
    const delivery = start(createDelivery)
    await delivered()
    await delivery.stop()
    expect((await held()).length).toBeGreaterThan(0)
    proxy.answer = 'closed'
    await dropCanal(id)
    const first = start(createTakeBack)
    await waitFor('a failed attempt', () => lines.some((line) => line.includes('retained messages not taken back')))
    await first.stop()
    proxy.answer = 'direct'
    start(createTakeBack)
    await passes(0)
    expect(await held()).toEqual([])
    expect(lines.join('')).not.toContain(credenciais.senha)
  })

  it('let a late message about a removed camera leave nothing', async () => {
    await canal()
    await confirm()
    await removeCamera(useCase(), operatorCaller, origin.cameraId)
    start(createTakeBack)
    await isOrdered(0)
    const heard = await subscribeToAll(broker.porta ?? 0, credenciais)
    start(createDelivery)
    await delivered()
    await waitFor('the message', () => heard.received.length > 0)
    await heard.close()
    expect(heard.received.map(({ topic }) => topic)).toEqual(['vigia/mensagens/evento.confirmado'])
    expect(await held()).toEqual([])
  })

  it('leave alone what a canal keeps up again, in whichever spelling', async () => {
    const id = await canal(destino())
    proxy.answer = 'closed'
    await dropCanal(id)
    expect(await orders()).toHaveLength(1)
    await canal(destino('/vigia/'))
    proxy.answer = 'direct'
    await confirm()
    const delivery = start(createDelivery)
    await delivered()
    await delivery.stop()
    const before = await held()
    start(createTakeBack)
    await passes(0)
    expect(before.length).toBeGreaterThan(0)
    expect(await held()).toEqual(before)
  })

  it('end after seven days, and so does the login', async () => {
    const id = await canal()
    proxy.answer = 'closed'
    await dropCanal(id)
    ahead = 7 * 86_400_000 + 1_000
    start(createTakeBack)
    await isOrdered(0)
    const work = temp.db.selectFrom('trabalhos').select('id').where('tipo', '=', 'recolhimento')
    await waitFor('the end of the work', async () => (await work.execute()).length === 0)
    expect(lines.join('')).toContain('"motivo":"too old"')
  })

  it('order nothing for a change that keeps the destination', async () => {
    const id = await canal()
    const other = await canal()
    await transact(temp.db, (tx) =>
      tx.updateTable('canais_notificacao').set({ nome: 'x' }).where('id', '=', id).execute(),
    )
    await dropCanal(other)
    expect(await orders()).toEqual([])
  })
})
