import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Box } from '@vigia/vision/draw-boxes'
import type { Logger } from '../../http/request-log.ts'
import { createDecodingProcess } from '../decoding-process.ts'

export interface Drawing {
  readonly jpeg: Uint8Array
  readonly boxes: readonly Box[]
}

/** null: the picture is no readable JPEG. */
export interface Drawn {
  readonly drawn: Uint8Array | null
}

export interface BoxDrawer {
  /** A JPEG with the boxes drawn on it; the same picture, if that fails or takes longer than DRAW_MS. */
  draw(jpeg: Buffer, boxes: readonly Box[]): Promise<Buffer>
  stop(): Promise<void>
}

/** Time for one picture, with the start of the process. A message must leave within its own time limit. */
export const DRAW_MS = 5_000

const PROGRAM = fileURLToPath(new URL('draw-process.ts', import.meta.url))

interface BoxDrawerOptions {
  readonly log: Logger
  /** The program of the process; tests of the supervision set another one. */
  readonly program?: string
  readonly timeoutMs?: number
}

/** Draws in a child process, which runs while there are pictures to draw. */
export function createBoxDrawer({ log, program = PROGRAM, timeoutMs = DRAW_MS }: BoxDrawerOptions): BoxDrawer {
  const times = { timeoutMs, startMs: timeoutMs }
  const drawing = createDecodingProcess<Drawing, Drawn>({ log, name: 'picture', program, ...times })
  let pending = 0

  const ask = async (request: Drawing): Promise<Buffer | null> => {
    pending += 1
    try {
      const { drawn } = await drawing.ask(request)
      return drawn && Buffer.from(drawn)
    } catch {
      return null
    } finally {
      pending -= 1
      if (pending === 0) drawing.end()
    }
  }

  return {
    async draw(jpeg, boxes) {
      if (boxes.length === 0) return jpeg
      const late = new AbortController()
      const drawn = await Promise.race([
        ask({ jpeg, boxes }),
        delay(timeoutMs, null, { signal: late.signal }).catch(() => null),
      ])
      late.abort()
      return drawn ?? jpeg
    },
    stop: drawing.stop,
  }
}
