import { openEdgeDb } from '../db/edge-db.ts'
import { canBringBack, makeSpare, spareOf } from '../db/spare-db.ts'
import type { Intake } from './intake.ts'
import { createOutbox } from './store.ts'

export interface DiskWatch {
  start(): void
  /** What waits for a disk that refuses is taken into memory, for the next start of the program. */
  stop(): void
}

export interface DiskWatchOptions {
  /** `edge.db` on the disk. */
  readonly file: string
  /** The outbox lies in memory already. */
  readonly inMemory: boolean
  readonly intake: Pick<Intake, 'stuckMs' | 'handOver'>
  /** The program has to begin anew, which puts the outbox where it now belongs. `why`: Portuguese, for the log. */
  onMoved(why: string): void
  readonly lookMs?: number
  /** How long the disk may refuse before the outbox moves. */
  readonly patienceMs?: number
  readonly memoryDir?: string
}

/**
 * Moves the outbox into memory when the disk refuses for long, with all that waits in front of it: events kept for a disk that
 * never comes back would reach nobody. And back, when the disk can be written again.
 */
export function createDiskWatch(options: DiskWatchOptions): DiskWatch {
  const { file, intake, onMoved } = options
  const spare = spareOf(file, options.memoryDir)
  const patienceMs = options.patienceMs ?? 30_000
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    if (options.inMemory) {
      if (canBringBack(file, spare)) onMoved('O disco da caixa voltou a gravar. O programa reinicia para usá-lo.')
    } else if (intake.stuckMs >= patienceMs && makeSpare(file, spare)) {
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
      timer = setInterval(look, options.lookMs ?? 10_000)
      timer.unref()
    },
    stop() {
      clearInterval(timer)
      if (!options.inMemory && intake.stuckMs > 0 && makeSpare(file, spare)) takeAlong()
    },
  }
}

/** What an outbox in memory may hold. */
export const MEMORY_BYTES = 96 * 1024 * 1024
