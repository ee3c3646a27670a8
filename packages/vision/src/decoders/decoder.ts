import type { Detection } from '../detection.ts'
import type { ModelManifest } from '../manifest.ts'

/** One output of a network. */
export interface Output {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

export type Outputs = Readonly<Record<string, Output>>

export interface DecodeOptions {
  readonly minConfidence: number
  /** Class numbers to look at. */
  readonly classes: readonly number[]
}

/** Numbers of a network → boxes, before suppression. */
export type Decode = (outputs: Outputs, options: DecodeOptions) => Detection[]

export interface Decoder {
  readonly decode: Decode
  /** IoU above which two boxes of one object are one; the value with which the network's authors measured it. */
  readonly maxIou: number
}

export type CreateDecoder = (manifest: ModelManifest) => Decoder

/**
 * The output called `name`, whose rows are `width` numbers long. Throws when the model has none such: manifest and file do not belong
 * together.
 */
export function output(outputs: Outputs, name: string, width: number): Output {
  const found = outputs[name]
  if (found?.dims.at(-1) !== width) throw new Error(`the model has no output ${name} with rows of ${width}`)
  return found
}

/** Best wanted class among the scores that begin at `start`; null when none reaches `minimum`. */
export function bestClass(
  scores: Float32Array,
  start: number,
  classes: readonly number[],
  minimum: number,
): { index: number; score: number } | null {
  let index = -1
  let score = minimum
  for (const candidate of classes) {
    const value = scores[start + candidate] ?? 0
    if (value >= score) {
      score = value
      index = candidate
    }
  }
  return index < 0 ? null : { index, score }
}
