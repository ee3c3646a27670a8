import { createBackgroundFit, type Fit } from './background-fit.ts'

/**
 * The picture of the background model: grey levels of all pixels, then their colour (red minus blue, halved, 128 is
 * grey). Colour shows objects that are as bright as the floor.
 */
export interface StillPicture {
  readonly planes: Uint8Array
  readonly width: number
  readonly height: number
}

/** Comparison of one picture with the slow background. The next call overwrites the result. */
export interface Stand {
  readonly fit: Fit
  /** Expected level of each pixel of both planes in the light of this picture. */
  readonly expected: Float32Array
  /** Largest difference from the expected level that counts as noise, by plane. */
  readonly limit: Float32Array
  /** 1: the pixel differs from the background and has not changed for STILL_MS; 2: it differs and changes. */
  readonly mask: Uint8Array
  /** Number of pixels that have not changed. */
  readonly count: number
}

/** Time without change after which a pixel stands still. */
export const STILL_MS = 3_000
/** Minimum difference from the background above the noise: grey levels, and levels of colour. */
const LEAST = 13
const LEAST_COLOUR = 9
const NOISE_FACTOR = 3
const FIRST_NOISE = 2
const MOST_NOISE = 25
/** Largest change between two pictures of a still pixel above its noise, grey levels. */
const SAME = 7
const FOLLOW_TAU_MS = 20_000
const NOISE_TAU_MS = 30_000
/** Pixels of a change that nothing holds become background after this time. */
const ABSORB_MS = 90_000
/** Mean distance from grey below which a picture has no colour: infrared. */
const COLOURLESS = 1.5

/**
 * The slow background of a fixed camera, for pictures about a second apart: 34 bytes a pixel. Pixels that differ keep
 * their background until ABSORB_MS, or as long as `held` marks them.
 */
export function createStillBackground({ planes, width, height }: StillPicture) {
  const size = width * height
  const values = Float32Array.from(planes)
  const before = Float32Array.from(planes)
  const noise = new Float32Array(planes.length).fill(FIRST_NOISE)
  const stillMs = new Float32Array(size)
  const expected = new Float32Array(planes.length)
  const limit = new Float32Array(planes.length)
  const mask = new Uint8Array(size)
  const fitting = createBackgroundFit(width, height)
  const grayBackground = values.subarray(0, size)

  /** Mean level of the colour plane, and its mean distance from grey. */
  const colourOf = (all: ArrayLike<number>) => {
    let [sum, apart] = [0, 0]
    for (let at = size; at < 2 * size; at++) {
      const level = all[at] as number
      sum += level
      apart += Math.abs(level - 128)
    }
    return { mean: sum / size, isGray: apart < COLOURLESS * size }
  }

  return {
    /** Compares and learns. `held`: 1 for pixels whose background must not change. */
    compare(now: Uint8Array, elapsedMs: number, held: Uint8Array): Stand {
      const fit = fitting.fit(now.subarray(0, size), grayBackground)
      const { gain, offset } = fit
      const follow = 1 - Math.exp(-elapsedMs / FOLLOW_TAU_MS)
      const followNoise = 1 - Math.exp(-elapsedMs / NOISE_TAU_MS)
      const [colour, known] = [colourOf(now), colourOf(values)]
      if (colour.isGray !== known.isGray) values.set(now.subarray(size), size)
      const tint = colour.isGray === known.isGray ? colour.mean - known.mean : 0
      let count = 0
      for (let at = 0; at < now.length; at++) {
        const isGray = at < size
        const pixel = isGray ? at : at - size
        const value = now[at] as number
        const back = values[at] as number
        const carried = Math.min(255, Math.max(0, isGray ? gain * back + offset : back + tint))
        const grain = noise[at] as number
        const most = (isGray ? LEAST : LEAST_COLOUR) + NOISE_FACTOR * grain
        expected[at] = carried
        limit[at] = most
        const step = Math.abs(value - (before[at] as number))
        before[at] = value
        if (isGray) {
          stillMs[pixel] = step <= SAME + NOISE_FACTOR * grain ? (stillMs[pixel] as number) + elapsedMs : 0
          mask[pixel] = 0
        }
        const still = stillMs[pixel] as number
        const differs = Math.abs(value - carried) > most
        if (differs && still >= STILL_MS && mask[pixel] !== 1) {
          mask[pixel] = 1
          count++
        } else if (differs && still < STILL_MS) mask[pixel] = 2
        if (held[pixel]) continue
        // Learnt in its own light: the gain is of this picture only.
        const own = isGray ? (value - offset) / gain : value - tint
        if (!differs) {
          values[at] = back + (own - back) * follow
          noise[at] = Math.min(MOST_NOISE, grain + (step * 0.8 - grain) * followNoise)
        } else if (still >= ABSORB_MS) values[at] = own
      }
      return { fit, expected, limit, mask, count }
    },
    /** Takes these pixels of the picture as the background. */
    absorb(now: Uint8Array, { gain, offset }: Fit, pixels: Iterable<number>): void {
      for (const at of pixels) {
        values[at] = ((now[at] as number) - offset) / gain
        values[at + size] = now[at + size] as number
        stillMs[at] = 0
      }
    },
    /** Restarts with this picture. */
    begin(now: Uint8Array): void {
      values.set(now)
      before.set(now)
      noise.fill(FIRST_NOISE)
      stillMs.fill(0)
    },
  }
}
