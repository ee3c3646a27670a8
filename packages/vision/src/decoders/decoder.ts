import { VigiaError } from '@vigia/contracts/errors'
import type { Detection } from '@vigia/ias/detection'
import type { ModelManifest } from '../manifest.ts'

/** One output of a network. */
export interface Output {
  readonly data: Float32Array
  readonly dims: readonly number[]
}

export type Outputs = Readonly<Record<string, Output>>

export interface DecodeOptions {
  readonly minConfidence: number
  /** Class numbers to decode. */
  readonly classes: readonly number[]
}

/** Decodes the outputs of a network into boxes, before suppression. */
export type Decode = (outputs: Outputs, options: DecodeOptions) => Detection[]

export interface Decoder {
  readonly decode: Decode
  /** IoU above which two boxes are one object; the value that the network's authors used. */
  readonly maxIou: number
}

export type CreateDecoder = (manifest: ModelManifest) => Decoder

/**
 * The output called `name`: [1, `rows`, `width`] numbers of 32 bits. Throws VigiaError with a Portuguese half sentence
 * when the model has no such output, because then manifest and file do not match.
 */
export function output(outputs: Outputs, name: string, rows: number | null, width: number): Output {
  const found = outputs[name]
  const wanted = `[1,${rows ?? '…'},${width}]`
  if (!found) throw mismatch(`falta a saída ${name} ${wanted}; o arquivo tem ${Object.keys(outputs).join(', ')}.`)
  const fits = found.dims.length === 3 && found.dims[2] === width && (rows === null || found.dims[1] === rows)
  if (!fits) throw mismatch(`a saída ${name} é [${found.dims}], o decodificador e os rótulos pedem ${wanted}.`)
  return inFloats(found, name)
}

/** The only output of a network. Throws like `output`. */
export function onlyOutput(outputs: Outputs): { name: string; found: Output } {
  const [name, ...others] = Object.keys(outputs)
  const found = name === undefined ? undefined : outputs[name]
  if (name === undefined || !found || others.length > 0) {
    throw mismatch(`o decodificador pede uma só saída; o arquivo tem ${Object.keys(outputs).join(', ')}.`)
  }
  return { name, found: inFloats(found, name) }
}

function inFloats(found: Output, name: string): Output {
  if (found.data instanceof Float32Array) return found
  throw mismatch(`a saída ${name} não é float32.`)
}

export const mismatch = (detalhe: string): VigiaError => new VigiaError('interno', { detalhe })

/** Best of the requested classes among the scores from `start` on; null when none reaches `minimum`. */
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
