import { setTimeout as delay } from 'node:timers/promises'

/** Whether a load balancer may send requests to this process. */
export interface Readiness {
  readonly isDraining: boolean
  /** Ends the readiness, and resolves after the time in which a load balancer finds the other processes. */
  drain(ms: number): Promise<void>
}

export function createReadiness(): Readiness {
  let isDraining = false
  return {
    get isDraining() {
      return isDraining
    },
    async drain(ms) {
      if (isDraining) return
      isDraining = true
      await delay(ms)
    },
  }
}
