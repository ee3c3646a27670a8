import type { Frame } from 'node-av/lib'
import { createVideoFrame, type VideoFrame } from './frame.ts'
import type { Mask } from './mask.ts'

export interface Delivery {
  /**
   * Passes `frame` on. Without a mask its pixels are referenced, not copied. Returns false when the frame was dropped
   * because the handler is busy.
   */
  offer(frame: Frame, timestampMs: number): Promise<boolean>
  /** Waits for the current handler call. */
  settle(): Promise<void>
}

/**
 * Passes frames to a handler, one at a time. `queueless` (live): frames are dropped while the handler is busy, so that
 * memory and delay stay bounded. Otherwise (files) each offer waits for the handler and nothing is dropped.
 */
export function createDelivery(
  onFrame: (frame: VideoFrame) => Promise<void> | void,
  options: {
    readonly queueless: boolean
    /** Covers each frame; null: none. */
    readonly mask: Mask | null
    readonly onFault: (error: unknown) => void
  },
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
      const { mask } = options
      const own = mask ? await mask.cover(frame) : frame.clone()
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
