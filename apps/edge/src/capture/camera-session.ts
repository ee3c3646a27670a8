import { setTimeout as delay } from 'node:timers/promises'
import type { FrameTime } from '@vigia/analysis/model'
import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Fontes } from '@vigia/contracts/edge-state'
import { createConnection, type RtspClient } from '@vigia/video/connection'
import { type ActivityMeter, createActivityMeter } from '@vigia/video/readers/activity'
import { createDecoderReader } from '@vigia/video/readers/decoder'
import type { VideoFrame } from '@vigia/video/stream-reader'
import type { Logger } from 'pino'
import { type ConnectionPermits, hostOf } from './connection-permits.ts'
import type { StreamStatus } from './model.ts'
import { createRetryPolicy } from './retry-policy.ts'
import { createStatusTracker } from './stream-status.ts'
import { createTimeline, takenAt } from './timeline.ts'

export interface CameraSession {
  /** Switches to other addresses; no effect when they are equal. */
  use(fontes: Fontes): void
  /** Closes the connection or ends the retry delay, and reconnects at once with the failure count at zero. */
  restart(): void
  status(): StreamStatus
  /** Time in ms since the last activity of native code; 0 while no native code runs. */
  silentMs(): number
  stop(): Promise<void>
}

export interface CameraSessionOptions {
  readonly cameraId: number
  readonly fontes: Fontes
  readonly lastFailure: CameraFailure | null
  readonly rtspClient: RtspClient
  readonly permits: ConnectionPermits
  /** Largest number of frames a second passed to `onFrame`. */
  readonly maxFps: number
  readonly log: Logger
  onFrame(frame: VideoFrame, time: FrameTime): Promise<void>
  /** Called when `status()` has changed. */
  onChange(): void
}

/** Reads one camera and reconnects until `stop`. */
export function createCameraSession(options: CameraSessionOptions): CameraSession {
  const { cameraId, log, permits } = options
  const now = () => performance.now()
  const tracker = createStatusTracker(cameraId, now, options.lastFailure)
  const timeline = createTimeline()
  let fontes = options.fontes
  let current = new AbortController()
  let stopped = false
  let lastSignAt: number | null = null
  /** Of the current connection; null: none. */
  let activity: ActivityMeter | null = null

  async function readOnce(url: string, signal: AbortSignal): Promise<{ failure: CameraFailure; ranMs: number } | null> {
    const release = await permits.acquire(hostOf(url), signal)
    if (!release) return null
    let firstFrameAt: number | null = null
    timeline.reconnect()
    tracker.reading(true)
    lastSignAt = now()
    options.onChange()
    try {
      const connection = createConnection({ url, client: options.rtspClient })
      const decoder = createDecoderReader(
        {
          onInfo(info) {
            release()
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
            await options.onFrame(frame, { epochMs: takenAt(streamMs, now(), Date.now()), streamMs })
          },
        },
        { maxFps: options.maxFps },
      )
      connection.attach(decoder, { pace: true })
      activity = createActivityMeter()
      connection.attach(activity)
      const end = await connection.run(signal)
      if (end === 'aborted') return null
      const failure = end === 'end' ? 'fluxo_encerrado' : end.failure
      tracker.failed(failure, end === 'end' ? null : end.detail)
      return { failure, ranMs: firstFrameAt === null ? 0 : now() - firstFrameAt }
    } finally {
      release()
      activity = null
      lastSignAt = null
      tracker.reading(false)
      options.onChange()
    }
  }

  /** Returns when the addresses change or the session stops. */
  async function readForEver({ rtsp_url, sub_rtsp_url }: Fontes, signal: AbortSignal): Promise<void> {
    const policy = createRetryPolicy(sub_rtsp_url !== null)
    while (!signal.aborted) {
      const stream = policy.choice
      const url = stream === 'sub' ? (sub_rtsp_url ?? rtsp_url) : rtsp_url
      const end = await readOnce(url, signal).catch((error: unknown) => {
        // A defect of this software at one camera must not stop the others, so it is retried like any failure.
        log.error({ camera: cameraId, err: error }, 'capture failed')
        tracker.failed('erro_desconhecido', null)
        return { failure: 'erro_desconhecido' as const, ranMs: 0 }
      })
      if (!end) return
      const waitMs = policy.failed(end.failure, end.ranMs)
      log.warn({ camera: cameraId, fluxo: stream, motivo: end.failure, esperaMs: waitMs }, 'stream ended')
      await delay(waitMs, undefined, { signal }).catch(() => {})
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      current = new AbortController()
      await readForEver(fontes, current.signal)
    }
  }

  const running = run()

  return {
    use(next) {
      if (next.rtsp_url === fontes.rtsp_url && next.sub_rtsp_url === fontes.sub_rtsp_url) return
      fontes = next
      tracker.restart()
      current.abort()
      options.onChange()
    },
    restart() {
      // The time of the last frame stays: an online camera remains online between two connections.
      tracker.failed('conectando', null)
      current.abort()
      options.onChange()
    },
    status: () => tracker.status(activity?.read()),
    silentMs: () => (lastSignAt === null ? 0 : now() - lastSignAt),
    async stop() {
      stopped = true
      current.abort()
      await running
    },
  }
}
