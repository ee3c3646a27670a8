import { setTimeout as delay } from 'node:timers/promises'
import type { FrameTime } from '@vigia/analysis/model'
import type { AudioRelatado } from '@vigia/contracts/audio'
import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Fontes } from '@vigia/contracts/edge-state'
import { type Connection, createConnection, type RtspClient } from '@vigia/video/connection'
import type { Mask } from '@vigia/video/mask'
import type { StreamParameters } from '@vigia/video/packet'
import type { PacketReader } from '@vigia/video/packet-reader'
import { type ActivityMeter, createActivityMeter } from '@vigia/video/readers/activity'
import { createDecoderReader } from '@vigia/video/readers/decoder'
import type { VideoFrame } from '@vigia/video/stream-reader'
import type { Logger } from 'pino'
import type { ClipRecorder } from './clip-recorder.ts'
import { type ConnectionPermits, hostOf } from './connection-permits.ts'
import type { StreamStatus } from './model.ts'
import { createRetryPolicy, type StreamChoice } from './retry-policy.ts'
import { createStatusTracker } from './stream-status.ts'
import { createTimeline, takenAt } from './timeline.ts'

export interface CameraSession {
  /** The stream that the session reads, or tries to read. */
  readonly choice: StreamChoice
  /**
   * Attaches a reader to each connection to this stream. `underWay`: as AttachOptions, for the current connection.
   * Returns a function that detaches it.
   */
  attach(choice: StreamChoice, reader: PacketReader, options: { readonly underWay: boolean }): () => void
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
  /** Requests the audio of the camera. */
  readonly audio: boolean
  readonly permits: ConnectionPermits
  /** Largest number of frames a second passed to `onFrame`. */
  readonly maxFps: number
  /** Covers each frame before `onFrame`; null: none. */
  readonly mask: Mask | null
  readonly log: Logger
  onFrame(frame: VideoFrame, time: FrameTime): Promise<void>
  /** Reads the packets of each connection beside the decoder. */
  readonly recorder?: Pick<ClipRecorder, 'reader' | 'frame'>
  /** Called when `status()` has changed. */
  onChange(): void
}

/** Addition to the reason of a camera without a connection, as a person reads it. */
const FULL = 'limite de conexões do gravador em uso'

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
  let choice: StreamChoice = fontes.sub_rtsp_url === null ? 'principal' : 'sub'
  let open: Connection | null = null
  /** A recorder may refuse the stream for its audio: after a failure without a picture the next attempt omits it. */
  let omitsAudio = false
  let audioStatus: AudioRelatado | null = null
  const attached = new Map<PacketReader, { readonly choice: StreamChoice; detach(): void }>()

  function attachTo(connection: Connection, reader: PacketReader, underWay: boolean): () => void {
    const onFault = (error: unknown) => log.error({ camera: cameraId, err: error }, 'live stream broke')
    return connection.attach(reader, { onFault, underWay })
  }

  async function readOnce(url: string, signal: AbortSignal): Promise<{ failure: CameraFailure; ranMs: number } | null> {
    const permit = await permits.acquire({
      ...{ host: hostOf(url), use: 'analysis', signal },
      onFull() {
        // A failure that earlier clouds know.
        tracker.failed('equipamento_ocupado', FULL)
        options.onChange()
      },
    })
    if (!permit) return null
    const audio = options.audio && !omitsAudio
    let firstFrameAt: number | null = null
    timeline.reconnect()
    tracker.reading(true)
    lastSignAt = now()
    options.onChange()
    try {
      const connection = createConnection({ url, client: options.rtspClient, audio })
      const decoder = createDecoderReader(
        {
          onInfo(info) {
            permit.opened()
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
        { maxFps: options.maxFps, mask: options.mask },
      )
      connection.attach(decoder, { pace: true })
      connection.attach({
        opened({ parameters }) {
          if (options.audio) audioStatus = audioStatusOf(parameters)
        },
        packet() {},
      })
      activity = createActivityMeter()
      connection.attach(activity)
      if (options.recorder) {
        const onFault = (error: unknown) => log.error({ camera: cameraId, err: error }, 'no clips of this connection')
        connection.attach(options.recorder.reader, { onFault })
      }
      for (const [reader, entry] of attached)
        if (entry.choice === choice) entry.detach = attachTo(connection, reader, false)
      open = connection
      const end = await connection.run(signal)
      if (end === 'aborted') return null
      const failure = end === 'end' ? 'fluxo_encerrado' : end.failure
      tracker.failed(failure, end === 'end' ? null : end.detail)
      return { failure, ranMs: firstFrameAt === null ? 0 : now() - firstFrameAt }
    } finally {
      omitsAudio = audio && firstFrameAt === null && !signal.aborted
      permit.release()
      activity = null
      open = null
      lastSignAt = null
      tracker.reading(false)
      options.onChange()
    }
  }

  /** Returns when the addresses change or the session stops. */
  async function readForEver({ rtsp_url, sub_rtsp_url }: Fontes, signal: AbortSignal): Promise<void> {
    const policy = createRetryPolicy(sub_rtsp_url !== null)
    while (!signal.aborted) {
      choice = policy.choice
      const stream = choice
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
    get choice() {
      return choice
    },
    attach(wanted, reader, { underWay }) {
      const entry = { choice: wanted, detach: () => {} }
      attached.set(reader, entry)
      if (open && wanted === choice) entry.detach = attachTo(open, reader, underWay)
      return () => {
        attached.delete(reader)
        entry.detach()
      }
    },
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
    status: () => ({ ...tracker.status(activity?.read()), ...(audioStatus && { audio: audioStatus }) }),
    silentMs: () => (lastSignAt === null ? 0 : now() - lastSignAt),
    async stop() {
      stopped = true
      current.abort()
      await running
    },
  }
}

const audioStatusOf = ({ audio, noAudio }: StreamParameters): AudioRelatado =>
  audio ? 'enviando' : noAudio === 'format' ? 'formato' : 'sem_audio'
