import { tiposVeiculo } from '@vigia/contracts/veiculos'
import type { Detection } from '@vigia/ias/detection'
import { TRACK_SURE } from '@vigia/ias/evidence'
import { evidenceOf } from '@vigia/ias/evidences'
import { areaOf, type Box, clip } from '@vigia/ias/geometry'
import type { Evidence } from '@vigia/ias/tasks/findings'
import type { VideoFrame } from '@vigia/video/stream-reader'
import { nameVehicles, withMistakenVehicles } from '@vigia/vision/from-above'
import { createRegionPlanner } from '@vigia/vision/regions'
import type { Track } from '@vigia/vision/track-state'
import { createTracker } from '@vigia/vision/tracker'
import { createAnalysisSet } from './analyses.ts'
import { createCandidates } from './candidates.ts'
import { createDiscards } from './discards.ts'
import { createFramePictures } from './frame-pictures.ts'
import { runInference } from './inference.ts'
import { measureColours } from './measure-colours.ts'
import type { FrameTime } from './model.ts'
import { modelNames } from './model-names.ts'
import type { ModelStage, StageOptions } from './model-stage.ts'
import { createPersonInferences } from './person-inferences.ts'
import { createPlatesStage } from './plates/plates-stage.ts'
import { createStillScene } from './still-scene.ts'
import { createStillTracks } from './still-tracks.ts'

/** Age up to which boxes of people are valid. */
const PLACE_MS = 3_000
/** Weaker detections only continue a track (second pass of the tracker). */
const WEAK = 0.15
export interface ObjectsStage extends ModelStage {
  /** Called for every frame, in order, before `isDue`: feeds the background model. */
  watch(frame: VideoFrame, time: FrameTime): Promise<void>
  /** Boxes of people; empty without a recent inference (closed Agenda, changed calibration). */
  people(streamMs: number): readonly Box[]
  /** Boxes of vehicles and other objects that do not rest; empty without a recent inference. */
  vehicles(streamMs: number): readonly Box[]
  /** Objects with a detection in the last inference, largest first; empty without a recent inference. */
  seen(streamMs: number): readonly Detection[]
  /** Delivers the discarded candidates of tracks that have not ended, and ends their passages. */
  finish(): void
}

/** Tracks people, vehicles and objects, and inspects worn items on people. */
export function createObjectsStage(options: StageOptions): ObjectsStage {
  const { cameraId, runner, onDiscard } = options
  const analyses = createAnalysisSet('objetos', options.settings, options.states)
  const candidates = createCandidates(options)
  const discards = onDiscard && createDiscards({ cameraId, trilhaOf: candidates.trilhaOf, onDiscard })
  const tracker = createTracker({
    highConfidence: () => Math.min(TRACK_SURE, analyses.minConf()),
    lowConfidence: WEAK,
  })
  const plates = createPlatesStage({
    cameraId,
    settings: options.settings,
    read: options.readPlates ?? readNone,
    onPassage: (passage) => options.onPassage?.(passage),
    trilhaOf: candidates.trilhaOf,
  })
  const planner = createRegionPlanner()
  const people = createPersonInferences(options, analyses)
  const still = createStillScene()
  let stillTracks = createStillTracks()
  let tracks: readonly Track[] = []
  const objects = createSeenObjects()

  /** A rule checks an object of the background model: a person who lies there is no object. */
  const checks = (streamMs: number) => streamMs >= (analyses.wakesAtMs() ?? Number.POSITIVE_INFINITY)

  return {
    configure(settings, states) {
      analyses.configure(settings, states)
      plates.configure(settings)
      // The background is not followed meanwhile; the camera may show another one later.
      if (!settings.analises.some(({ ia }) => evidenceOf(ia).stillObjects === true)) stillTracks = createStillTracks()
    },

    async watch(frame, { epochMs, streamMs }) {
      if (!runner.model('objetos') || !analyses.watchesStill(epochMs)) return
      await stillTracks.watch(frame, streamMs, objects.everybody())
    },

    isDue(motion, { epochMs, streamMs }) {
      still.watch(motion, streamMs)
      if (runner.model('objetos') === null || !(analyses.armed(epochMs) || plates.isOn(epochMs))) return false
      return still.isDue(tracks, streamMs) || stillTracks.changed() || checks(streamMs)
    },

    async run(scene, spare) {
      const { frame, time, motion } = scene
      const { epochMs, streamMs } = time
      const model = runner.model('objetos')
      if (!model) return
      objects.ran(streamMs)
      // A person who lies still may be too faint in the whole frame.
      const checked = checks(streamMs) ? stillTracks.regions() : []
      const repeated = checked.length > 0 ? null : still.repeated(tracks, streamMs)
      let found = repeated
      if (repeated) tracks = nameVehicles(tracker.update(repeated, streamMs))
      else {
        const planned = planner.plan({
          frame,
          input: model.input,
          motion: motion.regions,
          tracks: objects.tracks,
          atMs: streamMs,
          budget: spare,
        })
        const regions = [...planned, ...checked]
        const minConfidence = Math.min(WEAK, analyses.minConf())
        found = await runInference(runner, 'objetos', frame, [null, ...regions], {
          minConfidence,
          labels: withMistakenVehicles([...analyses.labels(), ...(plates.isOn(epochMs) ? tiposVeiculo : [])]),
        })
        options.onFound?.('objetos', found)
        tracks = nameVehicles(tracker.update(found, streamMs, regions, await measureColours(frame, tracks, found)))
        still.inferred(tracks, motion, streamMs)
      }
      objects.set(tracks)
      const evidence = repeated ? new Map<number, Evidence>() : await people.run(scene, objects.tracks, spare)
      const observed = objects.tracks.map((track) => ({
        ...track,
        motion: motion.overlap(track.box),
        evidence: evidence.get(track.id) ?? {},
      }))
      options.onTracks?.(observed, time)
      const watchedMs = stillTracks.watchedMs()
      const seen = [...observed, ...stillTracks.tracks(found ?? [], streamMs)]
      const outcomes = analyses.update({ epochMs, streamMs, tracks: seen, evidence: { parados: { watchedMs } } })
      const pictures = createFramePictures(frame, streamMs)
      await candidates.take(outcomes, { pictures, time, tracks: seen, modelo: (ia) => modelNames(ia, runner) })
      await plates.take(frame, objects.tracks, time, repeated === null ? motion.moved : null)
      await discards?.take(outcomes, { pictures, time, tracks: objects.tracks })
    },

    seen: objects.seen,
    people: objects.people,
    vehicles: objects.vehicles,
    principal: candidates.principal,
    states: candidates.states,
    finish() {
      discards?.finish()
      plates.finish()
    },
  }
}

/** The objects of the last inference: its tracks without things. Things are no objects of a rule. */
function createSeenObjects() {
  let objects: readonly Track[] = []
  let ranAtMs = Number.NEGATIVE_INFINITY
  const recent = (streamMs: number) => (streamMs - ranAtMs > PLACE_MS ? [] : objects)
  const peopleOf = (tracks: readonly Track[]) =>
    tracks.filter(({ rotulo }) => rotulo === 'person').map(({ box }) => box)
  return {
    get tracks() {
      return objects
    },
    ran(streamMs: number) {
      ranAtMs = streamMs
    },
    set(tracks: readonly Track[]) {
      objects = tracks.filter(({ thing }) => !thing)
    },
    everybody: () => peopleOf(objects),
    people: (streamMs: number) => peopleOf(recent(streamMs)),
    vehicles: (streamMs: number) =>
      recent(streamMs)
        .filter(({ rotulo, stillMs }) => rotulo !== 'person' && stillMs === 0)
        .map(({ box }) => box),
    seen: (streamMs: number) =>
      recent(streamMs)
        .filter(({ predicted }) => !predicted)
        .map(({ rotulo, confianca, box }) => ({ rotulo, confianca, ...clip(box) }))
        .sort((a, b) => areaOf(b) - areaOf(a)),
  }
}

/** Without a reader passages have no plate. */
const readNone = (): Promise<readonly []> => Promise.resolve([])
