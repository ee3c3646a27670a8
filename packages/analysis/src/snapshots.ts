import type { Caixa } from '@vigia/contracts/eventos'
import type { LookPictures } from './look-pictures.ts'

/** The best look at one tracked object. Crop, whole frame and boxes are of one and the same frame. */
export interface Snapshot {
  /** The object first; then what was seen on it. */
  readonly caixas: readonly [Caixa, ...Caixa[]]
  /** JPEG of the object with its surroundings. */
  readonly crop: Buffer
  /** JPEG of the whole frame. */
  readonly frame: Buffer
  /** Pixels of the frame that was analysed. */
  readonly width: number
  readonly height: number
}

export interface Snapshots {
  /** Keeps this frame as the object's picture when it is clearly better than the one kept. */
  consider(trackId: number, caixas: Snapshot['caixas'], look: LookPictures): Promise<void>
  best(trackId: number): Snapshot | null
  /** Stream ms of the frame in which its picture was last considered; -Infinity: never. */
  lookedAtMs(trackId: number): number
  /** Forgets objects that are not tracked any more. */
  keepOnly(trackIds: ReadonlySet<number>): void
}

/** A picture must be this much better to be worth encoding another one: who walks up to the camera is encoded a dozen times, not at every step. */
const CLEARLY_BETTER = 1.3
/**
 * A picture loses half of its worth in this time: it is to tell of the event, and the older it is the more has happened since. So the best of the
 * whole life is shown while that is short, and later only what is far better than anything since.
 */
const HALF_LIFE_MS = 10_000
/** An object that the border of the picture cuts shows only a part of itself. */
const CUT = 0.5
const BORDER = 0.005
/** Objects with pictures at once: about 250 kB each. In a crowd the poorest pictures go. */
const MAX_KEPT = 24

interface Kept extends Snapshot {
  readonly worth: number
  readonly takenAtMs: number
}

/** Large, confident and whole; how sharp it is costs a look at the pixels, and is asked only when the rest is good enough. */
function size({ confianca, x, y, w, h }: Caixa): number {
  const isCut = x < BORDER || y < BORDER || x + w > 1 - BORDER || y + h > 1 - BORDER
  return confianca * w * h * (isCut ? CUT : 1)
}

export function createSnapshots(): Snapshots {
  const kept = new Map<number, Kept>()
  const lookedAt = new Map<number, number>()

  const worthNow = ({ worth, takenAtMs }: Kept, nowMs: number) => worth * 0.5 ** ((nowMs - takenAtMs) / HALF_LIFE_MS)

  function dropPoorest(nowMs: number) {
    if (kept.size <= MAX_KEPT) return
    const [poorest] = [...kept].sort(([, a], [, b]) => worthNow(a, nowMs) - worthNow(b, nowMs))
    if (poorest) kept.delete(poorest[0])
  }

  return {
    async consider(trackId, caixas, look) {
      const { streamMs, width, height } = look
      lookedAt.set(trackId, streamMs)
      const before = kept.get(trackId)
      const asked = before ? worthNow(before, streamMs) * CLEARLY_BETTER : 0
      // Nothing is sharper than 1.
      if (size(caixas[0]) < asked) return
      const worth = size(caixas[0]) * (await look.sharpness(caixas[0]))
      if (before && worth < asked) return
      const [frame, crop] = await Promise.all([look.whole(), look.crop(caixas[0])])
      kept.set(trackId, { caixas, crop, frame, width, height, worth, takenAtMs: streamMs })
      dropPoorest(streamMs)
    },
    best: (trackId) => kept.get(trackId) ?? null,
    lookedAtMs: (trackId) => lookedAt.get(trackId) ?? Number.NEGATIVE_INFINITY,
    keepOnly(trackIds) {
      for (const map of [kept, lookedAt]) for (const id of map.keys()) if (!trackIds.has(id)) map.delete(id)
    },
  }
}
