import type { MovimentoPtz } from '@vigia/contracts/ptz'

/** Shares of the largest speed, each from -1 to 1: right, up, and in. */
export interface Velocity {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

export interface PtzMover {
  /** Moves at this velocity until `release`, or until another velocity is given. */
  hold(velocity: Velocity): void
  /** Stops the camera if it is held. */
  release(): void
}

/** Shorter than the timeout of a move (PTZ_MOVIMENTO_MS), so that the camera moves on without a pause. */
const REPEAT_MS = 1_000

const isEqual = (a: Velocity | null, b: Velocity | null): boolean =>
  a === b || (a !== null && b !== null && a.x === b.x && a.y === b.y && a.zoom === b.zoom)

/**
 * Repeats a move while it is held. One request is under way at a time, and the newest velocity follows it, so that no
 * requests queue. A failed request ends the move: the camera stops by itself.
 */
export function createPtzMover(send: (movimento: MovimentoPtz) => Promise<unknown>): PtzMover {
  let wanted: Velocity | null = null
  let sending = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function pump(): Promise<void> {
    clearTimeout(timer)
    sending = true
    const sent = wanted
    try {
      await send(sent === null ? { acao: 'parar' } : { acao: 'mover', ...sent })
    } catch {
      // The caller shows the failure.
      wanted = null
      return
    } finally {
      sending = false
    }
    if (!isEqual(sent, wanted)) return pump()
    if (wanted !== null) timer = setTimeout(pump, REPEAT_MS)
  }

  return {
    hold(velocity) {
      if (isEqual(velocity, wanted)) return
      wanted = velocity
      if (!sending) void pump()
    },
    release() {
      if (wanted === null) return
      wanted = null
      if (!sending) void pump()
    },
  }
}
