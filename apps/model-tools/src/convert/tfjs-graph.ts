import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A constant of a TensorFlow.js graph. */
export interface Tensor {
  readonly shape: readonly number[]
  readonly data: Float32Array | Float16Array | Int32Array
}

interface AttributeValue {
  readonly s?: string | readonly number[]
  readonly i?: string | number
  readonly f?: number
  readonly b?: boolean
  readonly list?: { readonly i?: readonly (string | number)[] }
}

export interface GraphNode {
  readonly name: string
  readonly op: string
  readonly input?: readonly string[]
  readonly attr?: Readonly<Record<string, AttributeValue>>
}

interface WeightEntry {
  readonly name: string
  readonly shape: readonly number[]
  readonly dtype: 'float32' | 'int32' | 'bool'
  readonly quantization?: { readonly dtype: string }
}

interface ModelFile {
  readonly modelTopology: { readonly node: readonly GraphNode[] }
  readonly weightsManifest: readonly { readonly paths: readonly string[]; readonly weights: readonly WeightEntry[] }[]
}

export interface TfjsGraph {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly constants: ReadonlyMap<string, Tensor>
}

/** Reads `model.json` and the weight files in its folder. Throws on an unsupported number format. */
export async function readTfjsGraph(modelJson: string): Promise<TfjsGraph> {
  const model = JSON.parse(await readFile(modelJson, 'utf8')) as ModelFile
  const constants = new Map<string, Tensor>()
  for (const group of model.weightsManifest) {
    const files = await Promise.all(group.paths.map((path) => readFile(join(dirname(modelJson), path))))
    const bytes = Buffer.concat(files)
    let offset = 0
    for (const entry of group.weights) {
      const tensor = readTensor(entry, bytes, offset)
      constants.set(entry.name, tensor.value)
      offset += tensor.size
    }
  }
  return { nodes: new Map(model.modelTopology.node.map((node) => [node.name, node])), constants }
}

function readTensor(entry: WeightEntry, bytes: Buffer, offset: number): { value: Tensor; size: number } {
  const count = entry.shape.reduce((product, size) => product * size, 1)
  const kind = entry.quantization?.dtype ?? entry.dtype
  const width = kind === 'float16' ? 2 : kind === 'float32' || kind === 'int32' ? 4 : 0
  if (width === 0) throw new Error(`${entry.name}: cannot read weights of type ${kind}`)
  // The slice is copied, because its offset in the file may not be aligned to the width of the numbers.
  const memory = new ArrayBuffer(count * width)
  bytes.copy(Buffer.from(memory), 0, offset, offset + count * width)
  const data =
    kind === 'float16' ? new Float16Array(memory) : kind === 'int32' ? new Int32Array(memory) : new Float32Array(memory)
  return { value: { shape: entry.shape, data }, size: count * width }
}

const text = (value: string | readonly number[]) =>
  typeof value === 'string' ? Buffer.from(value, 'base64').toString() : String.fromCharCode(...value)

export const stringAttribute = (node: GraphNode, name: string): string => text(node.attr?.[name]?.s ?? '')
export const integersAttribute = (node: GraphNode, name: string): number[] =>
  (node.attr?.[name]?.list?.i ?? []).map(Number)
export const booleanAttribute = (node: GraphNode, name: string): boolean => node.attr?.[name]?.b ?? false
export const floatAttribute = (node: GraphNode, name: string, fallback: number): number =>
  node.attr?.[name]?.f ?? fallback

/** Reorders the axes of a constant: order [3, 2, 0, 1] turns height, width, in, out into out, in, height, width. */
export function permute(tensor: Tensor, order: readonly number[]): Tensor {
  const { shape, data } = tensor
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, size) => product * size, 1))
  const newShape = order.map((axis) => at(shape, axis))
  const newStrides = order.map((axis) => at(strides, axis))
  const result = data.slice()
  const index = new Array<number>(shape.length).fill(0)
  for (let position = 0; position < data.length; position++) {
    const source = index.reduce((sum, value, axis) => sum + value * at(newStrides, axis), 0)
    result[position] = at(data, source)
    for (let axis = index.length - 1; axis >= 0; axis--) {
      const next = at(index, axis) + 1
      index[axis] = next < at(newShape, axis) ? next : 0
      if (next < at(newShape, axis)) break
    }
  }
  return { shape: newShape, data: result }
}

/** Element at `index`; throws a RangeError if it is missing. */
export function at<T>(values: ArrayLike<T>, index: number): T {
  const value = values[index]
  if (value === undefined) throw new RangeError(`index ${index} of ${values.length}`)
  return value
}
