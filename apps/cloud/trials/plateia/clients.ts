import { setTimeout as wait } from 'node:timers/promises'
import { openAlertStream } from '@vigia/testing/alert-stream'
import type { Api } from '@vigia/testing/api'
import { waitFor } from '@vigia/testing/wait'
import type { Page } from '../guard-page.ts'

/** A GET of the browser, below /api/v1, at a time in ms after the start of the recording. */
interface Recorded {
  readonly path: string
  readonly atMs: number
}

/** Requests of the page from now on, except endless streams. */
export function recordRequests(page: Page): { readonly requests: readonly Recorded[]; stop(): number } {
  const begun = performance.now()
  const requests: Recorded[] = []
  const onRequest = (request: { method(): string; url(): string }) => {
    const { pathname, search } = new URL(request.url())
    if (request.method() !== 'GET' || !pathname.startsWith('/api/v1/') || /sse|miniaturas/.test(pathname)) return
    requests.push({ path: `${pathname.slice('/api/v1'.length)}${search}`, atMs: performance.now() - begun })
  }
  page.on('request', onRequest)
  return {
    requests,
    stop() {
      page.off('request', onRequest)
      return performance.now() - begun
    },
  }
}

/** A client that follows the alert stream and repeats the recorded requests of a browser. */
export interface Client {
  /** Ids of the received alerts. */
  received(): ReadonlySet<number>
  readonly requests: () => number
  readonly failures: () => number
  stop(): Promise<void>
}

/** @param offset part of the recording at which this client starts, 0–1, so that clients do not act at once */
export async function startClient(
  api: Api,
  recorded: readonly Recorded[],
  lengthMs: number,
  offset: number,
): Promise<Client> {
  const stream = await openAlertStream(api)
  const ending = new AbortController()
  let requests = 0
  let failures = 0
  async function replay(): Promise<void> {
    for (let round = 0; !ending.signal.aborted; round += 1) {
      const from = round === 0 ? offset * lengthMs : 0
      let at = from
      for (const { path, atMs } of recorded.filter((one) => one.atMs >= from)) {
        await wait(atMs - at, undefined, { signal: ending.signal })
        at = atMs
        const response = await api.fetch(path)
        await response.arrayBuffer()
        requests += 1
        if (!response.ok) failures += 1
      }
      await wait(Math.max(1, lengthMs - at), undefined, { signal: ending.signal })
    }
  }
  const running = replay().catch((error: unknown) => {
    if (!ending.signal.aborted) throw error
  })
  return {
    received: () => new Set(stream.alertas.map(({ id }) => id)),
    requests: () => requests,
    failures: () => failures,
    async stop() {
      ending.abort()
      await running
      stream.close()
    },
  }
}

/** Alerts that a client has not received after a last wait. */
export async function missingAlerts(client: Client, ids: readonly number[]): Promise<number> {
  const missing = () => ids.filter((id) => !client.received().has(id)).length
  await waitFor('all alerts', () => missing() === 0, { timeoutMs: 10_000 }).catch(() => {})
  return missing()
}
