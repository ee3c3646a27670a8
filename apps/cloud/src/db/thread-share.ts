import { setImmediate } from 'node:timers'

/** Longest time of consecutive statements in one turn of the event loop, ms. */
const SHARE_MS = 8

/** Lets other work of the thread pass between the statements of one request. */
export interface ThreadShare {
  /** Waits for the next turn of the event loop if the statements of this turn took longer than their share. */
  pause(): Promise<void>
}

export function createThreadShare(shareMs = SHARE_MS): ThreadShare {
  let turnBegan: number | null = null
  return {
    async pause() {
      if (turnBegan === null) {
        turnBegan = performance.now()
        setImmediate(() => {
          turnBegan = null
        })
      } else if (performance.now() - turnBegan > shareMs) await new Promise<void>((resolve) => setImmediate(resolve))
    },
  }
}
