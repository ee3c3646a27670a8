import type { EdgeTime } from './edge-time.ts'

/** The connection of the sender, which begins when the time is known: records leave the edge with their right times. */
export interface TimedConnection {
  /** Called when the link goes up or down. */
  connection(up: boolean): void
  /** Called when the state of the time changes. */
  timeChanged(): void
  stop(): void
}

/** Longest delay: a cloud that never echoes must not hold back the events. */
const HOLD_MS = 30_000

export function createTimedConnection(
  sender: { connection(up: boolean): void },
  time: Pick<EdgeTime, 'state'>,
  holdMs = HOLD_MS,
): TimedConnection {
  let timer: NodeJS.Timeout | null = null

  function clear() {
    if (timer) clearTimeout(timer)
    timer = null
  }

  function open() {
    clear()
    sender.connection(true)
  }

  return {
    connection(up) {
      clear()
      const isOpen = up && time.state === 'conhecida'
      sender.connection(isOpen)
      if (up && !isOpen) timer = setTimeout(open, holdMs)
    },
    timeChanged() {
      if (timer && time.state === 'conhecida') open()
    },
    stop: clear,
  }
}
