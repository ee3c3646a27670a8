import { createHeartbeat } from '../heartbeat.ts'

/** Test program: one long step at its start, then beats for one second, then a blocked event loop. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
const heartbeat = createHeartbeat({
  onProblem: (error) => {
    throw error
  },
})
await heartbeat.step('migração', 300_000, () => block(100))
await heartbeat.ready()
setTimeout(() => block(60_000), 1_000)
