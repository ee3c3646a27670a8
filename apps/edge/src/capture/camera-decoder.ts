import type { Connection } from '@vigia/video/connection'
import { type ActivityMeter, createActivityMeter } from '@vigia/video/readers/activity'
import { createDecoderReader } from '@vigia/video/readers/decoder'
import type { CameraSessionOptions } from './session-options.ts'
import type { StatusTracker } from './stream-status.ts'
import { type Timeline, takenAt } from './timeline.ts'

/** The frames of one connection of a camera. */
export interface CameraDecoder {
  readonly activity: ActivityMeter
  /** Reads the connection, which waits for it. */
  attach(connection: Connection): void
  /** Monotonic ms; null: none yet. */
  readonly firstFrameAt: number | null
  /** Last sign that the connection is read, and its pictures are decoded (monotonic ms). */
  readonly lastSignAt: number
  /** Time since the last keyframe, or else since the first picture; null: no picture so far. */
  readonly keyframeAgeMs: number | null
}

interface CameraDecoderOptions
  extends Pick<CameraSessionOptions, 'maxFps' | 'mask' | 'recorder' | 'onFrame' | 'onChange'> {
  readonly tracker: StatusTracker
  readonly timeline: Timeline
  /** The stream is open. */
  onOpened(): void
}

export function createCameraDecoder(options: CameraDecoderOptions): CameraDecoder {
  const { tracker, timeline, maxFps, mask } = options
  const now = () => performance.now()
  let firstFrameAt: number | null = null
  let lastSignAt = now()
  const reader = createDecoderReader(
    {
      onInfo(info) {
        options.onOpened()
        lastSignAt = now()
        tracker.info(info)
        options.onChange()
      },
      async onFrame(frame) {
        const arrivedAt = now()
        lastSignAt = arrivedAt
        const { online, failure } = tracker.status()
        firstFrameAt ??= arrivedAt
        tracker.frame()
        if (!online || failure !== null) options.onChange()
        const streamMs = timeline.at(frame.timestampMs, arrivedAt)
        const epochMs = takenAt(streamMs, now(), Date.now())
        options.recorder?.frame(frame.timestampMs, epochMs)
        await options.onFrame(frame, { epochMs, streamMs })
      },
    },
    { maxFps, mask },
  )
  const activity = createActivityMeter()
  let reading: Connection | null = null
  return {
    activity,
    attach(connection) {
      reading = connection
      connection.attach(reader, { awaited: true })
      connection.attach(activity)
      // The connection is open before its first keyframe: other cameras of the recorder must not wait for that.
      const detach = connection.attach({
        packet() {},
        skipped() {
          detach()
          options.onOpened()
        },
      })
    },
    get firstFrameAt() {
      return firstFrameAt
    },
    get lastSignAt() {
      // Up to the first keyframe, and after damage, no picture is decoded.
      return Math.max(lastSignAt, reading?.seen?.pictureAt ?? 0)
    },
    get keyframeAgeMs() {
      const seen = reading?.seen ?? null
      return seen && now() - seen.keyframeAt
    },
  }
}
