import type { Frame } from 'node-av/lib'
import { createVideoFrame, type VideoFrame } from './frame.ts'

export interface Delivery {
  /** Hands `frame` on (its pixels are referenced, not copied). False: the handler is still at work and it was dropped. */
  offer(frame: Frame, timestampMs: number): Promise<boolean>
  /** Waits for the handler at work. */
  settle(): Promise<void>
}

/**
 * Passes frames to a handler, one at a time. `queueless` (live): while the handler works, frames are dropped, so memory and delay
 * stay bounded whatever the handler does. Otherwise (files) each offer waits for the handler and nothing is dropped.
 */
export function createDelivery(
  onFrame: (frame: VideoFrame) => Promise<void> | void,
  options: { readonly queueless: boolean; readonly onFault: (error: unknown) => void },
): Delivery {
  let running: Promise<void> | null = null
  let faulty = false

  const run = async (frame: Frame, timestampMs: number) => {
    const video = createVideoFrame(frame, timestampMs)
    try {
      await onFrame(video.frame)
    } catch (error) {
      faulty = true
      options.onFault(error)
    } finally {
      await video.release()
      running = null
    }
  }

  return {
    async offer(frame, timestampMs) {
      if (running !== null || faulty) return false
      const own = frame.clone()
      if (own === null) return false
      running = run(own, timestampMs)
      if (!options.queueless) await running
      return true
    },
    async settle() {
      await running
    },
  }
}
