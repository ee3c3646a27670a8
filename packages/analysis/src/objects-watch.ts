import type { Box } from '@vigia/ias/geometry'
import { nameVehicles, withMistakenVehicles } from '@vigia/vision/from-above'
import { createRegionPlanner } from '@vigia/vision/regions'
import type { Track } from '@vigia/vision/track-state'
import { createTracker } from '@vigia/vision/tracker'
import { createAnalysisSet } from './analyses.ts'
import { createCandidates } from './candidates.ts'
import { lookAt } from './look.ts'
import { createLookPictures } from './look-pictures.ts'
import { modelNames } from './model-names.ts'
import type { ModelWatch, ModelWatchOptions } from './model-watch.ts'
import { createPersonLooks } from './person-looks.ts'

/** Who stands still is still looked for, but less often: the picture does not change. */
const STILL_MS = 500
/** Things that have stood for long (a parked car, a bag) are only made sure of. */
const RESTING_MS = 2_000
const RESTS_AFTER_MS = 10_000
/** Even when nothing moves the detector looks this often: someone who moves too slowly for the gate. */
const IDLE_MS = 10_000
/** Where somebody was longer ago than this says nothing of where he is. */
const PLACE_MS = 3_000
/** Weaker detections only continue a track (second pass of the tracker). */
const WEAK = 0.15
/** Above this a detection begins a track whatever the calibration asks: who is seen well should be followed from the first sighting on. */
const PERSON_SURE = 0.4
export interface ObjectsWatch extends ModelWatch {
  /** Where people are; empty where nobody has looked for them lately (the Agenda, a changed calibration). */
  people(streamMs: number): readonly Box[]
}

/** People, vehicles and things, tracked; and what people wear, looked at closely. */
export function createObjectsWatch(options: ModelWatchOptions): ObjectsWatch {
  const { sight } = options
  const analyses = createAnalysisSet('objetos', options.watch, options.states)
  const candidates = createCandidates(options)
  const tracker = createTracker({
    highConfidence: () => Math.min(PERSON_SURE, analyses.minConf()),
    lowConfidence: WEAK,
  })
  const planner = createRegionPlanner()
  const people = createPersonLooks(options, analyses)
  let tracks: readonly Track[] = []
  let lookedAtMs = Number.NEGATIVE_INFINITY

  const patience = () => {
    if (tracks.length === 0) return IDLE_MS
    return tracks.every(({ stillMs }) => stillMs >= RESTS_AFTER_MS) ? RESTING_MS : STILL_MS
  }

  return {
    watch: analyses.watch,

    isDue(motion, { epochMs, streamMs }) {
      if (!sight.model('objetos') || !analyses.armed(epochMs)) return false
      return motion.active || streamMs - lookedAtMs >= patience()
    },

    async look(scene, spare) {
      const { frame, time, motion } = scene
      const { epochMs, streamMs } = time
      const model = sight.model('objetos')
      if (!model) return
      lookedAtMs = streamMs
      const regions = planner.plan({
        frame,
        input: model.input,
        motion: motion.regions,
        tracks,
        atMs: streamMs,
        budget: spare,
      })
      const minConfidence = Math.min(WEAK, analyses.minConf())
      const found = await lookAt(sight, 'objetos', frame, [null, ...regions], {
        minConfidence,
        labels: withMistakenVehicles(analyses.labels()),
      })
      options.onFound?.('objetos', found)
      tracks = nameVehicles(tracker.update(found, streamMs, regions))
      const evidence = await people.look(scene, tracks, spare)
      const observed = tracks.map((track) => ({
        ...track,
        motion: motion.overlap(track.box),
        evidence: evidence.get(track.id) ?? {},
      }))
      const outcomes = analyses.update({ epochMs, streamMs, tracks: observed, evidence: {} })
      const look = createLookPictures(frame, streamMs)
      await candidates.take(outcomes, { look, time, tracks: observed, modelo: (ia) => modelNames(ia, sight) })
    },

    people: (streamMs) =>
      streamMs - lookedAtMs > PLACE_MS ? [] : tracks.filter(({ rotulo }) => rotulo === 'person').map(({ box }) => box),
    states: candidates.states,
  }
}
