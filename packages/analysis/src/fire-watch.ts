import type { Detection } from '@vigia/ias/detection'
import { areaOf, type Box, intersection } from '@vigia/ias/geometry'
import { objectsAround } from '@vigia/ias/tasks/objetos'
import type { VideoFrame } from '@vigia/video/stream-reader'
import { aroundFlame, createFireEvidence } from '@vigia/vision/fire-evidence'
import { createTracker } from '@vigia/vision/tracker'
import { createAnalysisSet } from './analyses.ts'
import { createCandidates } from './candidates.ts'
import { lookAt } from './look.ts'
import { createLookPictures } from './look-pictures.ts'
import { modelNames } from './model-names.ts'
import type { ModelWatch, ModelWatchOptions } from './model-watch.ts'

/** Width of the picture in which colour and restlessness are judged, pixels. */
const EVIDENCE_WIDTH = 160
/** Where something looks like a flame, or the model has just seen one, it looks this often … */
const SUSPICIOUS_MS = 400
/** … for this long after it last saw one … */
const SEEN_MS = 5_000
/** … and else this often: fire grows in seconds, and a far one is too small for the gate, so that motion decides nothing here. */
const QUIET_MS = 2_000
/** The analyses weigh the model's word with what the place looks like over time, so a doubtful one counts; less is noise. */
const DOUBTFUL = 0.2
const WEAK = 0.1
/** A place and a find that share this much of the smaller one are about the same flames. */
const COVERED = 0.3
/** A flame that is hidden by its own smoke for a moment is the same one. */
const KEEP_MS = 5_000

export interface FireWatch extends ModelWatch {
  /** Every frame, in order: colour and flicker are judged over all of them. */
  follow(frame: VideoFrame, time: { readonly epochMs: number; readonly streamMs: number }): Promise<void>
}

/** Flames and smoke: the model's looks, with what the pictures in between say of the place. `people`: where somebody is at a stream time. */
export function createFireWatch(options: ModelWatchOptions, people: (streamMs: number) => readonly Box[]): FireWatch {
  const { sight } = options
  const analyses = createAnalysisSet('fogo', options.watch, options.states)
  const candidates = createCandidates(options)
  const tracker = createTracker({ highConfidence: WEAK, lowConfidence: WEAK, keepMs: KEEP_MS })
  const evidence = createFireEvidence()
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let seenAtMs = Number.NEGATIVE_INFINITY

  return {
    watch: analyses.watch,

    async follow(frame, { epochMs, streamMs }) {
      if (!sight.model('fogo') || !analyses.armed(epochMs)) return
      const height = Math.max(1, Math.round((EVIDENCE_WIDTH * frame.height) / frame.width))
      evidence.update(await frame.toPacked('rgb', EVIDENCE_WIDTH, height), EVIDENCE_WIDTH, height, streamMs)
    },

    isDue(_, { epochMs, streamMs }) {
      if (!sight.model('fogo') || !analyses.armed(epochMs)) return false
      const sinceMs = streamMs - lookedAtMs
      if (sinceMs < SUSPICIOUS_MS || sinceMs >= QUIET_MS) return sinceMs >= QUIET_MS
      return streamMs - seenAtMs < SEEN_MS || evidence.restless().length > 0
    },

    async look({ frame, time, motion }, spare) {
      const { epochMs, streamMs } = time
      const model = sight.model('fogo')
      if (!model) return
      lookedAtMs = streamMs
      const places = evidence.restless()
      const regions = places.slice(0, spare).map(aroundFlame)
      const found = await lookAt(sight, 'fogo', frame, [null, ...regions], {
        minConfidence: WEAK,
        labels: analyses.labels(),
      })
      options.onFound?.('fogo', found)
      if (found.some(({ confianca }) => confianca >= DOUBTFUL)) seenAtMs = streamMs
      const tracks = tracker.update(together(found, places), streamMs).map((track) => ({
        ...track,
        motion: motion.overlap(track.box),
        evidence: {
          fogo: (isFire(track.rotulo) && evidence.of(track.rotulo, track.box)) || undefined,
          objetos: objectsAround(track.box, people(streamMs)),
        },
      }))
      const outcomes = analyses.update({ epochMs, streamMs, tracks, evidence: {} })
      const look = createLookPictures(frame, streamMs)
      await candidates.take(outcomes, { look, time, tracks, modelo: (ia) => modelNames(ia, sight) })
    },

    states: candidates.states,
  }
}

/**
 * What the model found, together with the places that are restless in the colours of a flame. Small flames are hardly anything to a network, which
 * finds them in one look and not in the next: such a place goes on with the weakest word that counts, and what else it takes to be
 * believed is for the analysis to say (rules, fire-score.ts). Of a place and a find about the same flames the place stays, which is where the
 * evidence is, with the word of the model.
 */
function together(found: readonly Detection[], places: readonly Box[]): Detection[] {
  const isAbout = (place: Box, one: Detection) => one.rotulo === 'fire' && isCovered(place, one)
  const held = places.map((place): Detection => {
    const about = found.filter((one) => isAbout(place, one))
    return { rotulo: 'fire', confianca: Math.max(WEAK, ...about.map(({ confianca }) => confianca)), ...place }
  })
  return [...found.filter((one) => !places.some((place) => isAbout(place, one))), ...held]
}

/** Whether one of the two lies in the other by enough to be about the same flames. */
const isCovered = (a: Box, b: Box): boolean => intersection(a, b) >= COVERED * Math.min(areaOf(a), areaOf(b))

const isFire = (label: string): label is 'fire' | 'smoke' => label === 'fire' || label === 'smoke'
