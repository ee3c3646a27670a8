import { createRandom } from './random.ts'
import { UNKNOWN } from './targets.ts'

/** Features and labels of some targets, row by row. */
export interface Samples {
  readonly count: number
  /** Features per row. */
  readonly width: number
  readonly features: Float32Array
  /** Labels per row. */
  readonly classes: number
  /** 1, 0 or UNKNOWN. */
  readonly wanted: Float32Array
}

/** One logistic function per class on features with mean 0 and deviation 1. */
export interface Head {
  readonly width: number
  readonly classes: number
  readonly mean: Float32Array
  readonly spread: Float32Array
  /** [width, classes]. */
  readonly weights: Float32Array
  readonly bias: Float32Array
}

export interface FitOptions {
  readonly epochs: number
  readonly rate: number
  /** Decay of the weights, as in AdamW. */
  readonly decay: number
  readonly seed: number
}

const BATCH = 128
const WARM_UP = 0.1
/** Momenta of Adam. */
const [BETA1, BETA2] = [0.9, 0.999]

/** Logits of one row, one per class. */
export function logitsOf({ width, classes, mean, spread, weights, bias }: Head, row: Float32Array): number[] {
  const logits = Array.from(bias)
  for (let at = 0; at < width; at++) {
    const value = ((row[at] ?? 0) - (mean[at] ?? 0)) / (spread[at] ?? 1)
    for (let k = 0; k < classes; k++) logits[k] = (logits[k] ?? 0) + value * (weights[at * classes + k] ?? 0)
  }
  return logits
}

/** Fits the rows by AdamW with a warm-up and a cosine rate. The loss of unknown labels is masked. */
export function fitHead(
  { width, features, classes, wanted }: Samples,
  rows: readonly number[],
  options: FitOptions,
): Head {
  const { mean, spread } = scaleOf(features, width, rows)
  const head = {
    width,
    classes,
    mean,
    spread,
    weights: new Float32Array(width * classes),
    bias: new Float32Array(classes),
  }
  const slope = new Float32Array(width * classes)
  const slopeBias = new Float32Array(classes)
  const moments = [new Float32Array(width * classes), new Float32Array(width * classes)] as const
  const momentsBias = [new Float32Array(classes), new Float32Array(classes)] as const
  const normal = new Float32Array(width)
  const error = new Float32Array(classes)
  const random = createRandom(`fit ${options.seed}`)
  const steps = options.epochs * Math.ceil(rows.length / BATCH)
  let step = 0
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    const order = random.some(rows, rows.length)
    for (let start = 0; start < order.length; start += BATCH) {
      slope.fill(0)
      slopeBias.fill(0)
      for (const row of order.slice(start, start + BATCH)) {
        standardize(features, row * width, head, normal)
        addSlope(normal, wanted.subarray(row * classes, (row + 1) * classes), head, error, slope, slopeBias)
      }
      step += 1
      const rate =
        options.rate * Math.min(1, step / (WARM_UP * steps)) * (0.5 + 0.5 * Math.cos((Math.PI * step) / steps))
      adam(head.weights, slope, moments, step, rate, options.decay)
      adam(head.bias, slopeBias, momentsBias, step, rate, 0)
    }
  }
  return head
}

function scaleOf(features: Float32Array, width: number, rows: readonly number[]) {
  const sums = new Float64Array(width)
  const squares = new Float64Array(width)
  for (const row of rows)
    for (let at = 0; at < width; at++) {
      const value = features[row * width + at] ?? 0
      sums[at] = (sums[at] ?? 0) + value
      squares[at] = (squares[at] ?? 0) + value * value
    }
  const mean = Float32Array.from(sums, (sum) => sum / rows.length)
  // The least deviation keeps channels that are almost always 0 from dominating.
  const spread = Float32Array.from(squares, (square, at) => {
    const variance = square / rows.length - (mean[at] ?? 0) ** 2
    return Math.sqrt(Math.max(0, variance)) + 0.01
  })
  return { mean, spread }
}

function standardize(features: Float32Array, from: number, { width, mean, spread }: Head, into: Float32Array): void {
  for (let at = 0; at < width; at++) into[at] = ((features[from + at] ?? 0) - (mean[at] ?? 0)) / (spread[at] ?? 1)
}

/** Adds the slope of the cross entropy of one row. */
function addSlope(
  row: Float32Array,
  wanted: Float32Array,
  { width, classes, weights, bias }: Head,
  error: Float32Array,
  slope: Float32Array,
  slopeBias: Float32Array,
): void {
  error.set(bias)
  for (let at = 0; at < width; at++) {
    const value = row[at] ?? 0
    for (let k = 0; k < classes; k++) error[k] = (error[k] ?? 0) + value * (weights[at * classes + k] ?? 0)
  }
  for (let k = 0; k < classes; k++) {
    const truth = wanted[k] ?? UNKNOWN
    error[k] = truth === UNKNOWN ? 0 : (1 / (1 + Math.exp(-(error[k] ?? 0))) - truth) / BATCH
    slopeBias[k] = (slopeBias[k] ?? 0) + (error[k] ?? 0)
  }
  for (let at = 0; at < width; at++) {
    const value = row[at] ?? 0
    for (let k = 0; k < classes; k++) slope[at * classes + k] = (slope[at * classes + k] ?? 0) + value * (error[k] ?? 0)
  }
}

function adam(
  values: Float32Array,
  slope: Float32Array,
  [first, second]: readonly [Float32Array, Float32Array],
  step: number,
  rate: number,
  decay: number,
): void {
  const [scale1, scale2] = [1 / (1 - BETA1 ** step), 1 / (1 - BETA2 ** step)]
  for (let at = 0; at < values.length; at++) {
    const gradient = slope[at] ?? 0
    const mean = BETA1 * (first[at] ?? 0) + (1 - BETA1) * gradient
    const square = BETA2 * (second[at] ?? 0) + (1 - BETA2) * gradient * gradient
    first[at] = mean
    second[at] = square
    const change = (rate * mean * scale1) / (Math.sqrt(square * scale2) + 1e-8)
    values[at] = (values[at] ?? 0) * (1 - rate * decay) - change
  }
}
