import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AlertStream, openAlertStream } from '@vigia/testing/alert-stream'
import type { Api } from '@vigia/testing/api'
import { waitFor } from '@vigia/testing/wait'

/** Confirmed events as people and programs outside the cloud saw them. */
export interface WitnessReport {
  /** Alerts that the SSE client missed, and those that it got more than once. */
  readonly alertsMissed: number
  readonly alertsTwice: number
  readonly notificationsMissed: number
  /** Events that the receiver got more than once, and answers of the receiver that were lost on purpose. */
  readonly notificationsTwice: number
  readonly answersLost: number
}

export interface Witnesses {
  /** Waits until every one of these events was seen, or the time is over. */
  judge(eventIds: readonly number[]): Promise<WitnessReport>
  close(): Promise<void>
}

/** Every hundredth answer of the receiver is lost: the notification arrived, and the cloud does not know it. */
const LOST_ANSWER = 0.01
/** Time without a further alert or notification after which the missing ones count as missed. */
const SETTLE_MS = 180_000
const LONGEST_MS = 1_800_000

/** Opens an SSE client that reconnects like a browser, and a webhook receiver that answers 204. */
export async function startWitnesses(api: Api, random: () => number): Promise<Witnesses> {
  const received = new Map<number, number>()
  let answersLost = 0
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { evento } = JSON.parse(Buffer.concat(chunks).toString()) as { evento?: { id: number } }
    if (evento) received.set(evento.id, (received.get(evento.id) ?? 0) + 1)
    if (random() >= LOST_ANSWER) return response.writeHead(204).end()
    answersLost += 1
    return request.socket.destroy()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { port } = receiver.address() as AddressInfo
  const [empresa] = await api.get<{ id: number }[]>('/empresas')
  await api.call('POST', '/notificacoes', {
    empresa_id: empresa?.id,
    tipo: 'webhook',
    destino: `http://127.0.0.1:${port}/`,
    tipos_evento: [],
  })
  const stream: AlertStream = await openAlertStream(api)

  return {
    async judge(eventIds) {
      const seen = () => new Set(stream.alertas.map(({ id }) => id))
      let arrived = -1
      let arrivedAt = 0
      const isDone = () => {
        const ids = seen()
        if (eventIds.every((id) => ids.has(id) && received.has(id))) return true
        if (ids.size + received.size !== arrived) arrivedAt = performance.now()
        arrived = ids.size + received.size
        // The counts show what is missing.
        return performance.now() - arrivedAt > SETTLE_MS
      }
      await waitFor('every alert and notification', isDone, { timeoutMs: LONGEST_MS, everyMs: 200 })
      const ids = seen()
      const missed = eventIds.filter((id) => !ids.has(id))
      if (missed.length > 0)
        console.warn(`alerts not seen: ${missed.join(' ')}; last seen: ${stream.alertas.at(-1)?.id}`)
      return {
        alertsMissed: eventIds.filter((id) => !ids.has(id)).length,
        alertsTwice: stream.alertas.length - ids.size,
        notificationsMissed: eventIds.filter((id) => !received.has(id)).length,
        notificationsTwice: [...received.values()].filter((times) => times > 1).length,
        answersLost,
      }
    },
    async close() {
      stream.close()
      receiver.closeAllConnections()
      await new Promise<void>((resolve) => receiver.close(() => resolve()))
    },
  }
}
