import { RELATO_S, type Relato } from '@vigia/contracts/edge-state'
import type { Logger } from 'pino'

export interface Reporter {
  start(): void
  /** Reports a change soon, together with other changes in the same moment. */
  changed(): void
  stop(): void
}

export interface ReporterOptions {
  build(): Promise<Relato>
  /** Rejects without a connection. */
  publish(relato: Relato): Promise<void>
  isConnected(): boolean
  readonly log: Logger
  readonly periodMs?: number
  readonly settleMs?: number
}

/**
 * Sends a report every few seconds and soon after each change. A report that cannot be sent is dropped, because the
 * next one replaces it.
 */
export function createReporter(options: ReporterOptions): Reporter {
  const periodMs = options.periodMs ?? RELATO_S * 1000
  const settleMs = options.settleMs ?? 250
  let timer: NodeJS.Timeout | null = null
  let dueAt = Number.POSITIVE_INFINITY
  let stopped = true

  async function report() {
    timer = null
    dueAt = Number.POSITIVE_INFINITY
    plan(periodMs)
    if (!options.isConnected()) return
    try {
      await options.publish(await options.build())
    } catch (error) {
      options.log.debug({ err: error }, 'report not sent')
    }
  }

  function plan(inMs: number) {
    const at = performance.now() + inMs
    if (stopped || at >= dueAt) return
    if (timer) clearTimeout(timer)
    dueAt = at
    timer = setTimeout(() => void report(), inMs)
  }

  return {
    start() {
      stopped = false
      plan(0)
    },
    changed: () => plan(settleMs),
    stop() {
      stopped = true
      if (timer) clearTimeout(timer)
    },
  }
}
