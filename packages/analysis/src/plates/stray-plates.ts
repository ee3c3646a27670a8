import type { Box, Point } from '@vigia/ias/geometry'
import { LOST_MS, type OpenPassages } from './open-passages.ts'
import type { Passage } from './passage.ts'
import type { PlateFound } from './read-plates.ts'

interface StrayPlate {
  readonly passage: Passage
  readonly centre: Point
  readonly seenMs: number
}

/** Plates outside of every vehicle, by their own track ids, which are negative. */
export interface StrayPlates {
  readonly count: number
  /** Whether the plates of all of them are decided. */
  allSettled(): boolean
  /** The plate that was seen at about this point before; `w`: width of the plate. */
  near(centre: Point, w: number, found: PlateFound): { readonly id: number; readonly passage: Passage } | undefined
  nextId(): number
  see(id: number, plate: StrayPlate): void
  /** The passage of a plate inside this box, whose vehicle was not detected before. */
  inside(box: Box, streamMs: number): Passage | undefined
  /** Ids of the plates that are still there. `movedMs`: stream time of the last motion. */
  present(streamMs: number, movedMs: number): readonly number[]
  clear(): void
}

/** Distance between two detections of one plate, in widths of the plate. */
const NEAR_WIDTHS = 1.5

export function createStrayPlates({ isOther }: Pick<OpenPassages, 'isOther'>): StrayPlates {
  const plates = new Map<number, StrayPlate>()
  let lastId = 0

  return {
    get count() {
      return plates.size
    },
    allSettled: () => [...plates.values()].every(({ passage }) => passage.settled()),
    near(centre, w, found) {
      const known = [...plates].find(
        ([, { centre: seen, passage }]) => isNear(seen, centre, w) && !isOther(passage, found),
      )
      return known && { id: known[0], passage: known[1].passage }
    },
    nextId: () => --lastId,
    see: (id, plate) => plates.set(id, plate),
    inside: (box, streamMs) =>
      [...plates.values()].find(({ passage, centre, seenMs }) => {
        const isRecent = streamMs - seenMs <= LOST_MS && ![...passage.tracks].some((id) => id >= 0)
        return (
          isRecent && centre.x >= box.x && centre.x <= box.x + box.w && centre.y >= box.y && centre.y <= box.y + box.h
        )
      })?.passage,
    present(streamMs, movedMs) {
      for (const [id, { seenMs }] of plates) {
        // A vehicle that waits does not move: it is there until something moves.
        if (streamMs - seenMs > LOST_MS && movedMs > seenMs) plates.delete(id)
      }
      return [...plates.keys()]
    },
    clear: () => plates.clear(),
  }
}

const isNear = (a: Point, b: Point, w: number): boolean => Math.hypot(a.x - b.x, a.y - b.y) <= NEAR_WIDTHS * w
