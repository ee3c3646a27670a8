import type { Light } from './picture-health-light.ts'
import { BLOCKS, type Structure } from './picture-health-structure.ts'

/** The usual picture of a camera without problems, in one kind of light. */
export interface Usual {
  readonly directions: Float32Array
  readonly detail: Float32Array
  readonly fine: number
  readonly coarse: number
  readonly mean: number
  readonly saturated: number
}

/** Time of learning before a comparison with the usual picture. */
const FIRST_MS = 10_000
/** Time constant of later learning: sun, shade, rising fog. */
const FOLLOW_TAU_MS = 10 * 60_000
/** Time constant of the recent light: a camera that switched to infrared is darker within seconds. */
const RECENT_TAU_MS = 20_000
/** Learning stops at this problem value. */
const GOOD = 0.3
/** After this time a problem is the new usual picture (the camera was turned on purpose; the first night). */
const ACCEPTED_MS = 4 * 3_600_000
/** One usual picture for day and one for night. */
const MOST_KINDS = 2

type Kind = { -readonly [K in keyof Usual]: Usual[K] } & { seenMs: number; usedMs: number }

/** Light of the last good pictures: grey levels of the picture and of each block. */
export interface RecentLight {
  readonly mean: number
  readonly bright: Float32Array
}

/** Stores up to two usual pictures and learns them slowly. About 20 kB. */
export function createPictureMemory() {
  const kinds: Kind[] = []
  let current: Kind | null = null
  let recent: { mean: number; readonly bright: Float32Array } | null = null
  let badMs = 0
  let clockMs = 0

  const create = (seen: Structure, light: Light): Kind => ({
    directions: seen.directions.slice(),
    detail: seen.detail.slice(),
    fine: seen.fine,
    coarse: seen.coarse,
    mean: light.mean,
    saturated: light.saturated,
    seenMs: 0,
    usedMs: clockMs,
  })

  return {
    /**
     * Returns the most similar usual picture; null: none yet. `compare` returns the likeness of each block; its last
     * call is for the returned picture.
     */
    recall(compare: (directions: Float32Array) => Float32Array): Usual | null {
      const known = kinds.filter(({ seenMs }) => seenMs >= FIRST_MS)
      let best: Kind | null = null
      let most = -Infinity
      for (const kind of known) {
        const sum = compare(kind.directions).reduce((total, one) => total + one, 0)
        if (sum > most) [most, best] = [sum, kind]
      }
      if (best && known.length > 1) compare(best.directions)
      current = best ?? kinds[0] ?? null
      return best
    },

    /** Null before the first good picture. */
    recentLight: (): RecentLight | null => recent,

    /** `worst`: the worst problem of this picture, 0–1. Returns whether the picture is a new usual one from now on. */
    learn(seen: Structure, light: Light, worst: number, elapsedMs: number): boolean {
      clockMs += elapsedMs
      badMs = worst >= GOOD ? badMs + elapsedMs : 0
      const isNew = badMs >= ACCEPTED_MS
      if (isNew) accept(seen, light)
      if (worst >= GOOD) return isNew
      followLight(seen, light, elapsedMs)
      current ??= create(seen, light)
      if (!kinds.includes(current)) kinds.push(current)
      follow(current, seen, light, elapsedMs)
      return false
    },
  }

  function accept(seen: Structure, light: Light): void {
    badMs = 0
    if (kinds.length >= MOST_KINDS)
      kinds.splice(kinds.indexOf(kinds.reduce((a, b) => (a.usedMs < b.usedMs ? a : b))), 1)
    kinds.push({ ...create(seen, light), seenMs: FIRST_MS })
  }

  function followLight({ bright }: Structure, { mean }: Light, elapsedMs: number): void {
    recent ??= { mean, bright: bright.slice() }
    const weight = 1 - Math.exp(-elapsedMs / RECENT_TAU_MS)
    recent.mean += (mean - recent.mean) * weight
    for (let block = 0; block < BLOCKS; block++)
      recent.bright[block] =
        (recent.bright[block] as number) + ((bright[block] as number) - (recent.bright[block] as number)) * weight
  }

  function follow(kind: Kind, seen: Structure, light: Light, elapsedMs: number): void {
    kind.seenMs += elapsedMs
    kind.usedMs = clockMs
    // A plain mean during the first time.
    const weight = elapsedMs === 0 ? 0 : elapsedMs / (kind.seenMs < FIRST_MS ? kind.seenMs : FOLLOW_TAU_MS)
    const toward = (before: number, now: number) => before + (now - before) * weight
    for (let at = 0; at < kind.directions.length; at++) {
      kind.directions[at] = toward(kind.directions[at] as number, seen.directions[at] as number)
    }
    for (let block = 0; block < BLOCKS; block++) {
      kind.detail[block] = toward(kind.detail[block] as number, seen.detail[block] as number)
    }
    kind.fine = toward(kind.fine, seen.fine)
    kind.coarse = toward(kind.coarse, seen.coarse)
    kind.mean = toward(kind.mean, light.mean)
    kind.saturated = toward(kind.saturated, light.saturated)
  }
}
