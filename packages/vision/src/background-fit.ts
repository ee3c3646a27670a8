/**
 * Global difference between a picture and the background: light and exposure (gain and offset) and camera shake
 * (shift). The residual is motion. A robust least-squares fit of v ≈ gain·b + offset + dx·∂b/∂x + dy·∂b/∂y over the
 * pixels that the previous fit explains. The shift uses its first-order expansion, as in Lucas and Kanade 1981.
 */
export interface Fit {
  readonly gain: number
  /** Grey levels. */
  readonly offset: number
  /** Whole pixels: (x, y) of the picture corresponds to (x + shiftX, y + shiftY) of the background. */
  readonly shiftX: number
  readonly shiftY: number
  /** Sub-pixel rest of the shift. */
  readonly dx: number
  readonly dy: number
  /** Fraction of the sampled pixels that the fit explains, 0–1. */
  readonly explained: number
}

/** Sampling grid, in pixels: about 1600 samples of 160x120. */
const STEP_X = 4
const STEP_Y = 3
/** Largest shift by camera shake, pixels (of about 160); a larger shift means that the camera was turned. */
const MAX_SHIFT = 6
/**
 * Largest residual of a pixel in each round, grey levels. The first rounds allow more, because the edges that determine
 * the shift have large residuals at first.
 */
const CUTS = [40, 24, 14]
const EXPLAINED = 10
/** Below this explained fraction a shift of whole pixels is tried. It is accepted if it explains SHAKEN_GAIN more. */
const SHAKEN_BELOW = 0.9
const SHAKEN_GAIN = 0.05
/** Weak prior for "no change", grey levels² per pixel: a picture without texture determines neither gain nor shift. */
const PULL = 4

/** Buffers for pictures of one size. */
export function createBackgroundFit(width: number, height: number) {
  const picture = new Uint32Array(256)
  const known = new Uint32Array(256)
  const apart = new Uint32Array(511)
  const normal = new Float64Array(4 * 5)
  const profileShift = createProfileShift(width, height)

  function fit(gray: Uint8Array, background: Float32Array): Fit {
    const still = refine(gray, background, best(gray, background))
    if (still.explained >= SHAKEN_BELOW) return still
    const shiftX = profileShift(gray, background, 'columns')
    const shiftY = profileShift(gray, background, 'rows')
    if (shiftX === 0 && shiftY === 0) return still
    const shifted = refine(gray, background, { ...still, shiftX, shiftY, dx: 0, dy: 0 })
    return shifted.explained > still.explained + SHAKEN_GAIN ? shifted : still
  }

  /**
   * The better of two initial fits that motion in less than half of the picture does not affect: median difference and
   * equal quartiles.
   */
  function best(gray: Uint8Array, background: Float32Array): Fit {
    picture.fill(0)
    known.fill(0)
    apart.fill(0)
    for (let y = 1; y < height - 1; y += STEP_Y) {
      for (let x = 1; x < width - 1; x += STEP_X) {
        const index = y * width + x
        const value = gray[index] as number
        const before = Math.min(255, Math.max(0, Math.round(background[index] as number)))
        picture[value] = (picture[value] as number) + 1
        known[before] = (known[before] as number) + 1
        apart[value - before + 255] = (apart[value - before + 255] as number) + 1
      }
    }
    const none = { shiftX: 0, shiftY: 0, dx: 0, dy: 0, explained: 0 }
    const offset = quantile(apart, 0.5) - 255
    const [low, high] = [quantile(known, 0.25), quantile(known, 0.75)]
    const spread = high - low
    const gain = spread < 12 ? 1 : (quantile(picture, 0.75) - quantile(picture, 0.25)) / spread
    if (Math.abs(gain - 1) < 0.05 || gain < 0.2 || gain > 5) return { ...none, gain: 1, offset }
    const scaled = { ...none, gain, offset: quantile(picture, 0.5) - gain * quantile(known, 0.5) }
    const plain = { ...none, gain: 1, offset }
    return explained(gray, background, scaled) > explained(gray, background, plain) ? scaled : plain
  }

  function refine(gray: Uint8Array, background: Float32Array, from: Fit): Fit {
    let fit = from
    for (const cut of CUTS) fit = solve(gray, background, fit, cut) ?? fit
    const after = { ...fit, explained: explained(gray, background, fit) }
    return after.explained >= explained(gray, background, from)
      ? after
      : { ...from, explained: explained(gray, background, from) }
  }

  /**
   * One least-squares round over the pixels whose residual under `from` is at most `cut`. null: too few pixels or
   * singular.
   */
  function solve(gray: Uint8Array, background: Float32Array, from: Fit, cut: number): Fit | null {
    normal.fill(0)
    let count = 0
    eachSample(background, from, (index, at, gx, gy) => {
      const before = background[at] as number
      const value = gray[index] as number
      const rest = value - predict(from, before, gx, gy)
      if (rest > cut || rest < -cut || value <= 2 || value >= 253) return
      count++
      addRow(normal, before - 128, 1, gx, gy, rest)
    })
    if (count < 100) return null
    for (const at of [0, 12, 18]) normal[at] = (normal[at] as number) + PULL * count * (at === 0 ? 1 : 0.25)
    const step = solveFour(normal)
    if (!step) return null
    const [gain, offset, dx, dy] = step
    return {
      ...from,
      gain: Math.min(5, Math.max(0.2, from.gain + gain)),
      offset: from.offset + offset - 128 * gain,
      dx: Math.min(1, Math.max(-1, from.dx + dx)),
      dy: Math.min(1, Math.max(-1, from.dy + dy)),
    }
  }

  function explained(gray: Uint8Array, background: Float32Array, fit: Fit): number {
    let near = 0
    let all = 0
    eachSample(background, fit, (index, at, gx, gy) => {
      all++
      if (Math.abs((gray[index] as number) - predict(fit, background[at] as number, gx, gy)) <= EXPLAINED) near++
    })
    return all > 0 ? near / all : 0
  }

  function eachSample(
    background: Float32Array,
    { shiftX, shiftY }: Fit,
    visit: (index: number, at: number, gx: number, gy: number) => void,
  ): void {
    for (let y = 1 + Math.max(0, -shiftY); y < height - 1 - Math.max(0, shiftY); y += STEP_Y) {
      for (let x = 1 + Math.max(0, -shiftX); x < width - 1 - Math.max(0, shiftX); x += STEP_X) {
        const at = (y + shiftY) * width + x + shiftX
        const gx = ((background[at + 1] as number) - (background[at - 1] as number)) / 2
        const gy = ((background[at + width] as number) - (background[at - width] as number)) / 2
        visit(y * width + x, at, gx, gy)
      }
    }
  }

  return { fit }
}

/** Finds shifts of whole pixels. Has buffers for pictures of one size. */
function createProfileShift(width: number, height: number) {
  const profiles = {
    columns: [new Float32Array(width), new Float32Array(width)] as const,
    rows: [new Float32Array(height), new Float32Array(height)] as const,
  }

  /** Returns the shift with the best match of the differentiated profiles (sums along the other axis). */
  return (gray: Uint8Array, background: Float32Array, axis: 'columns' | 'rows'): number => {
    const [now, before] = profiles[axis]
    now.fill(0)
    before.fill(0)
    for (let y = 0, index = 0; y < height; y++) {
      for (let x = 0; x < width; x++, index++) {
        const slot = axis === 'columns' ? x : y
        now[slot] = (now[slot] as number) + (gray[index] as number)
        before[slot] = (before[slot] as number) + (background[index] as number)
      }
    }
    const reach = MAX_SHIFT + 1
    let [least, shift] = [Infinity, 0]
    for (let candidate = -MAX_SHIFT; candidate <= MAX_SHIFT; candidate++) {
      let sum = 0
      for (let at = reach; at < now.length - reach; at++) {
        const slope = (now[at + 1] as number) - (now[at - 1] as number)
        sum += Math.abs(slope - (before[at + candidate + 1] as number) + (before[at + candidate - 1] as number))
      }
      if (sum < least) [least, shift] = [sum, candidate]
    }
    return shift
  }
}

/** Expected value of a pixel with the background `before` and the slopes `gx` and `gy`, grey levels. */
export const predict = (fit: Fit, before: number, gx: number, gy: number): number => {
  const value = fit.gain * before + fit.offset + fit.dx * gx + fit.dy * gy
  return Math.min(255, Math.max(0, value))
}

/**
 * Adds the products of one sample to the upper triangle of the normal equations; the fifth column is the right-hand
 * side.
 */
function addRow(normal: Float64Array, a: number, b: number, c: number, d: number, rest: number): void {
  normal[0] = (normal[0] as number) + a * a
  normal[1] = (normal[1] as number) + a * b
  normal[2] = (normal[2] as number) + a * c
  normal[3] = (normal[3] as number) + a * d
  normal[4] = (normal[4] as number) + a * rest
  normal[6] = (normal[6] as number) + b * b
  normal[7] = (normal[7] as number) + b * c
  normal[8] = (normal[8] as number) + b * d
  normal[9] = (normal[9] as number) + b * rest
  normal[12] = (normal[12] as number) + c * c
  normal[13] = (normal[13] as number) + c * d
  normal[14] = (normal[14] as number) + c * rest
  normal[18] = (normal[18] as number) + d * d
  normal[19] = (normal[19] as number) + d * rest
}

/**
 * Solves the symmetric 4x4 system in place by Gaussian elimination (PULL makes it positive definite). null: singular.
 */
function solveFour(normal: Float64Array): [number, number, number, number] | null {
  const cell = (row: number, column: number) => normal[row * 5 + column] as number
  for (let row = 1; row < 4; row++)
    for (let column = 0; column < row; column++) normal[row * 5 + column] = cell(column, row)
  for (let pivot = 0; pivot < 4; pivot++) {
    if (Math.abs(cell(pivot, pivot)) < 1e-6) return null
    for (let row = pivot + 1; row < 4; row++) {
      const factor = cell(row, pivot) / cell(pivot, pivot)
      for (let column = pivot; column < 5; column++)
        normal[row * 5 + column] = cell(row, column) - factor * cell(pivot, column)
    }
  }
  const answer: [number, number, number, number] = [0, 0, 0, 0]
  for (let row = 3; row >= 0; row--) {
    let rest = cell(row, 4)
    for (let column = row + 1; column < 4; column++) rest -= cell(row, column) * (answer[column] as number)
    answer[row] = rest / cell(row, row)
  }
  return answer
}

/** The quantile `share` (0–1) of a histogram. */
function quantile(histogram: Uint32Array, share: number): number {
  let total = 0
  for (let bin = 0; bin < histogram.length; bin++) total += histogram[bin] as number
  let seen = 0
  for (let bin = 0; bin < histogram.length; bin++) {
    seen += histogram[bin] as number
    if (seen >= share * total && seen > 0) return bin
  }
  return 0
}
