import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from '@vigia/vision/onnxruntime'
import { modelManifest } from '@vigia/vision/registry'
import { createOnnxGraph, elementType, type OnnxGraph } from '@vigia/vision/testing/onnx-writer'
import { partOf } from '../../src/onnx-part.ts'

/** Side of the trunk's picture, px. */
export const SIDE = 300
/**
 * Maps of 19 x 19 cells of ssdlite-mobilenetv2-300 (packages/models), NHWC: the expansions of the inverted residual
 * blocks 8 and 13. Later maps separate helmets worse, and make the file four times as large.
 */
const maps = [
  { name: 'v287', channels: 384 },
  { name: 'v403', channels: 576 },
] as const
const LAST = 'v403'
/** Cells that show the box itself: the cut is twice as large as the box. */
const [FROM, TO] = [5, 14]
/** Rows of cells, from top to bottom: a helmet is in the upper part of the box. */
const bands = [
  [5, 8],
  [8, 11],
  [11, 14],
] as const
/** Per map: mean of all cells, maximum of the box, mean of each band of the box. */
export const FEATURES = maps.reduce((sum, { channels }) => sum + channels * (2 + bands.length), 0)
/** Mean of all cells of the last map: features of the whole cut, wherever its content is. */
export const WHOLE = { from: 384 * (2 + bands.length), to: 384 * (2 + bands.length) + 576 }

export const trunkInput = { name: 'image', type: elementType.uint8, shape: [1, SIDE, SIDE, 3] }

/** A graph with the frozen trunk, and the name of its features [1, FEATURES]. */
export async function openTrunk(): Promise<{ readonly onnx: OnnxGraph; readonly features: string }> {
  const onnx = createOnnxGraph('h')
  onnx.include(partOf(await readFile(modelManifest('ssdlite-mobilenetv2-300').caminho), LAST))
  const pool = (kind: 'ReduceMean' | 'ReduceMax', value: string) =>
    onnx.node(kind, [value], { axes: [1, 2], keepdims: 0 })
  const pooled = maps.flatMap(({ name }) => {
    const cells = (top: number, bottom: number) =>
      onnx.node('Slice', [name, onnx.integers([top, FROM]), onnx.integers([bottom, TO]), onnx.integers([1, 2])])
    const inBands = bands.map(([top, bottom]) => pool('ReduceMean', cells(top, bottom)))
    return [pool('ReduceMean', name), pool('ReduceMax', cells(FROM, TO)), ...inBands]
  })
  return { onnx, features: onnx.node('Concat', pooled, { axis: 1 }) }
}

/** Runs the trunk on one thread, so that its sums have one order. */
export async function createFeatureReader() {
  const { onnx, features } = await openTrunk()
  const model = onnx.toModel({
    name: 'trunk',
    inputs: [trunkInput],
    outputs: [{ name: features, type: elementType.float, shape: [1, FEATURES] }],
    metadata: {},
  })
  const session = await InferenceSession.create(model, { intraOpNumThreads: 1, interOpNumThreads: 1 })
  return {
    /** `pixels`: packed RGB of SIDE x SIDE. */
    async read(pixels: Uint8Array): Promise<Float32Array> {
      const { data } = (await session.run({ image: new Tensor('uint8', pixels, trunkInput.shape) }))[features] ?? {}
      if (!(data instanceof Float32Array)) throw new Error('the trunk returned no features')
      return data
    },
    close: () => session.release(),
  }
}
