import type { Bus } from '../../../adapters/bus.ts'
import { createWorker } from '../../../db/work-queue/worker.ts'
import { type GateDeps, openGate } from './gate-kind.ts'

const AT_ONCE = 4
const LONGEST_WAIT_MS = 5_000

/** Sends the queued openings of gates. */
export function createGateWorker(deps: GateDeps & { readonly bus: Bus }) {
  const { db, clock, log, bus } = deps
  const worker = createWorker({
    ...{ db, clock, log, tipo: 'portao', atOnce: AT_ONCE, alone: true, longestWaitMs: LONGEST_WAIT_MS },
    handle: (claim, signal) => openGate(deps, claim, signal),
  })
  let unsubscribe = () => {}
  return {
    start() {
      unsubscribe = bus.subscribe(({ tipo }) => {
        if (tipo === 'alertas') worker.wake()
      })
      worker.start()
    },
    async stop() {
      unsubscribe()
      await worker.stop()
    },
  }
}
