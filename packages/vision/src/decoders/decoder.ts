import { VigiaError } from '@vigia/contracts/errors'
import type { Detection } from '@vigia/ias/detection'
import type { ModelManifest } from '../manifest.ts'

/** One output of a network; integers have 64 or 32 bits. */
interface AnyOutput {
  readonly data: Float32Array | BigInt64Array | Int32Array
  readonly dims: readonly number[]
}

export interface Output extends AnyOutput {
  readonly data: Float32Array
}

export type Outputs = Readonly<Record<string, AnyOutput>>

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
  /** Name of a second input [1, 2] of 64-bit integers: width and height of the network's input, in pixels. */
  readonly sizeInput?: string
}

export type CreateDecoder = (manifest: ModelManifest) => Decoder

/**
 * The output called `name`: [1, `rows`, `width`] numbers of 32 bits, or [1, `rows`] without `width`. Throws VigiaError
 * with a Portuguese half sentence when the model has no such output, because then manifest and file do not match.
 */
export function output(outputs: Outputs, name: string, rows: number | null, width?: number): Output {
  return inFloats(shaped(outputs, name, rows, width), name)
}

/** The output called `name`: [1, `rows`] integers. Throws like `output`. */
export function integers(outputs: Outputs, name: string, rows: number): BigInt64Array | Int32Array {
  const { data } = shaped(outputs, name, rows)
  if (data instanceof Float32Array) throw mismatch(`a saída ${name} não é int64 nem int32.`)
  return data
}

function shaped(outputs: Outputs, name: string, rows: number | null, width?: number): AnyOutput {
  const found = outputs[name]
  const sides = [1, rows, ...(width === undefined ? [] : [width])]
  const wanted = `[${sides.map((side) => side ?? '…')}]`
  if (!found) throw mismatch(`falta a saída ${name} ${wanted}; o arquivo tem ${Object.keys(outputs).join(', ')}.`)
  const fits = found.dims.length === sides.length && sides.every((side, at) => side === null || side === found.dims[at])
  if (!fits) throw mismatch(`a saída ${name} é [${found.dims}], o decodificador e os rótulos pedem ${wanted}.`)
  return found
}

/** The first of `names` that the network has as an output; the first name when it has none. */
export const firstOutput = (outputs: Outputs, ...names: readonly [string, ...string[]]): string =>
  names.find((name) => outputs[name]) ?? names[0]

/** The only output of a network. Throws like `output`. */
export function onlyOutput(outputs: Outputs): { name: string; found: Output } {
  const [name, ...others] = Object.keys(outputs)
  const found = name === undefined ? undefined : outputs[name]
  if (name === undefined || !found || others.length > 0) {
    throw mismatch(`o decodificador pede uma só saída; o arquivo tem ${Object.keys(outputs).join(', ')}.`)
  }
  return { name, found: inFloats(found, name) }
}

function inFloats({ data, dims }: AnyOutput, name: string): Output {
  if (data instanceof Float32Array) return { data, dims }
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
