import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createBus } from '../../../adapters/bus.ts'
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
import { type HttpReceiver, startHttpReceiver } from '../../../test/stand-ins/http-receiver.ts'
import { createDelivery } from './delivery.ts'

/** Two Empresas send to the same address. */
let temp: TempDatabase
let receiver: HttpReceiver
let status: number
let first: Awaited<ReturnType<typeof seedCamera>>
let second: Awaited<ReturnType<typeof seedCamera>>
const clock = { now: Date.now }

beforeEach(async () => {
  temp = await openTempDatabase()
  first = await seedCamera(temp.db)
  second = await seedCamera(temp.db)
  receiver = await startHttpReceiver((response) => response.writeHead(status).end())
  for (const { empresaId } of [first, second])
    await seedCanal(temp.db, { empresa_id: empresaId, destino: receiver.url })
})
afterEach(async () => {
  await receiver.close()
  await temp.close()
})

const confirm = async (origin: typeof first) => giveVerdict(temp.db, await seedPending(temp.db, origin))
const works = (empresaId: number) =>
  temp.db
    .selectFrom('trabalhos')
    .select(['tipo', 'em', 'tentativas', 'estado'])
    .where('tipo', 'in', ['notificacao', 'notificacao_lenta'])
    .where('empresa_id', '=', empresaId)
    .orderBy('id')
    .execute()

/** One failed attempt of the first Empresa while another message of each Empresa waits. */
async function failOnce(answer: number) {
  status = answer
  await confirm(first)
  const delivery = createDelivery({
    db: temp.db,
    clock,
    box: queueBox,
    senders: loopbackSenders(clock),
    bus: createBus(),
    log: pino({ level: 'silent' }),
  })
  delivery.start()
  await waitFor('the failed attempt', async () => (await works(first.empresaId))[0]?.tentativas === 1)
  await delivery.stop()
  await confirm(first)
  await confirm(second)
}

it.each([400, 401, 413, 422])('a message that is refused (%i) pauses its own Empresa only', async (answer) => {
  await failOnce(answer)
  expect((await works(first.empresaId))[1]).toMatchObject({ tipo: 'notificacao_lenta', em: expect.any(Number) })
  expect((await works(first.empresaId))[1]?.em).toBeGreaterThan(Date.now())
  // No delay, and no place among the failing destinations.
  const [other] = await works(second.empresaId)
  expect(other?.tipo).toBe('notificacao')
  expect(other?.em ?? 0).toBeLessThanOrEqual(Date.now())
})

it.each([404, 429, 500, 503])('a service that fails (%i) pauses every Empresa that sends there', async (answer) => {
  await failOnce(answer)
  for (const one of [(await works(first.empresaId))[1], (await works(second.empresaId))[0]])
    expect(one?.em).toBeGreaterThan(Date.now())
})
