import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { CanalCreate } from '@vigia/contracts/notificacoes'
import { waitFor } from '@vigia/testing/wait'
import { pino } from 'pino'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bus, createBus } from '../../../adapters/bus.ts'
import type { Senders } from '../../../adapters/senders/interface.ts'
import type { Database } from '../../../db/open.ts'
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
import { createDelivery, type Delivery } from './delivery.ts'
import { showCanal } from './require-canal.ts'
import { findCanal, updateCanal } from './store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
let temp: TempDatabase
let db: Database
let origin: Awaited<ReturnType<typeof seedCamera>>
let bus: Bus
let ahead: number
const running = new Set<Delivery>()
const receivers = new Set<HttpReceiver>()

beforeEach(async () => {
  temp = await openTempDatabase()
  db = temp.db
  origin = await seedCamera(db)
  bus = createBus()
  ahead = 0
})
afterEach(async () => {
  for (const delivery of running) await delivery.stop()
  running.clear()
  for (const receiver of receivers) await receiver.close()
  receivers.clear()
  await temp.close()
})

const clock = { now: () => Date.now() + ahead }
const start = (senders: Senders = loopbackSenders(clock)): Delivery => {
  const monotonic = () => performance.now() + ahead
  const log = pino({ level: 'silent' })
  const delivery = createDelivery({ db, clock, box: queueBox, senders, bus, log, monotonic })
  running.add(delivery)
  delivery.start()
  return delivery
}
const stop = async (delivery: Delivery) => {
  running.delete(delivery)
  await delivery.stop()
}
const receiver = async (...args: Parameters<typeof startHttpReceiver>) => {
  const made = await startHttpReceiver(...args)
  receivers.add(made)
  return made
}
const canal = (given: Partial<CanalCreate>) => seedCanal(db, { empresa_id: origin.empresaId, ...given })
const confirm = async () => giveVerdict(db, await seedPending(db, origin))
/** Deliveries with their next attempt. */
const rows = async () => {
  const works = await db.selectFrom('trabalhos').selectAll().execute()
  const byKey = new Map(works.map(({ chave, tentativas, em }) => [chave, { tentativas, proxima_em: em }]))
  const entregas = await db.selectFrom('entregas').selectAll().orderBy('id').execute()
  return entregas.map((entrega) => ({ ...entrega, ...byKey.get(String(entrega.id)) }))
}
const row = async () => {
  const [first] = await rows()
  if (!first) throw new Error('nothing is queued')
  return first
}
const shown = async (id: number) => {
  const found = await findCanal(db, id)
  if (!found) throw new Error(`no channel ${id}`)
  return (await showCanal(db, found)).entregas
}
const until = (what: string, probe: () => Promise<boolean> | boolean) => waitFor(what, probe, { everyMs: 10 })
const tried = (times: number) => until(`try ${times}`, async () => (await row()).tentativas === times)
const done = (count = 1) =>
  until(`${count} done`, async () => (await rows()).filter(({ estado }) => estado === 'entregue').length === count)
const wake = () => bus.publish({ tipo: 'alertas' })

it('delivers queued messages with a signature', async () => {
  const { url, received } = await receiver()
  const { id, segredo } = await canal({ destino: url })
  start()
  await confirm()
  await done()
  expect(received).toHaveLength(1)
  const { mensagem_id } = await row()
  expect(received[0]?.headers['webhook-id']).toBe(mensagem_id)
  const body = new Webhook(segredo ?? '').verify(received[0]?.body ?? '', received[0]?.headers ?? {})
  expect(body).toMatchObject({ tipo: 'evento.confirmado', id: mensagem_id, evento: { camera_id: origin.cameraId } })
  expect(await shown(id)).toEqual({
    pendentes: 0,
    entregues: 1,
    desistidas: 0,
    ultimo_erro: null,
    ultimo_erro_em: null,
  })
})

it('wakes on messages of this process', async () => {
  const { url } = await receiver()
  await canal({ destino: url })
  start()
  // Without a wake-up it checks every two seconds, which is too slow for the limit of this test.
  for (let n = 1; n <= 20; n += 1) {
    await confirm()
    wake()
    await done(n)
  }
})

it('serves Empresas in turns, so that none delays another at the same server', async () => {
  const { url, received } = await receiver()
  const at = (path: string) => new URL(path, url).href
  await canal({ destinatarios: Array.from({ length: 40 }, (_, i) => at(`/flood/${i}`)) })
  await confirm()
  const other = await seedCamera(db)
  await canal({ empresa_id: other.empresaId, destino: at('/other') })
  await giveVerdict(db, await seedPending(db, other))
  start()
  await done(41)
  expect(received.slice(0, 2).map(({ path }) => path)).toContain('/other')
})

it('finds messages that another process queued', async () => {
  const { url } = await receiver()
  await canal({ destino: url })
  start()
  await confirm()
  await done()
})

describe('a destination that fails', () => {
  it('is retried with backoff under the same id, and the canal shows the reason', async () => {
    let status = 500
    const { url, received } = await receiver((response) => response.writeHead(status).end())
    const { id } = await canal({ destino: `${url}/gancho?token=segredo` })
    await confirm()
    start()
    const waits: number[] = []
    for (let n = 1; n <= 12; n += 1) {
      await tried(n)
      const { proxima_em, erro_em } = await row()
      if (proxima_em == null) throw new Error('no next try')
      waits.push(proxima_em - (erro_em ?? 0))
      // Advances in steps, to detect early attempts.
      ahead += proxima_em - clock.now() - 100
      if (n === 1) expect(received).toHaveLength(1)
      ahead += 300_000
      wake()
    }
    const bases = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600].map((s) => s * 1000)
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(bases[n] ?? 0)
      expect(wait).toBeLessThanOrEqual(Math.min(HOUR, 1.5 * (bases[n] ?? 0)))
    }
    const entregas = await shown(id)
    expect(entregas).toMatchObject({ pendentes: 1, entregues: 0, ultimo_erro: 'O servidor respondeu com erro (500).' })
    expect(entregas.ultimo_erro_em).toMatch(/Z$/)
    status = 204
    ahead += 2 * HOUR
    wake()
    await done()
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(received.length).toBeGreaterThanOrEqual(13)
    expect(await shown(id)).toMatchObject({ pendentes: 0, entregues: 1, ultimo_erro: expect.stringContaining('500') })
  })

  it('is abandoned after a day, not earlier', async () => {
    const { url } = await receiver((response) => response.writeHead(503).end())
    const { id } = await canal({ destino: url })
    await confirm()
    start()
    await tried(1)
    ahead += DAY - 2 * HOUR
    wake()
    await tried(2)
    expect(await shown(id)).toMatchObject({ pendentes: 1, desistidas: 0 })
    ahead += 2 * HOUR
    wake()
    await tried(3)
    expect(await shown(id)).toMatchObject({ pendentes: 0, desistidas: 1 })
    expect(await row()).toMatchObject({ estado: 'desistida', terminada_em: expect.any(Number) })
  })

  it.each([
    ['600', 600_000, 600_000],
    ['90000', HOUR, HOUR],
    ['1', 5_000, 7_500],
  ])('is retried no earlier than its Retry-After of %s s asks for, and within one hour', async (asked, from, to) => {
    const { url } = await receiver((response) => response.writeHead(429, { 'retry-after': asked }).end())
    await canal({ destino: url })
    await confirm()
    start()
    await tried(1)
    const { proxima_em, erro_em } = await row()
    const wait = (proxima_em ?? 0) - (erro_em ?? 0)
    expect(wait).toBeGreaterThanOrEqual(from)
    expect(wait).toBeLessThanOrEqual(to)
  })

  it('does not delay other destinations, even with a hundred waiting messages', async () => {
    const dead = await receiver(() => {})
    const broken = await receiver((response) => response.writeHead(500).end(), { host: '127.0.0.2' })
    const healthy = await receiver(undefined, { host: '127.0.0.3' })
    await canal({ destinatarios: Array.from({ length: 100 }, (_, i) => `${dead.url}/${i}`) })
    await canal({ destinatarios: Array.from({ length: 100 }, (_, i) => `${broken.url}/${i}`) })
    const { id } = await canal({ destino: healthy.url })
    await confirm()
    start()
    await until('the healthy one to be served', async () => (await shown(id)).entregues === 1)
    for (let n = 2; n <= 4; n += 1) {
      await confirm()
      wake()
      await waitFor('the next', async () => (await shown(id)).entregues === n, { everyMs: 10 })
    }
    expect(dead.received).toHaveLength(1)
  })

  it('leaves slots for other destinations, even if many fail, and after a restart', async () => {
    const dead = await Promise.all(
      Array.from({ length: 8 }, (_, i) => receiver(() => {}, { host: `127.0.1.${i + 1}` })),
    )
    await canal({ destinatarios: dead.map(({ url }) => url) })
    await confirm()
    const delivery = start(loopbackSenders(clock, 300))
    await until('all of them to have failed', async () =>
      (await rows()).every(({ tentativas }) => (tentativas ?? 0) > 0),
    )
    await stop(delivery)
    await db.updateTable('trabalhos').set({ em: clock.now() }).execute()
    const before = dead.map(({ connections }) => connections())
    const retried = () => dead.filter(({ connections }, i) => connections() > (before[i] ?? 0)).length
    start(loopbackSenders(clock, 60_000))
    await until('some to be tried again', () => retried() === 2)
    const healthy = await receiver()
    const { id } = await canal({ destino: healthy.url })
    await confirm()
    wake()
    await until('the healthy one to be served', async () => (await shown(id)).entregues === 1)
    expect(retried()).toBe(2)
  })
})

it('sends one message at a time to a server, and to several servers concurrently', async () => {
  const waiting: (() => void)[] = []
  const hold: Parameters<typeof startHttpReceiver>[0] = (response) => {
    waiting.push(() => response.writeHead(204).end())
  }
  const a = await receiver(hold)
  const b = await receiver(hold, { host: '127.0.0.2' })
  await canal({ destinatarios: [a, b].flatMap(({ url }) => [1, 2, 3].map((i) => `${url}/${i}`)) })
  await confirm()
  start()
  for (let answered = 0; answered < 6; answered += 2) {
    await until('both to be spoken to', () => waiting.length === 2)
    expect([a.received.length, b.received.length]).toEqual([answered / 2 + 1, answered / 2 + 1])
    for (const answer of waiting.splice(0)) answer()
  }
  await done(6)
})

describe('a canal that has changed in the meantime', () => {
  it.each([
    ['was switched off', { ativo: 0 }, 'O canal foi desativado antes da entrega.'],
    ['sends elsewhere', { destino: 'https://exemplo.com.br/' }, 'O destino foi retirado do canal antes da entrega.'],
  ] as const)('receives nothing: %s', async (_, change, erro) => {
    const { url, connections } = await receiver()
    const { id } = await canal({ destino: url })
    await confirm()
    await updateCanal(db, id, change)
    start()
    await until('the end of it', async () => (await row()).estado === 'desistida')
    expect(await shown(id)).toMatchObject({ desistidas: 1, ultimo_erro: erro })
    expect(connections()).toBe(0)
  })

  it('has no more deliveries after its removal', async () => {
    const { url } = await receiver()
    const { id } = await canal({ destino: url })
    await confirm()
    await db.deleteFrom('canais_notificacao').where('id', '=', id).execute()
    expect(await rows()).toEqual([])
  })
})

it('retries a message that cannot be built, without delaying others', async () => {
  const { url } = await receiver()
  const broken = await canal({ destino: `${url}/1` })
  await updateCanal(db, broken.id, { segredo_cifrado: null })
  const { id } = await canal({ destino: `${url}/2` })
  await confirm()
  start()
  await until('the other one', async () => (await shown(id)).entregues === 1)
  expect(await shown(broken.id)).toMatchObject({ pendentes: 1, ultimo_erro: expect.stringContaining('Falha interna') })
})

describe('an interruption', () => {
  it('by a stop does not count as an attempt, and the message is sent after the next start', async () => {
    let mute = true
    const { url, received } = await receiver((response) => {
      if (!mute) response.writeHead(204).end()
    })
    await canal({ destino: url })
    await confirm()
    const first = start()
    await until('the sending', () => received.length === 1)
    await stop(first)
    expect(await row()).toMatchObject({ estado: 'pendente', tentativas: 0, erro: null })
    mute = false
    start()
    await done()
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it('by SIGKILL before the result is stored repeats the message under the same id', async () => {
    const { url, received } = await receiver()
    await canal({ destinatarios: [`${url}/1`, `${url}/2`] })
    await confirm()
    const program = fileURLToPath(new URL('../../../test/programs/delivery-program.ts', import.meta.url))
    const child = spawn(process.execPath, [program, temp.file], { stdio: ['ignore', 'ignore', 'inherit'] })
    const [, signal] = (await once(child, 'close')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
    expect(received.map(({ path }) => path)).toEqual(['/1'])
    expect((await rows()).map(({ estado }) => estado)).toEqual(['pendente', 'pendente'])
    start()
    await done(2)
    expect(received.map(({ path }) => path).sort()).toEqual(['/1', '/1', '/2'])
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })
})

describe('the cleanup of the queue', () => {
  it('removes deliveries after thirty days and keeps waiting ones', async () => {
    const { url } = await receiver()
    await canal({ destinatarios: [`${url}/1`, `${url}/2`, `${url}/3`] })
    await confirm()
    const first = start()
    await done(3)
    await stop(first)
    const [old, waiting] = await rows()
    const before = clock.now() - 31 * DAY
    await db
      .updateTable('entregas')
      .set({ terminada_em: before })
      .where('id', '=', old?.id ?? 0)
      .execute()
    const pending = { estado: 'pendente', criada_em: before } as const
    await db
      .updateTable('entregas')
      .set(pending)
      .where('id', '=', waiting?.id ?? 0)
      .execute()
    start()
    await until('the old one to be gone', async () => (await rows()).length === 2)
    expect((await rows()).map(({ estado }) => estado)).toEqual(['pendente', 'entregue'])
  })

  it('delivers without delay after the clock was set back', async () => {
    const { url } = await receiver()
    await canal({ destino: url })
    await confirm()
    await db
      .updateTable('trabalhos')
      .set({ estado: 'recuo', em: clock.now() + 30 * DAY })
      .execute()
    start()
    await done()
  })
})

it('counts many canais with two queries', async () => {
  const { url } = await receiver()
  const made = [await canal({ destino: `${url}/a` }), await canal({ destino: `${url}/b` }), await canal({})]
  await confirm()
  await confirm()
  start()
  await done(4)
  const counted = await Promise.all(made.map(({ id }) => shown(id)))
  expect(counted.map(({ entregues }) => entregues)).toEqual([2, 2, 0])
})
