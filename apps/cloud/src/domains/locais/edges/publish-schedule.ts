import { backoffMs } from '@vigia/runtime/backoff'
import type { Logger } from '../../../http/request-log.ts'

interface ScheduleDeps {
  readonly link: { readonly connected: boolean }
  readonly publish: (edgeId: number) => Promise<void>
  readonly log: Logger
}

/** Changes within this time are combined into one message. */
const COALESCE_MS = 50
/** Backoff of one edge after consecutive failures. */
const RETRY = { minMs: 2_000, maxMs: 60_000 }
/** Concurrent publications; each holds a whole message in memory, up to 6 MiB. */
const PARALLEL = 8

/** Pending or running publication of one edge. */
interface Task {
  isRunning: boolean
  /** The state changed during the publication. */
  isDue: boolean
  failures: number
  timer: NodeJS.Timeout | undefined
}

/** When the desired state of each edge is published. A failing edge backs off without delaying others. */
export function createPublishSchedule({ link, publish, log }: ScheduleDeps) {
  const tasks = new Map<number, Task>()
  /** Edges that are due, longest wait first. */
  const queue = new Set<number>()
  const running = new Set<Promise<void>>()
  let stopped = false

  const taskOf = (edgeId: number): Task => {
    const known = tasks.get(edgeId)
    if (known) return known
    const task: Task = { isRunning: false, isDue: false, failures: 0, timer: undefined }
    tasks.set(edgeId, task)
    return task
  }

  const schedule = (edgeId: number, ms: number) => {
    const task = taskOf(edgeId)
    task.isDue = true
    if (stopped || task.isRunning || task.timer) return
    task.timer = setTimeout(() => {
      task.timer = undefined
      queue.add(edgeId)
      startNext()
    }, ms).unref()
  }

  const startNext = () => {
    for (const edgeId of queue) {
      // Edges that remain in the queue are published when the link connects.
      if (stopped || !link.connected || running.size >= PARALLEL) return
      queue.delete(edgeId)
      const run = work(edgeId).finally(() => {
        running.delete(run)
        startNext()
      })
      running.add(run)
    }
  }

  const work = async (edgeId: number) => {
    const task = taskOf(edgeId)
    task.isRunning = true
    task.isDue = false
    let waitMs = COALESCE_MS
    try {
      await publish(edgeId)
      task.failures = 0
    } catch (err) {
      waitMs = backoffMs(task.failures, RETRY)
      task.failures += 1
      task.isDue = true
      log.warn({ err, edge_id: edgeId, falhas: task.failures }, 'desired state not published; retrying')
    }
    task.isRunning = false
    if (task.isDue) schedule(edgeId, waitMs)
    else tasks.delete(edgeId)
  }

  return {
    due: (edgeId: number) => schedule(edgeId, COALESCE_MS),
    /** Starts the publications of edges that became due without a link. */
    startNext,
    /** Waits for the running publications. */
    async stop(): Promise<void> {
      stopped = true
      for (const { timer } of tasks.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}
