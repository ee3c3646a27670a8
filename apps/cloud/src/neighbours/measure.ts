import { setTimeout as delay } from 'node:timers/promises'
import type { Evento } from '@vigia/contracts/eventos'
import type { EdgeLink } from '@vigia/link/edge-link'
import { openAlertStream } from '@vigia/testing/alert-stream'
import { waitFor } from '@vigia/testing/wait'
import { send } from '../test/client.ts'
import { batch, candidate, type HeldRecord } from '../test/records.ts'
import { linkOf, type Stage } from './stage.ts'

/** Measurements of the honest Empresa during a phase; times in ms. */
export interface Measured {
  readonly verdictP50: number
  readonly verdictMax: number
  readonly apiP50: number
  readonly apiP95: number
  /** Number of requests with a status other than 200. */
  readonly apiFailures: number
  /** Number of successful connections of its edge within 10 s, of `CONNECTS`. */
  readonly connected: number
  readonly connectMax: number
}

const EVENT_EVERY_MS = 1_000
const ASK_EVERY_MS = 50
const VERDICT_MS = 60_000
const RESEND_MS = 2_000
export const CONNECTS = 5
const CONNECT_MS = 10_000

let seq = 0

/**
 * Measures for `lengthMs`: one evento a second until its verdict is on the alerta stream, `GET /cameras`, and
 * reconnections.
 */
export async function measure(
  { url, mqttPort, honest }: Pick<Stage, 'url' | 'mqttPort' | 'honest'>,
  lengthMs: number,
): Promise<Measured> {
  const api = { base: url, token: honest.admin.token } as Parameters<typeof openAlertStream>[0]
  const stream = await openAlertStream(api, { todos: true })
  const end = performance.now() + lengthMs
  const link = linkOf(honest, mqttPort)
  link.start()
  await waitFor('the edge to be connected', () => link.connected)
  const [verdicts, asked, connections] = await Promise.all([
    timeVerdicts(link, honest.cameraIds[0] ?? 0, [stream.alertas, stream.eventos], end),
    timeRequests(url, honest.admin.token, end),
    timeConnections(link, lengthMs),
  ])
  stream.close()
  await link.stop()
  return {
    verdictP50: quantile(verdicts, 0.5),
    verdictMax: quantile(verdicts, 1),
    apiP50: quantile(asked.times, 0.5),
    apiP95: quantile(asked.times, 0.95),
    apiFailures: asked.failures,
    connected: connections.length,
    connectMax: connections.length === 0 ? Number.NaN : quantile(connections, 1),
  }
}

async function timeVerdicts(link: EdgeLink, cameraId: number, lists: readonly (readonly Evento[])[], end: number) {
  const stored = new Set<string>()
  link.onConfirmations(({ itens }) => {
    for (const { id } of itens) stored.add(id)
  })
  /** Sends like an outbox: repeats until the cloud answers. */
  async function deliver({ id, registro, midias }: HeldRecord): Promise<void> {
    while (!stored.has(id)) {
      await link.publishBatch(batch([{ id, registro, midias }])).catch(() => {})
      await waitFor('the answer', () => stored.has(id), { timeoutMs: RESEND_MS, everyMs: 10 }).catch(() => {})
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
    const { status } = await send(`${url}/api/v1/cameras`, { headers: { authorization: `Bearer ${token}` } })
    times.push(performance.now() - begun)
    if (status !== 200) failures += 1
    await delay(ASK_EVERY_MS)
  }
  return { times, failures }
}

/** Repeatedly ends the connection of the edge. Returns the duration of each reconnection in ms. */
async function timeConnections(link: EdgeLink, lengthMs: number): Promise<number[]> {
  const times: number[] = []
  for (let attempt = 0; attempt < CONNECTS; attempt += 1) {
    await delay(lengthMs / (CONNECTS + 1))
    const begun = performance.now()
    const back = Promise.withResolvers<void>()
    const heard = { active: true }
    link.onConnection((connected) => {
      if (connected && heard.active) back.resolve()
    })
    link.reconnect()
    const tooLate = delay(CONNECT_MS).then(() => Promise.reject(new Error('not connected in time')))
    await Promise.race([back.promise, tooLate]).then(
      () => times.push(performance.now() - begun),
      () => {},
    )
    heard.active = false
  }
  return times
}

const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
