import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Faults of a receiver. `pause`: 429 with Retry-After. `open`: a whole answer on a connection that the receiver never
 * closes. `mute`: no answer.
 */
export const faults = ['slow', 'busy', 'pause', 'error', 'redirect', 'mute', 'open'] as const
export type Fault = (typeof faults)[number]

export const SLOW_MS = 200
export const PAUSE_S = 1_800

const statuses = { busy: 429, pause: 429, error: 500, redirect: 307 } as const

/** Answers in place of an HTTP receiver while it has a fault. */
export interface HttpGate {
  fault: Fault | null
  /** Target of redirects. */
  location: string
  /** @returns whether the answer is given */
  take(response: ServerResponse): Promise<boolean>
}

/** @param bodyOf body of an error, as the service writes it */
export function createHttpGate(bodyOf: (status: number) => object = () => ({})): HttpGate {
  const gate: HttpGate = {
    fault: null,
    location: '',
    async take(response) {
      const { fault } = gate
      if (fault === 'open') response.shouldKeepAlive = true
      if (fault === 'slow') await delay(SLOW_MS)
      if (fault === null || fault === 'open' || fault === 'slow') return false
      if (fault === 'mute') return true
      const status = statuses[fault]
      const headers = {
        'content-type': 'application/json',
        ...(fault === 'pause' && { 'retry-after': String(PAUSE_S) }),
        ...(fault === 'redirect' && { location: gate.location }),
      }
      response.writeHead(status, headers).end(JSON.stringify(bodyOf(status)))
      return true
    },
  }
  return gate
}
