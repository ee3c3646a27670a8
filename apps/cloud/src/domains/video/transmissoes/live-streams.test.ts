import type { Comando } from '@vigia/contracts/pedidos'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../adapters/clock.ts'
import { createSecretBox } from '../../../adapters/secret-box.ts'
import { onlyReplica } from '../../../replicas/replica.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { createLiveStreams, type LiveStreams } from './live-streams.ts'
import { createUploadRates } from './upload-rates.ts'
import { createWindowBudget, LEAST_WINDOW_BYTES } from './window-budget.ts'

let camera: { readonly id: number; readonly edgeId: number }
const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

beforeAll(async () => {
  const { empresaId } = await app.account('Mercado')
  const { cameraId: id, edgeId } = await backstage.camera(empresaId)
  camera = { id, edgeId }
})

/** One process with live streams, whose edge accepts every order. */
function replica(
  times: Parameters<typeof createLiveStreams>[0]['times'] = {},
  budget = createWindowBudget(64 * 1024 * 1024),
) {
  const commands: Comando[] = []
  const streams: LiveStreams = createLiveStreams({
    db: backstage.db,
    clock: systemClock,
    box: createSecretBox(Buffer.alloc(32, 1)),
    replica: onlyReplica,
    askEdge: async (_edgeId, comando) => {
      commands.push(comando)
      return { ok: true, resultado: {}, corpo: Buffer.alloc(0) } as never
    },
    rates: createUploadRates(() => performance.now()),
    budget,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    times: { repeatMs: 50, lingerMs: 100, retryMs: 20, ...times },
  })
  const actions = () => commands.map(({ acao }) => acao)
  const orders = () => commands.flatMap((one) => (one.acao === 'transmitir' ? [one] : []))
  return { streams, actions, orders }
}

it('repeats the order while somebody watches, and ends it some time after the last viewer', async () => {
  const { streams, actions, orders } = replica()
  const seat = streams.watch(camera, 'principal', 'mosaico')
  await waitFor('three orders', () => orders().length >= 3)
  expect(new Set(orders().map(({ epoca, token }) => `${epoca} ${token}`)).size).toBe(1)
  seat.leave()
  await waitFor('the end', () => actions().at(-1) === 'parar_transmissao')
  expect(seat.ended.aborted).toBe(true)
  expect(seat.end).toBeNull()
})

it('orders at once for the first viewer who opened the camera', async () => {
  const { streams, orders } = replica({ repeatMs: 60_000 })
  const seats = [streams.watch(camera, 'principal', 'mosaico')]
  await waitFor('the order', () => orders().length === 1)
  seats.push(streams.watch(camera, 'principal', 'aberta'))
  await waitFor('the second order', () => orders().length === 2)
  expect(orders().map(({ prioridade }) => prioridade)).toEqual(['mosaico', 'aberta'])
  for (const seat of seats) seat.leave()
  await waitFor('the end', () => seats[0]?.ended.aborted)
})

it('has one owner; the next owner has a higher epoch', async () => {
  const [first, second] = [replica(), replica()]
  const owner = first.streams.watch(camera, 'secundario', 'aberta')
  await waitFor('the order', () => first.orders().length > 0)
  const refused = second.streams.watch(camera, 'secundario', 'aberta')
  await waitFor('the refusal', () => refused.end === 'outra_replica')
  expect(second.orders()).toEqual([])
  owner.leave()
  await waitFor('the end', () => owner.ended.aborted)
  const next = second.streams.watch(camera, 'secundario', 'aberta')
  await waitFor('the order', () => second.orders().length > 0)
  expect(second.orders()[0]?.epoca).toBeGreaterThan(first.orders()[0]?.epoca ?? 0)
  next.leave()
  await second.streams.stop()
})

it('ends without data, although the edge accepts every order', async () => {
  const { streams } = replica({ silentMs: 100 })
  const seat = streams.watch(camera, 'principal', 'aberta')
  await waitFor('the end', () => seat.end === 'sem_dados')
})

it('refuses a stream without memory for its window, and orders nothing', async () => {
  const { streams, orders } = replica({ lingerMs: 60_000, repeatMs: 60_000 }, createWindowBudget(LEAST_WINDOW_BYTES))
  const first = streams.watch(camera, 'principal', 'aberta')
  await waitFor('the order', () => orders().length === 1)
  const second = streams.watch(camera, 'secundario', 'aberta')
  await waitFor('the refusal', () => second.end === 'sem_memoria')
  expect(second.ended.aborted).toBe(true)
  expect([orders().length, first.end]).toEqual([1, null])
  // A stream that nobody watches goes first.
  first.leave()
  const third = streams.watch(camera, 'secundario', 'aberta')
  await waitFor('the next order', () => orders().length === 2)
  await waitFor('the end of the first', () => first.ended.aborted)
  expect([first.end, third.end, orders().at(-1)?.fluxo]).toEqual(['sem_memoria', null, 'secundario'])
  await streams.stop()
})
