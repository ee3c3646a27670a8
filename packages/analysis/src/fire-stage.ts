import type { Detection } from '@vigia/ias/detection'
import { fireScore } from '@vigia/ias/fire-score'
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
import type { ObjectsStage } from './objects-stage.ts'
import { createProposalRatings } from './proposal-ratings.ts'

/** Width of the picture in which colour and flicker are measured, in pixels. */
const EVIDENCE_WIDTH = 160
/** Time between inferences while an area resembles a flame, or after a recent finding. */
const SUSPICIOUS_MS = 400
/** Time after a finding with the short interval. */
const SEEN_MS = 5_000
/** Time between inferences without such an area or finding while something moves. Fire grows in seconds. */
const QUIET_MS = 2_000
/** For this time after the last motion the scene is not still. */
const STILL_AFTER_MS = 10_000
/** Time between inferences on a still scene. A flame that is too small for the motion gate flickers. */
const LONGEST_MS = 60_000
/**
 * Lowest confidence, and lowest score with the evidence over time, of a doubtful finding. It shortens the interval. A
 * grey wall at rest has a confidence of 0.3 all day; its score is below 0.05.
 */
const DOUBTFUL = { confidence: 0.5, score: 0.1 } as const
/** Lowest confidence of a detection: the analyses combine it with evidence over time. */
const WEAK = 0.1
/** Shared part of the smaller box above which a flickering area and a detection show the same flames. */
const COVERED = 0.3
/** Quarters of the frame: a far flame of few pixels is twice as wide in the model's picture. */
const TILES: readonly Box[] = [0, 0.5].flatMap((y) => [0, 0.5].map((x) => ({ x, y, w: 0.5, h: 0.5 })))
/** Time between inferences of a quarter while a doubtful finding lasts. */
const TILE_MS = 2_000
/** Life of a track without detections: smoke may hide its flame. */
const KEEP_MS = 5_000

export interface FireStage extends ModelStage {
  /** Called for every frame, in order: colour and flicker are measured over all frames. */
  follow(frame: VideoFrame, time: { readonly epochMs: number; readonly streamMs: number }): Promise<void>
}

/** Stage for flames and smoke: inferences of the model, and evidence from the frames between inferences. */
export function createFireStage(options: StageOptions, objects: Pick<ObjectsStage, 'people' | 'vehicles'>): FireStage {
  const { runner } = options
  const analyses = createAnalysisSet('fogo', options.settings, options.states)
  const candidates = createCandidates(options)
  const tracker = createTracker({ highConfidence: WEAK, lowConfidence: WEAK, keepMs: KEEP_MS })
  const evidence = createFireEvidence()
  const rate = createProposalRatings(runner, 'fogo')
  let ranAtMs = Number.NEGATIVE_INFINITY
  let seenAtMs = Number.NEGATIVE_INFINITY
  /** null before the first frame, which counts as motion. */
  let movedAtMs: number | null = null
  let tiledAtMs = Number.NEGATIVE_INFINITY
  let tile = 0

  /** Enlarged regions of an inference: where it flickers, and after a doubtful finding the next quarter. */
  function regions(areas: readonly Box[], streamMs: number, spare: number): Box[] {
    const near = areas.slice(0, spare).map(aroundFlame)
    const doubtful = streamMs - seenAtMs < SEEN_MS
    if (near.length >= spare || !doubtful || streamMs - tiledAtMs < TILE_MS) return near
    tiledAtMs = streamMs
    tile = (tile + 1) % TILES.length
    return [...near, ...TILES.slice(tile, tile + 1)]
  }

  /** Whether the finding may be a fire: worth further inferences. */
  function isDoubtful({ rotulo, confianca, ...box }: Detection): boolean {
    if (!isFire(rotulo)) return false
    const signs = evidence.of(rotulo, box)
    if (confianca >= DOUBTFUL.confidence) return true
    return signs !== null && fireScore(rotulo, confianca, signs) >= DOUBTFUL.score
  }

  return {
    configure: analyses.configure,

    async follow(frame, { epochMs, streamMs }) {
      if (!runner.model('fogo') || !analyses.armed(epochMs)) return
      const height = Math.max(1, Math.round((EVIDENCE_WIDTH * frame.height) / frame.width))
      const rgb = await frame.toPacked('rgb', EVIDENCE_WIDTH, height)
      const passing = { people: objects.people(streamMs), vehicles: objects.vehicles(streamMs) }
      evidence.update(rgb, EVIDENCE_WIDTH, height, streamMs, passing)
    },

    isDue(motion, { epochMs, streamMs }) {
      if (motion.active || movedAtMs === null) movedAtMs = streamMs
      if (!runner.model('fogo') || !analyses.armed(epochMs)) return false
      const sinceMs = streamMs - ranAtMs
      const isStill = streamMs - movedAtMs >= STILL_AFTER_MS
      if (sinceMs >= (isStill ? LONGEST_MS : QUIET_MS)) return true
      if (sinceMs < SUSPICIOUS_MS) return false
      // On a still scene a further inference repeats the finding; a flame flickers or moves.
      return (!isStill && streamMs - seenAtMs < SEEN_MS) || evidence.restless().length > 0
    },

    async run({ frame, time, motion }, spare) {
      const { epochMs, streamMs } = time
      const model = runner.model('fogo')
      if (!model) return
      ranAtMs = streamMs
      const areas = evidence.restless()
      const enlarged = regions(areas, streamMs, spare)
      const proposals = await runInference(runner, 'fogo', frame, [null, ...enlarged], {
        minConfidence: WEAK,
        labels: analyses.labels(),
      })
      const found = await rate(frame, proposals, streamMs)
      options.onFound?.('fogo', found)
      if (found.some(isDoubtful)) seenAtMs = streamMs
      const tracks = tracker.update(together(found, areas), streamMs).map((track) => ({
        ...track,
        motion: motion.overlap(track.box),
        evidence: {
          fogo: (isFire(track.rotulo) && evidence.of(track.rotulo, track.box)) || undefined,
          objetos: objectsAround(track.box, objects.people(streamMs)),
        },
      }))
      const outcomes = analyses.update({ epochMs, streamMs, tracks, evidence: {} })
      const pictures = createFramePictures(frame, streamMs)
      await candidates.take(outcomes, { pictures, time, tracks, modelo: (ia) => modelNames(ia, runner) })
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
