import type { Detection } from '@vigia/ias/detection'
import { areaOf, type Box, intersection } from '@vigia/ias/geometry'
import { objectsAround } from '@vigia/ias/tasks/objetos'
import type { VideoFrame } from '@vigia/video/stream-reader'
import { aroundFlame, createFireEvidence } from '@vigia/vision/fire-evidence'
import { createTracker } from '@vigia/vision/tracker'
import { createAnalysisSet } from './analyses.ts'
import { createCandidates } from './candidates.ts'
import { createFramePictures } from './frame-pictures.ts'
import { runInference } from './inference.ts'
import { modelNames } from './model-names.ts'
import type { ModelStage, StageOptions } from './model-stage.ts'

/** Width of the picture in which colour and flicker are measured, in pixels. */
const EVIDENCE_WIDTH = 160
/** Time between inferences while an area resembles a flame, or after a recent finding. */
const SUSPICIOUS_MS = 400
/** Time after a finding with the short interval. */
const SEEN_MS = 5_000
/**
 * Time between inferences without such an area or finding. Fire grows in seconds, and a distant fire is too small for
 * the motion gate.
 */
const QUIET_MS = 2_000
/**
 * Lowest confidence that shortens the interval. The analyses combine the confidence with evidence over time, so a low
 * confidence is enough.
 */
const DOUBTFUL = 0.2
const WEAK = 0.1
/** Shared part of the smaller box above which a flickering area and a detection show the same flames. */
const COVERED = 0.3
/** Life of a track without detections: smoke may hide its flame. */
const KEEP_MS = 5_000

export interface FireStage extends ModelStage {
  /** Called for every frame, in order: colour and flicker are measured over all frames. */
  follow(frame: VideoFrame, time: { readonly epochMs: number; readonly streamMs: number }): Promise<void>
}

/**
 * Stage for flames and smoke: inferences of the model, and evidence from the frames between inferences. `people`: boxes
 * of people at a stream time.
 */
export function createFireStage(options: StageOptions, people: (streamMs: number) => readonly Box[]): FireStage {
  const { sight } = options
  const analyses = createAnalysisSet('fogo', options.settings, options.states)
  const candidates = createCandidates(options)
  const tracker = createTracker({ highConfidence: WEAK, lowConfidence: WEAK, keepMs: KEEP_MS })
  const evidence = createFireEvidence()
  let ranAtMs = Number.NEGATIVE_INFINITY
  let seenAtMs = Number.NEGATIVE_INFINITY

  return {
    configure: analyses.configure,

    async follow(frame, { epochMs, streamMs }) {
      if (!sight.model('fogo') || !analyses.armed(epochMs)) return
      const height = Math.max(1, Math.round((EVIDENCE_WIDTH * frame.height) / frame.width))
      evidence.update(await frame.toPacked('rgb', EVIDENCE_WIDTH, height), EVIDENCE_WIDTH, height, streamMs)
    },

    isDue(_, { epochMs, streamMs }) {
      if (!sight.model('fogo') || !analyses.armed(epochMs)) return false
      const sinceMs = streamMs - ranAtMs
      if (sinceMs < SUSPICIOUS_MS || sinceMs >= QUIET_MS) return sinceMs >= QUIET_MS
      return streamMs - seenAtMs < SEEN_MS || evidence.restless().length > 0
    },

    async run({ frame, time, motion }, spare) {
      const { epochMs, streamMs } = time
      const model = sight.model('fogo')
      if (!model) return
      ranAtMs = streamMs
      const areas = evidence.restless()
      const regions = areas.slice(0, spare).map(aroundFlame)
      const found = await runInference(sight, 'fogo', frame, [null, ...regions], {
        minConfidence: WEAK,
        labels: analyses.labels(),
      })
      options.onFound?.('fogo', found)
      if (found.some(({ confianca }) => confianca >= DOUBTFUL)) seenAtMs = streamMs
      const tracks = tracker.update(together(found, areas), streamMs).map((track) => ({
        ...track,
        motion: motion.overlap(track.box),
        evidence: {
          fogo: (isFire(track.rotulo) && evidence.of(track.rotulo, track.box)) || undefined,
          objetos: objectsAround(track.box, people(streamMs)),
        },
      }))
      const outcomes = analyses.update({ epochMs, streamMs, tracks, evidence: {} })
      const pictures = createFramePictures(frame, streamMs)
      await candidates.take(outcomes, { pictures, time, tracks, modelo: (ia) => modelNames(ia, sight) })
    },

    principal: candidates.principal,
    states: candidates.states,
  }
}

/**
 * Detections of the model together with areas that flicker in the colours of a flame. A network often misses small
 * flames, so such an area continues with the lowest confidence (WEAK). The analysis decides on further evidence
 * (packages/ias, fire-score.ts). If an area and a detection show the same flames, the box of the area is kept, with the
 * confidence of the model.
 */
function together(found: readonly Detection[], areas: readonly Box[]): Detection[] {
  const isAbout = (area: Box, one: Detection) => one.rotulo === 'fire' && isCovered(area, one)
  const held = areas.map((area): Detection => {
    const about = found.filter((one) => isAbout(area, one))
    return { rotulo: 'fire', confianca: Math.max(WEAK, ...about.map(({ confianca }) => confianca)), ...area }
  })
  return [...found.filter((one) => !areas.some((area) => isAbout(area, one))), ...held]
}

/** Whether the two boxes share enough to show the same flames. */
const isCovered = (a: Box, b: Box): boolean => intersection(a, b) >= COVERED * Math.min(areaOf(a), areaOf(b))

const isFire = (label: string): label is 'fire' | 'smoke' => label === 'fire' || label === 'smoke'
