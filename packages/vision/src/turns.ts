export interface Turns {
  /**
   * Waits for the turn of `key` (a camera) and does `work`. Resolves true when it was done, false when a newer one of the same key
   * took its place before it began. At most one waits per key, keys take turns (round robin), and one work runs at a time. A
   * work that throws rejects its own promise only.
   */
  take(key: number, work: () => Promise<void>): Promise<boolean>
  /** How many wait now: never more than there are keys. */
  waiting(): number
}

interface Place {
  readonly work: () => Promise<void>
  /** Ends the promise of `take`: done, replaced by a newer one, or with the promise of its work. */
  readonly settle: (done: boolean | Promise<boolean>) => void
}

/**
 * Fair turns at something of which there is one, here the models of a process. What is asked for faster than it can be done is
 * not queued but replaced: only the newest frame of a camera is worth looking at, and no camera waits longer than one round.
 */
export function createTurns(): Turns {
  /** In the order of their turns: a key that is replaced keeps its place, one that was served goes to the end. */
  const places = new Map<number, Place>()
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

  function first(): Place | undefined {
    const [entry] = places
    if (entry) places.delete(entry[0])
    return entry?.[1]
  }

  return {
    take(key, work) {
      places.get(key)?.settle(false)
      const promise = new Promise<boolean>((settle) => places.set(key, { work, settle }))
      void serve()
      return promise
    },
    waiting: () => places.size,
  }
}

async function perform(work: () => Promise<void>): Promise<boolean> {
  await work()
  return true
}
