import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Fontes } from '@vigia/contracts/edge-state'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import type { ClientChoice, RtspClient } from '@vigia/video/client-choice'
import type { Mask } from '@vigia/video/mask'
import { createDecoderReader } from '@vigia/video/readers/decoder'
import type { VideoFrame } from '@vigia/video/stream-reader'
import type { Logger } from 'pino'
import type { FurtherStreams } from './further-streams.ts'

/** Takes single pictures of a camera's main stream, beside the analysed sub stream. */
export interface MainPictures {
  /**
   * Opens the main stream for one frame if that is due, and returns at once. No effect without a separate main stream,
   * and while another picture of this process is taken.
   * @param use must settle before the frame ends; `epochMs`: edge clock at its arrival
   */
  request(fontes: Fontes, use: (frame: VideoFrame, epochMs: number) => Promise<void>): void
  stop(): Promise<void>
}

export interface MainPicturesOptions {
  readonly cameraId: number
  readonly streams: FurtherStreams
  readonly rtspClient: RtspClient | ClientChoice
  /** Whether live streams of the camera have audio: they share a connection. */
  readonly audio: boolean
  /** Covers each frame; null: none. */
  readonly mask: Mask | null
  readonly log: Logger
  /** Shared by the cameras of a process: one picture is taken at a time. */
  readonly slot: { busy: boolean }
  /** Monotonic, in ms. */
  now?(): number
  /** Default: LONGEST_MS. */
  readonly longestMs?: number
}

/** Interval of the pictures of one camera: some recorders serve few connections at a time. */
const EVERY_MS = 30_000
/** Pause after a failure; doubles. */
const FAILED: BackoffLimits = { minMs: 60_000, maxMs: 3_600_000 }
/** From the request to the picture. It is one of an event, so that a keyframe of minutes later is of no use. */
const LONGEST_MS = 10_000
/** Pictures a second that are examined. */
const FPS = 5

export function createMainPictures(options: MainPicturesOptions): MainPictures {
  const { cameraId, log, slot } = options
  const now = options.now ?? (() => performance.now())
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let address = ''
  let nextAt = Number.NEGATIVE_INFINITY
  let failures = 0

  /**
   * Returns the failure; null: the picture was taken, or the time has passed without a failure of the stream. A stream
   * that was joined in the middle of a long group has failed: the next attempt would join it there again.
   */
  async function read(
    url: string,
    use: (frame: VideoFrame, epochMs: number) => Promise<void>,
  ): Promise<CameraFailure | null> {
    const taken = new AbortController()
    const signal = AbortSignal.any([
      taken.signal,
      stopping.signal,
      AbortSignal.timeout(options.longestMs ?? LONGEST_MS),
    ])
    let before: Arrival | null = null
    let hasSkipped = false
    const reader = createDecoderReader(
      {
        onInfo() {},
        async onFrame(frame) {
          const arrival = { timestampMs: frame.timestampMs, arrivedAt: now() }
          const isDue = before !== null && isLive(before, arrival) && !taken.signal.aborted
          before = arrival
          if (!isDue) return
          await use(frame, Date.now())
          taken.abort()
        },
      },
      { maxFps: FPS, mask: options.mask },
    )
    const end = await options.streams.read({
      url,
      client: options.rtspClient,
      audio: options.audio,
      use: 'request',
      signal,
      readers: [
        { reader, options: { awaited: true } },
        {
          reader: {
            packet() {},
            skipped() {
              hasSkipped = true
            },
          },
        },
      ],
    })
    if (typeof end !== 'string') return end.failure
    return hasSkipped && before === null && !stopping.signal.aborted ? 'sem_quadro_chave' : null
  }

  async function take(url: string, use: (frame: VideoFrame, epochMs: number) => Promise<void>): Promise<void> {
    try {
      const failure = await read(url, use)
      failures = failure === null ? 0 : failures + 1
      nextAt = now() + (failure === null ? EVERY_MS : backoffMs(failures - 1, FAILED))
      // Further logins with a refused password would lock out the analysed stream.
      if (failure === 'senha_recusada') nextAt = Number.POSITIVE_INFINITY
      if (failure !== null) log.debug({ camera: cameraId, motivo: failure }, 'no picture of the main stream')
    } catch (error) {
      nextAt = now() + FAILED.maxMs
      log.warn({ err: error, camera: cameraId }, 'no picture of the main stream')
    } finally {
      slot.busy = false
    }
  }

  return {
    request({ rtsp_url, sub_rtsp_url }, use) {
      if (sub_rtsp_url === null || sub_rtsp_url === rtsp_url || slot.busy || stopping.signal.aborted) return
      if (rtsp_url !== address) {
        address = rtsp_url
        nextAt = Number.NEGATIVE_INFINITY
        failures = 0
      }
      if (now() < nextAt) return
      slot.busy = true
      running = take(rtsp_url, use)
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

interface Arrival {
  readonly timestampMs: number
  readonly arrivedAt: number
}

/** Recorders begin with buffered frames, which arrive faster than their timestamps advance and show the past. */
const isLive = (before: Arrival, { timestampMs, arrivedAt }: Arrival): boolean =>
  arrivedAt - before.arrivedAt >= (timestampMs - before.timestampMs) / 2
