/**
 * Loaded by `--import` into a third-party program of the tests. Makes each of its timers of 0.5 s and more ten times as
 * long. The conformance suite reads a stream for 600 to 1,000 ms and judges what came; a busy machine is slower.
 */
const FROM_MS = 500
const FACTOR = 10

const wait = globalThis.setTimeout
globalThis.setTimeout = Object.assign(
  (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    wait(run, ms < FROM_MS ? ms : ms * FACTOR, ...args),
  wait,
) as typeof wait
