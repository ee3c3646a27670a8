import type { Caixa } from '@vigia/contracts/eventos'
import type { FramePictures } from './frame-pictures.ts'

/** The best picture of one tracked object. Crop, whole frame and boxes belong to one frame. */
export interface Snapshot {
  /** The object first, then detections on it. */
  readonly caixas: readonly [Caixa, ...Caixa[]]
  /** JPEG of the object with its surroundings. */
  readonly crop: Buffer
  /** JPEG of the whole frame. */
  readonly frame: Buffer
  /** Size of the analysed frame, in pixels. */
  readonly width: number
  readonly height: number
  /** Stream time. */
  readonly takenAtMs: number
}

export interface Snapshots {
  /** Keeps this frame as the object's picture if it is clearly better than the kept one. */
  consider(trackId: number, caixas: Snapshot['caixas'], pictures: FramePictures): Promise<void>
  best(trackId: number): Snapshot | null
  /** Time of the last `consider` for the object, in stream ms; -Infinity: never. */
  consideredAtMs(trackId: number): number
  /** Forgets all other objects. */
  keepOnly(trackIds: ReadonlySet<number>): void
}

/**
 * A picture is encoded only if its worth exceeds the kept one by this ratio. An approaching person is encoded about
 * twelve times.
 */
const CLEARLY_BETTER = 1.3
/**
 * Time in which a picture loses half of its worth: an older picture shows less of the event. A short track keeps its
 * best picture. A long track keeps an old picture only if it is far better than later ones.
 */
const HALF_LIFE_MS = 10_000
/** Factor for an object that the border of the picture cuts off. */
const CUT = 0.5
const BORDER = 0.005
/** Largest number of objects with pictures, about 250 kB each. Above it the worst pictures are dropped. */
const MAX_KEPT = 24

interface Kept extends Snapshot {
  readonly worth: number
}

/**
 * Worth without sharpness: area, confidence and completeness. Sharpness needs the pixels, so it is measured only if the
 * worth without it is high enough.
 */
function size({ confianca, x, y, w, h }: Caixa): number {
  const isCut = x < BORDER || y < BORDER || x + w > 1 - BORDER || y + h > 1 - BORDER
  return confianca * w * h * (isCut ? CUT : 1)
}

export function createSnapshots(): Snapshots {
  const kept = new Map<number, Kept>()
  const consideredAt = new Map<number, number>()

  const worthNow = ({ worth, takenAtMs }: Kept, streamMs: number) =>
    worth * 0.5 ** ((streamMs - takenAtMs) / HALF_LIFE_MS)

  function dropPoorest(streamMs: number) {
    if (kept.size <= MAX_KEPT) return
    const [poorest] = [...kept].sort(([, a], [, b]) => worthNow(a, streamMs) - worthNow(b, streamMs))
    if (poorest) kept.delete(poorest[0])
  }

  return {
    async consider(trackId, caixas, pictures) {
      const { streamMs, width, height } = pictures
      consideredAt.set(trackId, streamMs)
      const before = kept.get(trackId)
      const asked = before ? worthNow(before, streamMs) * CLEARLY_BETTER : 0
      // Sharpness is at most 1.
      if (size(caixas[0]) < asked) return
      const worth = size(caixas[0]) * (await pictures.sharpness(caixas[0]))
      if (before && worth < asked) return
      const [frame, crop] = await Promise.all([pictures.whole(), pictures.crop(caixas[0])])
      kept.set(trackId, { caixas, crop, frame, width, height, worth, takenAtMs: streamMs })
      dropPoorest(streamMs)
    },
    best: (trackId) => kept.get(trackId) ?? null,
    consideredAtMs: (trackId) => consideredAt.get(trackId) ?? Number.NEGATIVE_INFINITY,
    keepOnly(trackIds) {
      for (const map of [kept, consideredAt]) for (const id of map.keys()) if (!trackIds.has(id)) map.delete(id)
    },
  }
}
