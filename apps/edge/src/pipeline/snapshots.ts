import type { Caixa } from '@vigia/contracts/eventos'
import type { VideoFrame } from '@vigia/video/stream-reader'

/** The best look so far at one tracked object. Picture, crop and box are of one and the same frame. */
interface Snapshot {
  readonly caixa: Caixa
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
  consider(trackId: number, caixa: Caixa, look: Look): Promise<void>
  best(trackId: number): Snapshot | null
  /** Forgets objects that are not tracked any more. */
  keepOnly(trackIds: ReadonlySet<number>): void
}

/** One frame, encoded at most once however many objects it shows. */
export interface Look {
  readonly streamMs: number
  readonly width: number
  readonly height: number
  whole(): Promise<Buffer>
  crop(caixa: Caixa): Promise<Buffer>
}

/** A picture must be this much better to be worth encoding another one. */
const CLEARLY_BETTER = 1.15
/** An older picture tells of another moment than the event. */
const MAX_AGE_MS = 10_000
/** Surroundings in the crop, as a fraction of the box, on each side. */
const MARGIN = 0.25
const WHOLE = { maxWidth: 1280, quality: 80 }
const CROP = { maxWidth: 800, quality: 88 }

export function createLook(frame: VideoFrame, streamMs: number): Look {
  let whole: Promise<Buffer> | null = null
  return {
    streamMs,
    width: frame.width,
    height: frame.height,
    whole: () => {
      whole ??= frame.toJpeg(WHOLE)
      return whole
    },
    crop: (caixa) => frame.toJpeg({ ...CROP, crop: withMargin(caixa) }),
  }
}

/** Largest and most confident: what a person, and the second model, will see most on. */
const worth = ({ confianca, w, h }: Caixa) => confianca * w * h

export function createSnapshots(): Snapshots {
  const kept = new Map<number, Snapshot & { readonly takenAtMs: number }>()
  return {
    async consider(trackId, caixa, look) {
      const before = kept.get(trackId)
      const fresh = before !== undefined && look.streamMs - before.takenAtMs <= MAX_AGE_MS
      if (fresh && worth(caixa) < worth(before.caixa) * CLEARLY_BETTER) return
      const [frame, crop] = await Promise.all([look.whole(), look.crop(caixa)])
      kept.set(trackId, { caixa, crop, frame, width: look.width, height: look.height, takenAtMs: look.streamMs })
    },
    best: (trackId) => kept.get(trackId) ?? null,
    keepOnly(trackIds) {
      for (const id of kept.keys()) if (!trackIds.has(id)) kept.delete(id)
    },
  }
}

function withMargin({ x, y, w, h }: Caixa) {
  const left = Math.max(0, x - w * MARGIN)
  const top = Math.max(0, y - h * MARGIN)
  return {
    x: left,
    y: top,
    w: Math.min(1, x + w * (1 + MARGIN)) - left,
    h: Math.min(1, y + h * (1 + MARGIN)) - top,
  }
}
