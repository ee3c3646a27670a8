import { areaOf, clip } from '@vigia/ias/geometry'
import type { VideoFrame } from '@vigia/video/frame'
import type { FrameTime } from '../model.ts'
import type { OpenPassages } from './open-passages.ts'
import type { Passage } from './passage.ts'
import type { PlateReader } from './passage-model.ts'
import { qualityOf } from './plate-quality.ts'
import { addReading, SIDE_MAX } from './plate-readings.ts'
import { boxOf } from './plate-regions.ts'
import type { StrayPlates } from './stray-plates.ts'
import type { VehicleDetection } from './vehicle-detection.ts'

/** Searches the whole frame for plates: a vehicle that fills it is often not detected. */
export interface PlateSearch {
  /** `moved`: fraction of the frame that moves. */
  moved(moved: number, streamMs: number): void
  /** Whether a large vehicle may be there that the detector did not find, or whose plate is not in its box. */
  isDue(seen: ReadonlyMap<Passage, VehicleDetection>, frame: VideoFrame, streamMs: number): boolean
  search(frame: VideoFrame, time: FrameTime): Promise<void>
}

interface PlateSearchOptions {
  readonly passages: OpenPassages
  readonly plates: StrayPlates
  readonly read: PlateReader
}

/** Narrowest vehicle with a readable plate, in pixels: a plate is about a quarter of the width of a car. */
export const VEHICLE_MIN_PX = 80
/** Time between two readings of a passage while the vote is open, in ms: every analysed frame. */
export const READ_EVERY_MS = 190
/** Time between two searches of the whole frame beside unread vehicles, or of settled plates, in ms. */
const SEARCH_EVERY_MS = 390
/** A vehicle that fills the frame moves at least this fraction of it. Its plate is searched until SEARCH_MS later. */
const LARGE_MOTION = 0.04
const SEARCH_MS = 2_000
/** Area of a vehicle, as a fraction of the frame, beside which no larger one is searched. */
const LARGE_AREA = 0.25
/** Narrowest text that the search of the whole frame follows, in pixels of the searched picture. */
const PLATE_MIN_PX = 40

export function createPlateSearch({ passages, plates, read }: PlateSearchOptions): PlateSearch {
  let searchedMs = Number.NEGATIVE_INFINITY
  /** Stream time of the last large motion. */
  let largeMs = Number.NEGATIVE_INFINITY

  return {
    moved(moved, streamMs) {
      if (moved >= LARGE_MOTION) largeMs = streamMs
    },
    isDue(seen, frame, streamMs) {
      if (streamMs - largeMs > SEARCH_MS) return false
      const isRead = ([passage, { box }]: readonly [Passage, VehicleDetection]) =>
        passage.text() !== null && (passage.moved || areaOf(box) >= LARGE_AREA)
      if ([...seen].some(isRead)) return false
      const isSettled = plates.count > 0 && plates.allSettled()
      const everyMs = isSettled || hasVehicle(seen, frame) ? SEARCH_EVERY_MS : READ_EVERY_MS
      return streamMs - searchedMs >= everyMs
    },
    async search(frame, time) {
      searchedMs = time.streamMs
      const scale = Math.min(1, SIDE_MAX / Math.max(frame.width, frame.height))
      const [width, height] = [Math.round(frame.width * scale), Math.round(frame.height * scale)]
      const picture = { width, height, data: await frame.toPacked('rgb', width, height) }
      for (const found of await read(picture, Math.max(width, height))) {
        if (found.box.width < PLATE_MIN_PX) continue
        const { x, y, w, h } = boxOf(found, picture)
        const centre = { x: x + w / 2, y: y + h / 2 }
        const box = clip({ x: x - 1.5 * w, y: y - 6 * h, w: 4 * w, h: 9 * h })
        const detection: VehicleDetection = {
          rotulo: null,
          confianca: Math.min(1, found.chance),
          box,
          plateBox: { x, y, w, h },
        }
        const known = plates.near(centre, w, found)
        const id = known?.id ?? plates.nextId()
        const passage = known?.passage ?? passages.around(centre, time, found) ?? passages.begin(detection, time, id)
        if (!passage) continue
        passages.follow(id, passage)
        plates.see(id, { passage, centre, seenMs: time.streamMs })
        passage.see(detection, time)
        const plate = { rotulo: 'placa', confianca: detection.confianca, x, y, w, h }
        await addReading(
          frame,
          { passage, vehicle: detection, time, region: box },
          { found, plate, qualidade: qualityOf(picture, found.box, scale) },
        )
        passages.joined(passage, time)
      }
    },
  }
}

/** Whether a vehicle is large enough to be read by itself. */
const hasVehicle = (seen: ReadonlyMap<Passage, VehicleDetection>, frame: VideoFrame): boolean =>
  [...seen.values()].some(({ box }) => box.w * frame.width >= VEHICLE_MIN_PX)
