import type { ObservedTrack } from '@vigia/rules/observation'
import type { VideoFrame } from '@vigia/video/stream-reader'
import type { Detector } from '@vigia/vision/detector'
import { createMotionGate, type Motion } from '@vigia/vision/motion'
import type { Track } from '@vigia/vision/track-state'
import { createTracker } from '@vigia/vision/tracker'
import type { FrameTime } from '../capture/camera-session.ts'
import type { AnalysisStates, SavedState, SeenEvent } from '../capture/protocol.ts'
import { type ActiveAnalysis, createAnalysisSet, statesOf, type Watch } from './analyses.ts'
import { createEvent } from './event.ts'
import { fitPicture } from './fitted-picture.ts'
import { createLook, createSnapshots, type Look } from './snapshots.ts'

export interface CameraPipeline {
  /** Watches for something else from the next frame on; what the analyses remember goes with them. */
  watch(watch: Watch): void
  /** One frame, in order. Resolves when it is dealt with: until then `frame` must stay valid. */
  frame(frame: VideoFrame, time: FrameTime): Promise<void>
  /** What the analyses remember, as of the last frame whose events were all handed over. */
  states(): readonly SavedState[]
}

export interface CameraPipelineOptions {
  readonly cameraId: number
  readonly watch: Watch
  /** What the analyses remember from the process before. */
  readonly states: AnalysisStates
  /** null while the model is being loaded: frames then feed the motion gate only. */
  detector(): Detector | null
  /** Events of one analysis in one frame, with what it remembers after them: to be stored together or not at all. */
  onEvents(events: readonly SeenEvent[], state: unknown): void
}

/** Width of the picture in which the gate looks for motion, pixels. */
const GATE_WIDTH = 160
/** Who stands still is still looked for, but less often: the picture does not change. */
const STILL_MS = 500
/** Even when nothing moves the detector looks this often: someone who moves too slowly for the gate. */
const IDLE_MS = 10_000
/** Weaker detections only continue a track (second pass of the tracker). */
const WEAK = 0.15

interface Seen {
  readonly look: Look
  readonly time: FrameTime
  readonly modelo: string
}

/** Motion gate → detector → tracker → analyses → candidates, for one camera. Knows no network and no clock. */
export function createCameraPipeline(options: CameraPipelineOptions): CameraPipeline {
  const { cameraId } = options
  const gate = createMotionGate()
  const snapshots = createSnapshots()
  let analyses = createAnalysisSet(options.watch, options.states)
  let tracker = createTracker({ highConfidence: analyses.minConf, lowConfidence: WEAK })
  let tracks: readonly Track[] = []
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let next: Watch | null = null
  let settled: readonly SavedState[] = []

  const isDue = (motion: Motion, { epochMs, streamMs }: FrameTime) => {
    if (!analyses.active.some(({ analysis }) => analysis.armed(epochMs))) return false
    const sinceMs = streamMs - lookedAtMs
    return motion.active || sinceMs >= (tracks.length > 0 ? STILL_MS : IDLE_MS)
  }

  async function analyse({ analysis, calibracao }: ActiveAnalysis, observed: readonly ObservedTrack[], seen: Seen) {
    const { look, time, modelo } = seen
    const fired = analysis.update(observed, time.epochMs, time.streamMs)
    const telling = new Set([...analysis.promising(), ...fired.flatMap(({ trackIds }) => trackIds)])
    for (const { id, rotulo, confianca, box } of observed) {
      if (telling.has(id)) await snapshots.consider(id, { rotulo, confianca, ...box }, look)
    }
    if (fired.length === 0) return
    const about = { camera_id: cameraId, ocorrido_em: Math.round(time.epochMs), calibracao, modelo }
    const events = await Promise.all(fired.map((one) => createEvent(one, about, snapshots, look)))
    options.onEvents(events, analysis.state())
  }

  function begin(watch: Watch, states: AnalysisStates) {
    analyses = createAnalysisSet(watch, states)
    // Numbers of tracks begin anew together with the analyses that know them.
    tracker = createTracker({ highConfidence: analyses.minConf, lowConfidence: WEAK })
    tracks = []
    snapshots.keepOnly(new Set())
  }

  return {
    watch: (watch) => {
      next = watch
    },

    async frame(frame, time) {
      if (next) begin(next, statesOf(analyses))
      next = null
      const { streamMs } = time
      const height = Math.max(1, Math.round((GATE_WIDTH * frame.height) / frame.width))
      const gray = await frame.toPacked('gray', GATE_WIDTH, height)
      const motion = gate.update(gray, GATE_WIDTH, height, streamMs)
      const detector = options.detector()
      if (!detector || !isDue(motion, time)) return

      lookedAtMs = streamMs
      const picture = await fitPicture(frame, detector.input)
      const minConfidence = Math.min(WEAK, analyses.minConf)
      const found = await detector.detect(picture.packed, { minConfidence, labels: analyses.labels })
      tracks = tracker.update(
        found.flatMap((detection) => picture.toFrame(detection) ?? []),
        streamMs,
      )
      const observed = tracks.map((track) => ({ ...track, motion: motion.overlap(track.box) }))
      snapshots.keepOnly(new Set(tracks.map(({ id }) => id)))
      const seen = { look: createLook(frame, streamMs), time, modelo: detector.id }
      for (const active of analyses.active) await analyse(active, observed, seen)
      settled = analyses.active.map(({ analysis }) => ({ cameraId, ia: analysis.ia, state: analysis.state() }))
    },

    states: () => settled,
  }
}
