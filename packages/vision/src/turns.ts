export interface Turns {
  /**
   * Waits for the turn of `key` (a camera) and runs `work`. Resolves true when it was done, false when newer work of
   * the same key replaced it before its start. At most one work waits per key, keys take turns (round robin), and one
   * work runs at a time. Work that throws rejects only its own promise.
   */
  take(key: number, work: () => Promise<void>): Promise<boolean>
  /** Number of waiting works, at most one per key. */
  waiting(): number
}

interface Turn {
  readonly work: () => Promise<void>
  /** Settles the promise of `take`: true: done; false: replaced; or with the promise of the work. */
  readonly settle: (done: boolean | Promise<boolean>) => void
}

/**
 * Fair turns at a single resource, here the models of a process. Excess work is replaced, not queued: only the newest
 * frame of a camera is useful, and no camera waits longer than one round.
 */
export function createTurns(): Turns {
  /** Sorted in the order of turns: a replaced work keeps its position, a served key goes to the end. */
  const turns = new Map<number, Turn>()
  let busy = false

  async function serve(): Promise<void> {
    if (busy) return
    busy = true
    for (let next = first(); next; next = first()) {
      const done = perform(next.work)
      next.settle(done)
      await done.catch(() => undefined)
    }
    busy = false
  }

  function first(): Turn | undefined {
    const [entry] = turns
    if (entry) turns.delete(entry[0])
    return entry?.[1]
  }

  return {
    take(key, work) {
      turns.get(key)?.settle(false)
      const promise = new Promise<boolean>((settle) => turns.set(key, { work, settle }))
      void serve()
      return promise
    },
    waiting: () => turns.size,
  }
}

async function perform(work: () => Promise<void>): Promise<boolean> {
  await work()
  return true
}
