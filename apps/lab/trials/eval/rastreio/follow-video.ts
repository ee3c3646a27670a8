import type { CameraPipeline } from '@vigia/analysis/camera-pipeline'
import { ANALYSED_FPS } from '@vigia/analysis/model'
import type { OnTracks } from '@vigia/analysis/model-stage'
import type { ObservedTrack } from '@vigia/ias/observation'
import { createStreamReader } from '@vigia/video/stream-reader'

/** The tracks that the rules received in one frame. */
export interface FollowedFrame {
  readonly streamMs: number
  readonly tracks: readonly ObservedTrack[]
}

/** Any day works, because without an Agenda it has no effect. */
export const BEGINNING = Date.UTC(2026, 0, 1)

/** Runs a camera's pipeline over the file up to `endS` and returns what its rules received, frame by frame. */
export async function followVideo(
  file: string,
  endS: number,
  createPipeline: (onTracks: OnTracks) => CameraPipeline,
): Promise<{ readonly frames: readonly FollowedFrame[]; readonly failure: string | null }> {
  const frames: FollowedFrame[] = []
  const pipeline = createPipeline((tracks, { streamMs }) => frames.push({ streamMs, tracks }))
  const stop = new AbortController()
  const end = await createStreamReader({ url: file, maxFps: ANALYSED_FPS }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        if (frame.timestampMs > endS * 1000) return stop.abort()
        await pipeline.frame(frame, { epochMs: BEGINNING + frame.timestampMs, streamMs: frame.timestampMs })
        await pipeline.idle()
      },
    },
    stop.signal,
  )
  await pipeline.close()
  return { frames, failure: typeof end === 'string' ? null : end.failure }
}
