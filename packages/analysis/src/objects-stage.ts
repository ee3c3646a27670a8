import type { Detection } from '@vigia/ias/detection'
import { TRACK_SURE } from '@vigia/ias/evidence'
import { areaOf, type Box, clip } from '@vigia/ias/geometry'
import { nameVehicles, withMistakenVehicles } from '@vigia/vision/from-above'
import { createRegionPlanner } from '@vigia/vision/regions'
import type { Track } from '@vigia/vision/track-state'
import { createTracker } from '@vigia/vision/tracker'
import { createAnalysisSet } from './analyses.ts'
import { createCandidates } from './candidates.ts'
import { createDiscards } from './discards.ts'
import { createFramePictures } from './frame-pictures.ts'
import { runInference } from './inference.ts'
import { modelNames } from './model-names.ts'
import type { ModelStage, StageOptions } from './model-stage.ts'
import { createPersonInferences } from './person-inferences.ts'

/** Longest time between inferences with a track: without motion the picture does not change. */
const STILL_MS = 500
/** Longest time between inferences if all tracks rest (a parked car, a bag). */
const RESTING_MS = 2_000
const RESTS_AFTER_MS = 10_000
/** Longest time between inferences without tracks: people may move too slowly for the motion gate. */
const IDLE_MS = 10_000
/** Age up to which boxes of people are valid. */
const PLACE_MS = 3_000
/** Weaker detections only continue a track (second pass of the tracker). */
const WEAK = 0.15
export interface ObjectsStage extends ModelStage {
  /** Boxes of people; empty without a recent inference (closed Agenda, changed calibration). */
  people(streamMs: number): readonly Box[]
  /** Objects with a detection in the last inference, largest first; empty without a recent inference. */
  seen(streamMs: number): readonly Detection[]
  /** Delivers the discarded candidates of tracks that have not ended. */
  finish(): void
}

/** Tracks people, vehicles and objects, and inspects worn items on people. */
export function createObjectsStage(options: StageOptions): ObjectsStage {
  const { sight } = options
  const analyses = createAnalysisSet('objetos', options.settings, options.states)
  const candidates = createCandidates(options)
  const { cameraId, onDiscard } = options
  const discards = onDiscard && createDiscards({ cameraId, trilhaOf: candidates.trilhaOf, onDiscard })
  const tracker = createTracker({
    highConfidence: () => Math.min(TRACK_SURE, analyses.minConf()),
    lowConfidence: WEAK,
  })
  const planner = createRegionPlanner()
  const people = createPersonInferences(options, analyses)
  let tracks: readonly Track[] = []
  let ranAtMs = Number.NEGATIVE_INFINITY

  const longestWaitMs = () => {
    if (tracks.length === 0) return IDLE_MS
    return tracks.every(({ stillMs }) => stillMs >= RESTS_AFTER_MS) ? RESTING_MS : STILL_MS
  }

  return {
    configure: analyses.configure,

    isDue(motion, { epochMs, streamMs }) {
      if (!sight.model('objetos') || !analyses.armed(epochMs)) return false
      return motion.active || streamMs - ranAtMs >= longestWaitMs()
    },

    async run(scene, spare) {
      const { frame, time, motion } = scene
      const { epochMs, streamMs } = time
      const model = sight.model('objetos')
      if (!model) return
      ranAtMs = streamMs
      const regions = planner.plan({
        frame,
        input: model.input,
        motion: motion.regions,
        tracks,
        atMs: streamMs,
        budget: spare,
      })
      const minConfidence = Math.min(WEAK, analyses.minConf())
      const found = await runInference(sight, 'objetos', frame, [null, ...regions], {
        minConfidence,
        labels: withMistakenVehicles(analyses.labels()),
      })
      options.onFound?.('objetos', found)
      tracks = nameVehicles(tracker.update(found, streamMs, regions))
      const evidence = await people.run(scene, tracks, spare)
      const observed = tracks.map((track) => ({
        ...track,
        motion: motion.overlap(track.box),
        evidence: evidence.get(track.id) ?? {},
      }))
      const outcomes = analyses.update({ epochMs, streamMs, tracks: observed, evidence: {} })
      const pictures = createFramePictures(frame, streamMs)
      await candidates.take(outcomes, { pictures, time, tracks: observed, modelo: (ia) => modelNames(ia, sight) })
      await discards?.take(outcomes, { pictures, time, tracks })
    },

    seen: (streamMs) =>
      streamMs - ranAtMs > PLACE_MS
        ? []
        : tracks
            .filter(({ predicted }) => !predicted)
            .map(({ rotulo, confianca, box }) => ({ rotulo, confianca, ...clip(box) }))
            .sort((a, b) => areaOf(b) - areaOf(a)),

    people: (streamMs) =>
      streamMs - ranAtMs > PLACE_MS ? [] : tracks.filter(({ rotulo }) => rotulo === 'person').map(({ box }) => box),
    principal: candidates.principal,
    states: candidates.states,
    finish: () => discards?.finish(),
  }
}
