import { fileURLToPath } from 'node:url'
import { createStreamReader } from '@vigia/video/stream-reader'
import type { CameraPipeline } from '../camera-pipeline.ts'

/** Edge clock at the first frame of the footage, in epoch ms. */
export const BEGINNING = Date.UTC(2026, 10, 9, 15)

export interface Playback {
  /** Footage of the recorder simulator: people cross a campus. `principal` has twice the size of `sub`. */
  readonly stream?: 'principal' | 'sub'
  /** Range of the footage. */
  readonly fromMs?: number
  readonly toMs: number
  /** Before each frame. */
  beforeFrame?(atMs: number): void
  /** Called after the gate has processed the frame. The default waits for the end of the frame's inference. */
  afterFrame?(atMs: number): Promise<void>
}

/** Plays the footage into `pipeline`, five frames per second of footage, each after the previous one is processed. */
export async function playFootage(pipeline: Pick<CameraPipeline, 'frame' | 'idle'>, playback: Playback): Promise<void> {
  const { stream = 'sub', fromMs = 0, toMs, beforeFrame, afterFrame = () => pipeline.idle() } = playback
  const url = fileURLToPath(new URL(`../../../../apps/dvr-simulator/footage/campus-a-${stream}.mp4`, import.meta.url))
  const stop = new AbortController()
  await createStreamReader({ url, maxFps: 5 }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        const { timestampMs } = frame
        if (timestampMs > toMs) return stop.abort()
        if (timestampMs < fromMs) return
        beforeFrame?.(timestampMs)
        await pipeline.frame(frame, { epochMs: BEGINNING + timestampMs, streamMs: timestampMs })
        await afterFrame(timestampMs)
      },
    },
    stop.signal,
  )
}
