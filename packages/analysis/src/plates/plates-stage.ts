import { clip } from '@vigia/ias/geometry'
import type { VideoFrame } from '@vigia/video/frame'
import type { Track } from '@vigia/vision/track-state'
import type { AnalysisSettings } from '../analyses.ts'
import type { FrameTime } from '../model.ts'
import { createOpenPassages } from './open-passages.ts'
import { isVehicle, type Passage } from './passage.ts'
import type { PlateReader, SeenPassage } from './passage-model.ts'
import { readVehicle } from './plate-readings.ts'
import { createPlateSearch, READ_EVERY_MS, VEHICLE_MIN_PX } from './plate-search.ts'
import { createStrayPlates } from './stray-plates.ts'
import type { VehicleDetection } from './vehicle-detection.ts'

/** Follows vehicles, reads their plates and reports passages. */
export interface PlatesStage {
  /** Without `modoB` open passages end. */
  configure(settings: AnalysisSettings): void
  /** Whether plates are read at `epochMs`: switched on, and within their hours. */
  isOn(epochMs: number): boolean
  /**
   * Takes the tracks of a frame.
   * @param moved fraction of the frame that moves, 0–1; null: the frame was not inferred and has nothing to read
   */
  take(frame: VideoFrame, tracks: readonly Track[], time: FrameTime, moved: number | null): Promise<void>
  /** Ends all passages. */
  finish(): void
}

export interface PlatesStageOptions {
  readonly cameraId: number
  readonly settings: AnalysisSettings
  readonly read: PlateReader
  onPassage(passage: SeenPassage): void
  /** Name of a track in records, unique per camera and process start. */
  trilhaOf(trackId: number): string
}

/** Growth of the vehicle from which a settled passage is read again. */
const GROWN = 1.25
/** Readings of a vehicle that has not moved yet: it may be parked. */
const PARKED_READS = 2
const READS_MAX = 40
/** Time since the last reading from which only the width of a vehicle decides the order, in ms. */
const WAIT_MAX_MS = 600

export function createPlatesStage(options: PlatesStageOptions): PlatesStage {
  const { read } = options
  const passages = createOpenPassages(options)
  const plates = createStrayPlates(passages)
  const search = createPlateSearch({ passages, plates, read })
  /** Stream time of the last motion. */
  let movedMs = Number.NEGATIVE_INFINITY

  function follow(tracks: readonly Track[], time: FrameTime): Map<Passage, VehicleDetection> {
    const seen = new Map<Passage, VehicleDetection>()
    for (const { id, rotulo, confianca, box, predicted } of tracks) {
      if (predicted || !isVehicle(rotulo)) continue
      const detection = { rotulo, confianca, box: clip(box), trackId: id }
      const passage =
        passages.of(id) ?? plates.inside(detection.box, time.streamMs) ?? passages.begin(detection, time, id)
      if (!passage) continue
      passages.follow(id, passage)
      // The first of two tracks of one vehicle is followed.
      if (seen.has(passage)) continue
      passage.see(detection, time)
      seen.set(passage, detection)
    }
    return seen
  }

  function finish() {
    passages.finish()
    plates.clear()
  }

  return {
    configure(settings) {
      if (passages.configure(settings)) plates.clear()
    },
    isOn: passages.isOn,
    async take(frame, tracks, time, moved) {
      if (!passages.isOn(time.epochMs)) return finish()
      if (moved !== null && moved > 0) movedMs = time.streamMs
      if (moved !== null) search.moved(moved, time.streamMs)
      const seen = follow(tracks, time)
      const next = moved === null ? null : nextToRead(seen, frame, time)
      if (moved !== null && search.isDue(seen, frame, time.streamMs)) await search.search(frame, time)
      else if (next) await readVehicle({ passages, read, frame }, ...next, time)
      for (const passage of seen.keys()) passages.joined(passage, time)
      const alive = [...tracks.map(({ id }) => id), ...plates.present(time.streamMs, movedMs)]
      passages.keep(new Set(alive), time.streamMs)
    },
    finish,
  }
}

/** The passage whose reading helps most: a wide vehicle is read more often than a narrow one in the background. */
function nextToRead(seen: ReadonlyMap<Passage, VehicleDetection>, frame: VideoFrame, { streamMs }: FrameTime) {
  const due = [...seen].filter(([passage, { box }]) => {
    if (box.w * frame.width < VEHICLE_MIN_PX || passage.reads >= READS_MAX) return false
    if (!passage.moved && passage.reads >= PARKED_READS) return false
    if (passage.settled()) return passage.jumped || box.w >= GROWN * passage.lastRead.w
    return streamMs - passage.lastRead.streamMs >= READ_EVERY_MS
  })
  const gain = ([passage, { box }]: readonly [Passage, VehicleDetection]) =>
    box.w * Math.min(WAIT_MAX_MS, streamMs - passage.lastRead.streamMs)
  return due.sort((a, b) => gain(b) - gain(a))[0] ?? null
}
