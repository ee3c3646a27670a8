import { openEdgeDb } from '../db/edge-db.ts'
import { canBringBack, makeSpare, spareOf } from '../db/spare-db.ts'
import type { Intake } from './intake.ts'
import { createOutbox } from './store.ts'

export interface DiskMonitor {
  start(): void
  /** Moves events that wait for a failing disk into memory, for the next start of the program. */
  stop(): void
}

export interface DiskMonitorOptions {
  /** `edge.db` on the disk. */
  readonly file: string
  /** Whether the outbox is already in memory. */
  readonly inMemory: boolean
  readonly intake: Pick<Intake, 'stuckMs' | 'handOver'>
  /** The program must restart, which opens the outbox at its new location. `why`: Portuguese, for the log. */
  onMoved(why: string): void
  readonly checkEveryMs?: number
  /** Time during which the disk may fail before the outbox moves. */
  readonly timeoutMs?: number
  readonly memoryDir?: string
}

/**
 * When the disk fails for a long time, moves the outbox into memory together with the waiting events. From memory the
 * events are delivered even if the disk never recovers. Moves it back when the disk is writable again.
 */
export function createDiskMonitor(options: DiskMonitorOptions): DiskMonitor {
  const { file, intake, onMoved } = options
  const spare = spareOf(file, options.memoryDir)
  const timeoutMs = options.timeoutMs ?? 30_000
  let timer: NodeJS.Timeout | undefined

  function check(): void {
    if (options.inMemory) {
      if (canBringBack(file, spare)) onMoved('O disco da caixa voltou a gravar. O programa reinicia para usá-lo.')
    } else if (intake.stuckMs >= timeoutMs && makeSpare(file, spare)) {
      takeAlong()
      onMoved('O disco da caixa não grava. O programa reinicia e guarda os eventos na memória.')
    }
  }

  function takeAlong(): void {
    const opened = openEdgeDb(spare)
    if (!opened.ok) return
    const quota = { maxBytes: MEMORY_BYTES, reserveBytes: 0, freeBytes: () => null }
    try {
      intake.handOver(createOutbox(opened.db, { quota, inFlight: () => new Set() }))
    } finally {
      opened.db.close()
    }
  }

  return {
    start() {
      timer = setInterval(check, options.checkEveryMs ?? 10_000)
      timer.unref()
    },
    stop() {
      clearInterval(timer)
      if (!options.inMemory && intake.stuckMs > 0 && makeSpare(file, spare)) takeAlong()
    },
  }
}

/** Largest size of an outbox in memory. */
export const MEMORY_BYTES = 96 * 1024 * 1024
