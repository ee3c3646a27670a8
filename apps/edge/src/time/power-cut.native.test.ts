import type { CameraTask } from '@vigia/analysis/model'
import type { Candidato } from '@vigia/contracts/candidate'
import { type CloudStandIn, startCloudStandIn } from '@vigia/testing/cloud-stand-in'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEdgeApp, type EdgeApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { candidate } from '../outbox/testing/candidates.ts'
import { createRecentWarnings } from '../status/recent-warnings.ts'
import type { SupervisorOptions } from '../supervisor/supervisor.ts'
import { readsNothing } from '../supervisor/testing/idle.ts'

/** An edge without a battery clock, with a real broker. The tests depend on their order. */

const DAY = 86_400_000
/** Far above the error of an echo on a busy machine. */
const CLOSE_MS = 60_000
const BEHIND = 3 * DAY
const never = { inicio: 3, fim: 4, dias: [] }
const log = pino({ level: 'silent' })
let cloud: CloudStandIn
let edge: EdgeApp
let source: SupervisorOptions
let tasks: readonly CameraTask[] = []
/** How far the wall clock is behind, ms. */
let behind = 0
let boots = 0
const now = () => Date.now() - behind

/** Starts the machine. */
async function startEdge() {
  boots += 1
  const began = performance.now()
  const boot = { id: `boot-${boots}`, monotonic: () => performance.now() - began, hasBatteryClock: false }
  tasks = []
  edge = createEdgeApp({
    config: readConfig({
      VIGIA_DATA_DIR: cloud.dir,
      VIGIA_CLOUD_URL: cloud.url,
      VIGIA_ATIVACAO_CODIGO: 'certo',
    }),
    version: '0.0.0-teste',
    warnings: createRecentWarnings(),
    log,
    clocks: { boot, now, clockSynchronised: async () => false },
    onFatal: (error) => {
      throw error
    },
    supervise(options) {
      source = options
      return {
        apply: (next) => {
          tasks = next
        },
        ...readsNothing,
        stop: async () => {},
      }
    },
    link: { backoff: { minMs: 50, maxMs: 200 }, keepaliveS: 5 },
  })
  await edge.start()
}

const agenda = () => tasks[0]?.analises[0]?.agenda
/** An event with this label, seen now. */
function event(label: string) {
  const { id: _id, relogio: _relogio, ...seen } = candidate(1)
  source.onEvents([{ candidate: { ...seen, rotulos: [label], ocorrido_em: now() }, media: [] }], null)
}
const arrived = (label: string) =>
  cloud.arrived.map(({ registro }) => registro as Candidato).find(({ rotulos }) => rotulos?.[0] === label)

async function arrival(label: string): Promise<Candidato> {
  await waitFor(`the event ${label}`, () => arrived(label) !== undefined)
  return arrived(label) as Candidato
}

beforeAll(async () => {
  cloud = await startCloudStandIn()
  cloud.codes.add('certo')
})
afterAll(async () => {
  await edge.stop()
  await cloud.close()
})

it('knows the time from the first echo of the cloud, and then keeps the Agenda', async () => {
  await startEdge()
  await waitFor('the activation', () => cloud.reports.length > 0)
  const analise = { ia: 'invasao' as const, calibracao: { conf: 0.5 }, agenda: never }
  await cloud.configure(1, [{ id: 1, rtsp_url: 'rtsp://127.0.0.1:9/a', analises: [analise] }])
  await waitFor('the Agenda', () => JSON.stringify(agenda()) === JSON.stringify(never))
  const before = Date.now()
  event('certo')
  expect((await arrival('certo')).ocorrido_em).toBeGreaterThanOrEqual(before - CLOSE_MS)
})

it('starts three days behind without a link: armed, and its events leave with their right times', async () => {
  await cloud.broker.kill()
  await edge.stop()
  behind = BEHIND
  await startEdge()
  expect(tasks).toHaveLength(1)
  expect(agenda()).toBeNull()
  const before = Date.now()
  event('primeiro minuto')
  const after = Date.now()
  await cloud.startBroker()
  const first = await arrival('primeiro minuto')
  expect(first.ocorrido_em).toBeGreaterThanOrEqual(before - CLOSE_MS)
  expect(first.ocorrido_em).toBeLessThanOrEqual(after + CLOSE_MS)
  expect(first).not.toHaveProperty('hora_incerta')
  expect(agenda()).toEqual(never)
  // The clock is still wrong.
  event('depois')
  expect((await arrival('depois')).ocorrido_em).toBeGreaterThanOrEqual(before - CLOSE_MS)
})

it('bounds the times of events of a start that ended before the time was known', async () => {
  await cloud.broker.kill()
  await edge.stop()
  await startEdge()
  const known = Date.now()
  event('nunca soube a hora')
  await edge.stop()
  await startEdge()
  event('soube a hora')
  const later = Date.now()
  await cloud.startBroker()
  const { seq, ocorrido_em, hora_incerta } = await arrival('nunca soube a hora')
  expect(hora_incerta?.de).toBe(ocorrido_em)
  expect(hora_incerta?.de).toBeLessThanOrEqual(known + CLOSE_MS)
  expect(hora_incerta?.ate).toBeGreaterThanOrEqual(known - CLOSE_MS)
  expect(hora_incerta?.ate).toBeLessThanOrEqual(later + CLOSE_MS)
  const next = await arrival('soube a hora')
  expect(next).not.toHaveProperty('hora_incerta')
  expect(next.seq).toBe(seq + 1)
  expect(next.ocorrido_em).toBeGreaterThanOrEqual(hora_incerta?.ate ?? Number.POSITIVE_INFINITY)
})
