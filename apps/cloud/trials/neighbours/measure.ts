import { setTimeout as delay } from 'node:timers/promises'
import type { Evento } from '@vigia/contracts/eventos'
import type { EdgeLink } from '@vigia/link/edge-link'
import { openAlertStream } from '@vigia/testing/alert-stream'
import { percentile } from '@vigia/testing/stats'
import { waitFor } from '@vigia/testing/wait'
import { send } from '../../src/test/clients/client.ts'
import { batch, candidate, type HeldRecord } from '../../src/test/records/records.ts'
import { linkOf, type Stage } from './stage.ts'

/** Measurements of the honest Empresa during a phase; times in ms. */
export interface Measured {
  /** Slowest verdict; infinite: one did not come within a minute. */
  readonly verdictMax: number
  readonly apiP95: number
  /** Number of requests that failed or have a status other than 200. */
  readonly apiFailures: number
  /** Number of successful connections of its edge within 10 s, of `CONNECTS`. */
  readonly connected: number
  /** Ends of broker or cloud. */
  readonly restarts: number
}

const EVENT_EVERY_MS = 1_000
const ASK_EVERY_MS = 50
const VERDICT_MS = 60_000
const RESEND_MS = 2_000
export const CONNECTS = 5
const CONNECT_MS = 10_000
/** Longest time that the cloud needs after an attack until stream and edge are connected again. */
const SETTLED_MS = 120_000

let seq = 0

/** The honest Empresa: a guard on the alerta stream, a connected edge, and an administrador. */
export interface Neighbour {
  /**
   * Measures for `lengthMs`: one evento a second until its verdict is on the alerta stream, `GET /cameras`, and
   * reconnections of the edge.
   */
  measure(lengthMs: number): Promise<Measured>
  close(): Promise<void>
}

/** Opens stream and link, as they are open before an attack. */
export async function openNeighbour({ url, mqttPort, honest, restarts }: Stage): Promise<Neighbour> {
  const { token } = honest.admin
  const api = { base: url, token } as Parameters<typeof openAlertStream>[0]
  const link = linkOf(honest, mqttPort)
  link.start()
  const stream = await waitFor('the alert stream', () => openAlertStream(api, { todos: true }), {
    timeoutMs: SETTLED_MS,
  })
  await waitFor('the edge to be connected', () => link.connected, { timeoutMs: SETTLED_MS })
  return {
    async measure(lengthMs) {
      const restartsBefore = restarts()
      const end = performance.now() + lengthMs
      const [verdicts, asked, connected] = await Promise.all([
        timeVerdicts(link, honest.cameraIds[0] ?? 0, [stream.alertas, stream.eventos], end),
        timeRequests(url, token, end),
        countConnections(link, lengthMs),
      ])
      return {
        verdictMax: percentile(verdicts, 1),
        apiP95: percentile(asked.times, 0.95),
        apiFailures: asked.failures,
        connected,
        restarts: restarts() - restartsBefore,
      }
    },
    async close() {
      stream.close()
      await link.stop()
    },
  }
}

async function timeVerdicts(link: EdgeLink, cameraId: number, lists: readonly (readonly Evento[])[], end: number) {
  const stored = new Set<string>()
  link.onConfirmations(({ itens }) => {
    for (const { id } of itens) stored.add(id)
  })
  let sessions = 0
  link.onConnection((up) => {
    if (up) sessions += 1
  })
  /**
   * Sends like an outbox: repeats at each new connection and when no answer comes, until the cloud answers or the phase
   * ended a minute ago.
   */
  async function deliver({ id, registro, midias }: HeldRecord): Promise<void> {
    while (!stored.has(id) && performance.now() < end + VERDICT_MS) {
      const session = sessions
      await Promise.race([link.publishBatch(batch([{ id, registro, midias }])).catch(() => {}), delay(RESEND_MS)])
      const isOver = () => stored.has(id) || sessions !== session
      await waitFor('the answer', isOver, { timeoutMs: RESEND_MS, everyMs: 10 }).catch(() => {})
    }
  }
  const times: Promise<number>[] = []
  while (performance.now() < end) {
    seq += 1
    const sentAt = Date.now()
    const begun = performance.now()
    await deliver(candidate(cameraId, seq, { change: { ocorrido_em: sentAt, confianca: 0.9 } }))
    const isIt = (evento: Evento) => Date.parse(evento.ocorrido_em) === sentAt && evento.veredito !== null
    times.push(
      waitFor('a verdict', () => lists.some((list) => list.some(isIt)), { timeoutMs: VERDICT_MS, everyMs: 20 })
        .then(() => performance.now() - begun)
        .catch(() => Number.POSITIVE_INFINITY),
    )
    await delay(EVENT_EVERY_MS)
  }
  return Promise.all(times)
}

async function timeRequests(url: string, token: string, end: number) {
  const times: number[] = []
  let failures = 0
  while (performance.now() < end) {
    const begun = performance.now()
    const headers = { authorization: `Bearer ${token}` }
    const status = await send(`${url}/api/v1/cameras`, { headers }).then(
      (answer) => answer.status,
      () => null,
    )
    times.push(performance.now() - begun)
    if (status !== 200) failures += 1
    await delay(ASK_EVERY_MS)
  }
  return { times, failures }
}

/** Repeatedly ends the connection of the edge. Returns the number of reconnections within their time. */
async function countConnections(link: EdgeLink, lengthMs: number): Promise<number> {
  let connected = 0
  for (let attempt = 0; attempt < CONNECTS; attempt += 1) {
    await delay(lengthMs / (CONNECTS + 1))
    const back = Promise.withResolvers<void>()
    const heard = { active: true }
    link.onConnection((connected) => {
      if (connected && heard.active) back.resolve()
    })
    link.reconnect()
    const tooLate = delay(CONNECT_MS).then(() => Promise.reject(new Error('not connected in time')))
    const isBack = await Promise.race([back.promise, tooLate]).then(
      () => true,
      () => false,
    )
    if (isBack) connected += 1
    heard.active = false
  }
  return connected
}
