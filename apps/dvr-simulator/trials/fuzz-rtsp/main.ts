import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type FuzzFault, runFuzz } from './run.ts'

/**
 * `npm run fuzz-rtsp -- [--dialogues 100000] [--seed 1] [--first 0]`: plays malformed dialogues to the RTSP client. The
 * exit status is 0 only if there was no crash, hang, violated guarantee or memory growth. The dialogues run in a
 * thread, so that the main thread detects an endless loop in the client.
 */
const { values } = parseArgs({
  options: {
    dialogues: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
  },
})
const dialogues = Number(values.dialogues)
const seed = Number(values.seed)
const first = Number(values.first)
if (![dialogues, seed, first].every(Number.isSafeInteger) || dialogues < 1 || first < 0) {
  console.error('whole numbers, at least one dialogue: npm run fuzz-rtsp -- --dialogues 100000 --seed 1')
  process.exit(2)
}
/** Accepted growth of heap and buffers between the first tenth of the dialogues and the end. */
const MAX_GROWTH_BYTES = 8 * 1024 * 1024
/** Time without progress after which the thread counts as stuck in an endless loop. */
const STUCK_MS = 60_000

if (isMainThread) await supervise()
else await work()

async function supervise(): Promise<void> {
  const startedAt = performance.now()
  const worker = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2), workerData: true })
  let done = 0
  let doneAt = performance.now()
  const stuck = setInterval(() => {
    if (performance.now() - doneAt < STUCK_MS) return
    console.log(`HANG near dialogue ${first + done}: the thread does not come back`)
    console.log(`dialogues=${done} crashes=0 hangs=1 broken=0 leaks=0 seed=${seed}`)
    process.exit(1)
  }, 1000)
  worker.on('message', (message: { done: number } | { ok: boolean; lines: string[] }) => {
    doneAt = performance.now()
    if ('done' in message) {
      done = message.done
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${dialogues} dialogues `)
      return
    }
    clearInterval(stuck)
    if (process.stderr.isTTY) process.stderr.write('\n')
    const last = message.lines.pop()
    for (const line of message.lines) console.log(line)
    console.log(`${last} seconds=${((performance.now() - startedAt) / 1000).toFixed(0)} seed=${seed}`)
    process.exitCode = message.ok ? 0 : 1
  })
  worker.on('error', (error) => {
    console.log(`CRASH of the thread: ${error.stack}`)
    process.exit(1)
  })
}

async function work(): Promise<void> {
  if (workerData !== true) return
  const onProgress = (done: number) => parentPort?.postMessage({ done })
  const result = await runFuzz({ dialogues, seed, first, onProgress })
  const faults: [string, readonly FuzzFault[]][] = [
    ['CRASH', result.crashes],
    ['HANG', result.hangs],
    ['BROKEN', result.broken],
  ]
  const lines: string[] = []
  for (const [kind, list] of faults)
    for (const { index, text } of list.slice(0, 20)) lines.push(`${kind} dialogue ${index}: ${text}`)
  for (const [end, count] of [...result.ends].sort(([, a], [, b]) => b - a)) lines.push(`${end}: ${count}`)
  const leaks = result.growthBytes > MAX_GROWTH_BYTES ? 1 : 0
  const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1)
  const { crashes, hangs, broken, units, growthBytes, peakBytes } = result
  lines.push(`units=${units} growth_mb=${megabytes(growthBytes)} peak_buffers_mb=${megabytes(peakBytes)}`)
  const counts = `crashes=${crashes.length} hangs=${hangs.length} broken=${broken.length} leaks=${leaks}`
  lines.push(`dialogues=${dialogues} ${counts}`)
  parentPort?.postMessage({ ok: crashes.length + hangs.length + broken.length + leaks === 0, lines })
}
