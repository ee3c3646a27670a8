import type { Detection } from '@vigia/ias/detection'
import type { VideoFrame } from '@vigia/video/stream-reader'
import { createMotionGate } from '@vigia/vision/motion'
import type { Turns } from '@vigia/vision/turns'
import type { AnalysisSettings } from './analyses.ts'
import { createFireStage } from './fire-stage.ts'
import type { AnalysisStates, FrameTime, SavedState } from './model.ts'
import type { ModelStage, Scene, StageOptions } from './model-stage.ts'
import { createObjectsStage } from './objects-stage.ts'
import { createPictureStage } from './picture-stage.ts'

export interface CameraPipeline {
  /**
   * Changes the settings from the next frame on. Tracks, and analyses with unchanged settings, continue.
   * @param states the stored states of added analyses
   */
  configure(settings: AnalysisSettings, states: AnalysisStates): void
  /**
   * Processes one frame; call it in the order of the frames. Resolves when the gate has processed it and a due
   * inference is queued: the next frame may follow. Rejects with the error of an earlier inference.
   */
  frame(frame: VideoFrame, time: FrameTime): Promise<void>
  /** Resolves when no inference waits or runs; rejects as `frame` does. */
  idle(): Promise<void>
  /** Delivers a picture of the object of an event from a frame of the main stream, if its track continues. */
  principal(ref: string, frame: VideoFrame, epochMs: number): Promise<void>
  /** State of each analysis after the last frame whose events were delivered. */
  states(): readonly SavedState[]
  /** Objects with a detection in the last inference, largest first; empty without a recent inference. */
  seen(streamMs: number): readonly Detection[]
  /** Whether the last frame had motion, or followed motion within the hold time of the gate. */
  moving(): boolean
  /** Counts since the last call: frames, inferences, and queued frames that a newer frame replaced. */
  takeCounts(): Readonly<Counts>
  /** Starts no further inference; resolves when the current one has ended. */
  close(): Promise<void>
}

interface Counts {
  frames: number
  inferences: number
  replaced: number
}

export interface CameraPipelineOptions extends StageOptions {
  /** One object for all cameras with the same models. */
  readonly turns: Turns
}

/** Width of the motion gate's picture, in pixels. */
const GATE_WIDTH = 160

/**
 * Gate → turn → inference → tracker → analyses → candidates, for one camera. The gate processes every frame, also while
 * another frame of this camera waits for its turn or is inferred. Only the newest frame with a due inference waits.
 * Uses no network and no clock.
 */
export function createCameraPipeline(options: CameraPipelineOptions): CameraPipeline {
  const { cameraId, turns } = options
  const gate = createMotionGate()
  const picture = createPictureStage(options)
  const objects = createObjectsStage(options)
  const fire = createFireStage(options, objects)
  const models: readonly ModelStage[] = [objects, fire]
  /** Stages that are due; they stay due when a newer frame replaces the waiting frame. */
  const due = new Set<ModelStage>()
  /** Stages that have not started with the current frame. A newer frame is not due for them until they start. */
  const ahead = new Set<ModelStage>()
  const underWay = new Set<Promise<void>>()
  let counts: Counts = { frames: 0, inferences: 0, replaced: 0 }
  let isEven = false
  let isMoving = false
  let closed = false
  let fault: { readonly error: unknown } | null = null

  /**
   * Number of enlarged regions that there is time for. Under full load every second inference still has one, for small
   * distant people.
   */
  function spare(): number {
    const waiting = turns.waiting()
    if (waiting === 0) return 2
    return waiting === 1 ? 1 : Number(isEven)
  }

  async function infer(scene: Scene) {
    if (closed) return
    for (const model of due) ahead.add(model)
    due.clear()
    counts.inferences++
    isEven = !isEven
    // A failure of one model does not stop the other.
    for (const model of models) if (ahead.delete(model)) await model.run(scene, spare()).catch(failed)
  }

  /** Keeps the first error for the next call of `frame`. */
  function failed(error: unknown) {
    fault ??= { error }
  }

  /** Retains the frame until its inference has ended or a newer frame replaces it. */
  function enqueue(scene: Scene) {
    const held = scene.frame.retain()
    const done = turns
      .take(cameraId, () => infer({ ...scene, frame: held.frame }))
      .then((taken) => {
        if (!taken) counts.replaced++
      }, failed)
      .then(held.release)
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }

  function complain() {
    if (!fault) return
    const { error } = fault
    fault = null
    throw error
  }

  async function settle() {
    while (underWay.size > 0) await Promise.all(underWay)
  }

  return {
    configure(settings, states) {
      for (const one of [picture, ...models]) one.configure(settings, states)
    },

    async frame(frame, time) {
      complain()
      if (closed) return
      counts.frames++
      const height = Math.max(1, Math.round((GATE_WIDTH * frame.height) / frame.width))
      const pixels = await frame.toPacked('gray', GATE_WIDTH, height)
      const motion = gate.update(pixels, GATE_WIDTH, height, time.streamMs)
      isMoving = motion.active
      await picture.run(frame, { pixels, width: GATE_WIDTH, height }, time)
      await objects.watch(frame, time)
      await fire.follow(frame, time)
      for (const model of models) if (model.isDue(motion, time) && !ahead.has(model)) due.add(model)
      if (due.size > 0) enqueue({ frame, time, motion })
    },

    async idle() {
      await settle()
      complain()
    },

    async principal(ref, frame, epochMs) {
      for (const model of models) {
        const found = await model.principal(ref, frame, epochMs)
        if (found) return options.onEvidence?.({ ref, cameraId, pictures: [found] })
      }
    },

    states: () => [picture, ...models].flatMap((one) => one.states()),

    seen: objects.seen,

    moving: () => isMoving,

    takeCounts() {
      const taken = counts
      counts = { frames: 0, inferences: 0, replaced: 0 }
      return taken
    },

    async close() {
      closed = true
      await settle()
      objects.finish()
    },
  }
}
