import type { Logger } from 'pino'
import type { Outbox } from './outbox.ts'

/** Removes confirmed records. A removal that fails is retried, and the record is not sent meanwhile. */
export interface Releases {
  /** Ids that are confirmed and still in the outbox. */
  readonly pending: ReadonlySet<string>
  isPending(id: string): boolean
  release(ids: readonly string[]): void
  retry(): void
  stop(): void
}

const RETRY_MS = 5_000

export function createReleases({ outbox, log }: { outbox: Pick<Outbox, 'remove'>; log: Logger }): Releases {
  const pending = new Set<string>()
  let timer: NodeJS.Timeout | null = null
  let complained = false

  function retry() {
    if (timer) clearTimeout(timer)
    timer = null
    if (pending.size === 0) return
    try {
      outbox.remove([...pending])
      pending.clear()
      complained = false
    } catch (error) {
      if (!complained) log.error({ err: error }, 'confirmed records cannot be removed from the disk yet')
      complained = true
      timer = setTimeout(retry, RETRY_MS)
    }
  }

  return {
    pending,
    isPending: (id) => pending.has(id),
    release(ids) {
      for (const id of ids) pending.add(id)
      retry()
    },
    retry,
    stop() {
      if (timer) clearTimeout(timer)
    },
  }
}
