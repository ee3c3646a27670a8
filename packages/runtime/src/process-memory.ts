import type { ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'

const KIB = 1024
/** oom_score_adj of children: the kernel ends one of them long before the main process. */
const CHILD_SCORE = 500

/** Resident memory of a process, in bytes; null: it has ended, or the system has no /proc. */
export function residentBytes(pid: number): number | null {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kib === undefined ? null : Number(kib) * KIB
  } catch {
    return null
  }
}

/** Memory that this process and its children may use: of the machine, or of their control group. */
export function availableMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(totalmem(), limit) : totalmem()
}

/** Has the kernel end this child before the main process when memory runs out. No effect without /proc. */
export function endFirst(pid: number | undefined): void {
  try {
    if (pid !== undefined) writeFileSync(`/proc/${pid}/oom_score_adj`, String(CHILD_SCORE))
  } catch {
    // Another system, or the child has ended. The limits of the supervisor apply in either case.
  }
}

export interface MemoryGuardOptions {
  readonly pid: number | undefined
  /** Read at each check. */
  maxBytes(): number
  readonly everyMs?: number
  /** Called at most once. */
  onAbove(bytes: number, maxBytes: number): void
}

const EVERY_MS = 1_000

/** Measures the memory of a child, since no control group is certain. Returns a function that stops it. */
export function guardMemory({ pid, maxBytes, everyMs = EVERY_MS, onAbove }: MemoryGuardOptions): () => void {
  if (pid === undefined) return () => {}
  const timer = setInterval(() => {
    const bytes = residentBytes(pid)
    const limit = maxBytes()
    if (bytes === null || bytes <= limit) return
    clearInterval(timer)
    onAbove(bytes, limit)
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Largest memory of a child that decodes one file or picture at a time, in bytes. */
export const DECODING_CHILD_BYTES = 1_024 * KIB * KIB

/** Kills a child above this memory, and has the kernel end it before the main process. */
export function boundChild(child: ChildProcess, maxBytes: number, onKilled: (bytes: number) => void): void {
  endFirst(child.pid)
  const stop = guardMemory({
    pid: child.pid,
    maxBytes: () => maxBytes,
    onAbove(bytes) {
      child.kill('SIGKILL')
      onKilled(bytes)
    },
  })
  child.once('exit', stop)
}
