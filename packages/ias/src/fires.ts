import { areaOf, around, type Box } from './geometry.ts'
import { ALERTED } from './stored-keys.ts'

/** The alerted fires. A continuing fire is one event until it has clearly grown or was out. */
export interface Fires {
  /** Updates the fires with all flames of this inference. Called once per inference, before the methods below. */
  observe(flames: readonly Box[], epochMs: number, streamMs: number): void
  /** Whether `flame` belongs to no alerted fire, or its fire has at least doubled since its event. */
  isNew(flame: Box): boolean
  /** Called when an event was raised for these flames. */
  markAlerted(flames: readonly Box[], epochMs: number, streamMs: number): void
  saved(): SavedFire[]
}

/** A fire in a stored state: box, size at its event (fraction of the frame), and last detection, edge clock. */
export interface SavedFire {
  readonly box: Box
  readonly [ALERTED]: number
  readonly seenAt: number
}

/** Time without detection after which a fire is out. People and smoke hide a flame for a shorter time. */
const GONE_MS = 120_000
/** Growth that fires again: boxes of one flame vary by half, and a fire of twice the size is spreading. */
const GROWTH = 2
/** Weight of the newest inference in the size: about the mean of the last five. */
const NEWEST = 0.3

interface Fire {
  box: Box
  alertedSize: number
  /** Total area of its flames, smoothed. */
  size: number
  seenAt: number
  seenStreamMs: number
}

/**
 * @param reach largest distance of a flame that belongs to a fire, in widths and heights of the fire: flames spread,
 * smoke drifts
 */
export function createFires(reach: number, saved: readonly SavedFire[] = []): Fires {
  let fires: Fire[] = []
  let pending = saved

  const near = (fire: Fire, flame: Box) => touches(grown(fire.box, reach), flame)

  /** The monotonic clock restarts with the process, so the first ages come from the wall clock. */
  const restore = (epochMs: number, streamMs: number) => {
    for (const one of pending) {
      const seenStreamMs = streamMs - Math.max(0, epochMs - one.seenAt)
      fires.push({ box: one.box, seenAt: one.seenAt, alertedSize: one[ALERTED], size: one[ALERTED], seenStreamMs })
    }
    pending = []
  }

  return {
    observe(flames, epochMs, streamMs) {
      restore(epochMs, streamMs)
      fires = fires.filter((fire) => streamMs - fire.seenStreamMs <= GONE_MS)
      for (const fire of fires) {
        const own = flames.filter((flame) => near(fire, flame))
        if (own.length === 0) continue
        fire.size += NEWEST * (totalArea(own) - fire.size)
        fire.box = around(own)
        fire.seenAt = epochMs
        fire.seenStreamMs = streamMs
      }
    },
    isNew(flame) {
      const own = fires.filter((fire) => near(fire, flame))
      return own.every((fire) => fire.size >= GROWTH * fire.alertedSize)
    },
    markAlerted(flames, epochMs, streamMs) {
      const fresh: Fire[] = []
      for (const flame of flames) {
        const own = fires.filter((fire) => near(fire, flame))
        for (const fire of own) fire.alertedSize = Math.max(fire.alertedSize, fire.size)
        if (own.length > 0) continue
        const size = areaOf(flame)
        const beside = fresh.find((fire) => near(fire, flame))
        if (beside) {
          beside.size += size
          beside.alertedSize = beside.size
          beside.box = around([beside.box, flame])
        } else fresh.push({ box: flame, alertedSize: size, size, seenAt: epochMs, seenStreamMs: streamMs })
      }
      fires.push(...fresh)
    },
    saved: () => [
      ...pending,
      ...fires.map(({ box, alertedSize, seenAt }) => ({
        box: { x: round(box.x), y: round(box.y), w: round(box.w), h: round(box.h) },
        [ALERTED]: Math.round(alertedSize * 1e6) / 1e6,
        seenAt,
      })),
    ],
  }
}

export function isSavedFire(raw: unknown): raw is SavedFire {
  const { box, [ALERTED]: alertedSize, seenAt } = (raw ?? {}) as Partial<SavedFire>
  return [box?.x, box?.y, box?.w, box?.h, alertedSize, seenAt].every((value) => Number.isFinite(value))
}

const grown = (box: Box, reach: number): Box => ({
  x: box.x - box.w * reach,
  y: box.y - box.h * reach,
  w: box.w * (1 + 2 * reach),
  h: box.h * (1 + 2 * reach),
})

const touches = (a: Box, b: Box): boolean =>
  a.x <= b.x + b.w && b.x <= a.x + a.w && a.y <= b.y + b.h && b.y <= a.y + a.h

const totalArea = (boxes: readonly Box[]): number => boxes.reduce((sum, box) => sum + areaOf(box), 0)
const round = (value: number) => Math.round(value * 10_000) / 10_000
