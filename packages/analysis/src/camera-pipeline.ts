import type { VideoFrame } from '@vigia/video/stream-reader'
import { createMotionGate } from '@vigia/vision/motion'
import type { Turns } from '@vigia/vision/turns'
import type { Watch } from './analyses.ts'
import { createFireWatch } from './fire-watch.ts'
import type { AnalysisStates, FrameTime, SavedState } from './model.ts'
import type { ModelWatch, ModelWatchOptions, Scene } from './model-watch.ts'
import { createObjectsWatch } from './objects-watch.ts'
import { createPictureWatch } from './picture-watch.ts'

export interface CameraPipeline {
  /**
   * Watches for something else from the next frame on. What is tracked, and every analysis whose own settings are the same, goes on.
   * @param states what an analysis that was not there before remembers from earlier
   */
  watch(watch: Watch, states: AnalysisStates): void
  /**
   * One frame, in order. Resolves when the gate has seen it and it is taken over for a look, if it is worth one: the camera's next frame
   * may come. Rejects with what went wrong in a look at an earlier one.
   */
  frame(frame: VideoFrame, time: FrameTime): Promise<void>
  /** Resolves when no frame waits and none is looked at; rejects as `frame` does. */
  idle(): Promise<void>
  /** What each analysis remembers, as of the last frame of which its events were handed over. */
  states(): readonly SavedState[]
  /** What was done since the last call: frames that came, looks, and looks that a newer frame took over before they began. */
  takeCounts(): Readonly<Counts>
  /** Nothing is looked at any more; resolves when the look under way is over. */
  close(): Promise<void>
}

interface Counts {
  frames: number
  looks: number
  replaced: number
}

export interface CameraPipelineOptions extends ModelWatchOptions {
  /** Shared by all cameras that share the models. */
  readonly turns: Turns
}

/** Width of the picture in which the gate looks for motion, pixels. */
const GATE_WIDTH = 160

/**
 * Gate → turn → look → tracker → analyses → candidates, for one camera. The gate sees every frame, also while another one of this camera
 * waits for its turn at the models or is looked at; only the newest frame that is worth a look waits. Knows no network and no clock.
 */
export function createCameraPipeline(options: CameraPipelineOptions): CameraPipeline {
  const { cameraId, turns } = options
  const gate = createMotionGate()
  const picture = createPictureWatch(options)
  const objects = createObjectsWatch(options)
  const fire = createFireWatch(options, objects.people)
  const models: readonly ModelWatch[] = [objects, fire]
  /** Looks that are due; they stay due when the frame that waits is replaced by a newer one. */
  const due = new Set<ModelWatch>()
  /** Looks at the frame under way that have not begun: until they have, a newer frame is no more worth one. */
  const ahead = new Set<ModelWatch>()
  const underWay = new Set<Promise<void>>()
  let counts: Counts = { frames: 0, looks: 0, replaced: 0 }
  let isEven = false
  let closed = false
  let fault: { readonly error: unknown } | null = null

  /** Enlarged looks that there is time for. When all cameras wait, every second look has one still: small, far people matter then, too. */
  function spare(): number {
    const waiting = turns.waiting()
    if (waiting === 0) return 2
    return waiting === 1 ? 1 : Number(isEven)
  }

  async function look(scene: Scene) {
    if (closed) return
    for (const model of due) ahead.add(model)
    due.clear()
    counts.looks++
    isEven = !isEven
    // What one model fails at, the other may see.
    for (const model of models) if (ahead.delete(model)) await model.look(scene, spare()).catch(failed)
  }

  /** For the next frame to say; the first one counts. */
  function failed(error: unknown) {
    fault ??= { error }
  }

  /** Keeps the frame until it was looked at, or a newer one took its place. */
  function enqueue(scene: Scene) {
    const held = scene.frame.retain()
    const done = turns
      .take(cameraId, () => look({ ...scene, frame: held.frame }))
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
    watch(watch, states) {
      for (const one of [picture, ...models]) one.watch(watch, states)
    },

    async frame(frame, time) {
      complain()
      if (closed) return
      counts.frames++
      const height = Math.max(1, Math.round((GATE_WIDTH * frame.height) / frame.width))
      const pixels = await frame.toPacked('gray', GATE_WIDTH, height)
      const motion = gate.update(pixels, GATE_WIDTH, height, time.streamMs)
      await picture.look(frame, { pixels, width: GATE_WIDTH, height }, time)
      await fire.follow(frame, time)
      for (const model of models) if (!ahead.has(model) && model.isDue(motion, time)) due.add(model)
      if (due.size > 0) enqueue({ frame, time, motion })
    },

    async idle() {
      await settle()
      complain()
    },

    states: () => [picture, ...models].flatMap((one) => one.states()),

    takeCounts() {
      const taken = counts
      counts = { frames: 0, looks: 0, replaced: 0 }
      return taken
    },

    async close() {
      closed = true
      await settle()
    },
  }
}
