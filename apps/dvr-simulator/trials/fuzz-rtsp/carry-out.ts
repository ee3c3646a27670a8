import { Worker } from 'node:worker_threads'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import type { FuzzFault, FuzzResult } from './run.ts'
import type { FromThread } from './thread.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Accepted growth of heap and buffers between the first tenth of the dialogues and the end. */
const MAX_GROWTH_BYTES = 8 * 1024 * 1024
/** Time without progress after which the thread counts as stuck in an endless loop. */
const STUCK_MS = 60_000
const MOST_SHOWN = 20

/** The dialogues run in a thread, so that this one detects an endless loop in the client. */
export async function carryOut(order: Options, { print, progress }: TrialOutput): Promise<Result> {
  const { dialogues, seed, first } = order
  const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData: order })
  let done = 0
  let doneAt = performance.now()
  const { promise, resolve, reject } = Promise.withResolvers<FuzzResult | null>()
  const watch = setInterval(() => {
    if (performance.now() - doneAt >= STUCK_MS) resolve(null)
  }, 1000)
  thread.on('message', (message: FromThread) => {
    doneAt = performance.now()
    if ('result' in message) return resolve(message.result)
    done = message.done
    progress(done / dialogues, `${done} of ${dialogues} dialogues`)
  })
  thread.on('error', (error) => reject(new Error('the thread crashed', { cause: error })))
  thread.on('exit', (code) => reject(new Error(`the thread ended with ${code}`)))
  const result = await promise.finally(async () => {
    clearInterval(watch)
    await thread.terminate()
  })
  if (result === null) {
    print(`HANG near dialogue ${first + done}: the thread does not come back`)
    print(`dialogues=${done} crashes=0 hangs=1 broken=0 leaks=0 seed=${seed}`)
    return { passed: false }
  }
  return judge(order, result, print)
}

function judge({ dialogues, seed }: Options, result: FuzzResult, print: TrialOutput['print']): Result {
  const { crashes, hangs, broken, units, growthBytes, peakBytes } = result
  const faults: [string, readonly FuzzFault[]][] = [
    ['CRASH', crashes],
    ['HANG', hangs],
    ['BROKEN', broken],
  ]
  for (const [kind, list] of faults)
    for (const { index, text } of list.slice(0, MOST_SHOWN)) print(`${kind} dialogue ${index}: ${text}`)
  const leaks = growthBytes > MAX_GROWTH_BYTES ? 1 : 0
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1)
  print(`units=${units} growth_mb=${megabytes(growthBytes)} peak_buffers_mb=${megabytes(peakBytes)}`)
  const counts = `crashes=${crashes.length} hangs=${hangs.length} broken=${broken.length} leaks=${leaks}`
  print(`dialogues=${dialogues} ${counts} seed=${seed}`)
  return {
    passed: crashes.length + hangs.length + broken.length + leaks === 0,
    rows: [...result.ends].sort(([, a], [, b]) => b - a).map(([end, count]) => ({ end, dialogues: count })),
    figures: { units, growthBytes, peakBytes },
  }
}
