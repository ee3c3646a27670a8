import { appendFileSync, writeFileSync } from 'node:fs'
import { createHeartbeat } from '@vigia/runtime/heartbeat'

/**
 * For tests of the supervision: a program with the fault of its first argument; `ok` has no fault. Only the first
 * process fails, unless the fault is `always-…`. The second argument is a file: the first process creates it, and each
 * finished step appends a line. The third argument is the duration of a blocking step in ms.
 */
const [fault = 'ok', marker = '', blockedMs = '0'] = process.argv.slice(2)
const LONGEST_STEP_MS = 600_000
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
function longBlock(): void {
  block(Number(blockedMs))
  appendFileSync(marker, 'step finished\n')
}
const heartbeat = createHeartbeat({
  onProblem: (error) => {
    throw error
  },
})
process.on('disconnect', () => process.exit())
process.on('SIGTERM', () => process.exit())

const isFirst = (() => {
  try {
    writeFileSync(marker, '', { flag: 'wx' })
    return true
  } catch {
    return false
  }
})()

if (fault.startsWith('always-refuses')) {
  process.stdout.write('{"level":30,"msg":"first line"}\n')
  process.stderr.write(
    fault === 'always-refuses' ? 'Falta um arquivo.\n1. Restaure-o.\n' : 'Error: x\n    at main (x.ts:1:1)\n',
  )
  process.exit(1)
}
if (isFirst && fault === 'long-step') await heartbeat.step('migração', LONGEST_STEP_MS, longBlock)
if (isFirst && fault === 'endless-step') await heartbeat.step('migração', 300, () => block(3_600_000))
await heartbeat.ready({
  porta: 1,
  check: isFirst && fault === 'dead-lock' ? () => new Promise<void>(() => {}) : async () => {},
})
if (isFirst && fault === 'long-step-later') await heartbeat.step('limpeza', LONGEST_STEP_MS, longBlock)
if (fault === 'always-loop' || (isFirst && fault === 'loop')) for (;;) block(0)
setInterval(() => {}, 1_000)
