import { createOnnxGraph, elementType } from '@vigia/vision/testing/onnx-writer'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { describe, expect, it } from 'vitest'
import { type Tensor as Constant, type GraphNode, permute, type TfjsGraph } from './tfjs-graph.ts'
import { createTranslator } from './translate.ts'

const same = { padding: { s: Buffer.from('SAME').toString('base64') }, strides: { list: { i: ['1', '1', '1', '1'] } } }

function graph(nodes: readonly GraphNode[], constants: Readonly<Record<string, Constant>>): TfjsGraph {
  return {
    nodes: new Map(nodes.map((node) => [node.name, node])),
    constants: new Map(Object.entries(constants)),
  }
}

/** Translates the node `y` of a graph with the input [1, 2, 2, 2] (height, width, channel last) into an ONNX file. */
function convert(tfjs: TfjsGraph, shape: readonly number[]): Buffer {
  const onnx = createOnnxGraph()
  const value = createTranslator(tfjs, onnx, new Map([['x', 'input']]))
  onnx.node('Identity', [value('y')], {}, 'output')
  return onnx.toModel({
    name: 'test',
    inputs: [{ name: 'input', type: elementType.float, shape: [1, 2, 2, 2] }],
    outputs: [{ name: 'output', type: elementType.float, shape }],
    metadata: { licence: 'none' },
  })
}

async function run(model: Buffer): Promise<number[]> {
  const session = await InferenceSession.create(model)
  const input = new Tensor('float32', Float32Array.from([1, 10, 2, 20, 3, 30, 4, 40]), [1, 2, 2, 2])
  const { output } = await session.run({ input })
  await session.release()
  return Array.from(output?.data as Float32Array)
}

describe('createTranslator', () => {
  it('keeps the result of a convolution with weights in the order height, width, in, out', async () => {
    const tfjs = graph([{ name: 'y', op: 'Conv2D', input: ['x', 'w'], attr: same }], {
      // One output channel: the first channel plus half of the second.
      w: { shape: [1, 1, 2, 1], data: new Float32Array([1, 0.5]) },
    })
    expect(await run(convert(tfjs, [1, 2, 2, 1]))).toEqual([6, 12, 18, 24])
  })

  it('keeps the channels of a depthwise convolution separate and broadcasts the addend', async () => {
    const nodes: GraphNode[] = [
      { name: 'd', op: 'DepthwiseConv2dNative', input: ['x', 'w'], attr: same },
      { name: 'y', op: 'BiasAdd', input: ['d', 'b'] },
    ]
    const tfjs = graph(nodes, {
      w: { shape: [1, 1, 2, 1], data: new Float16Array([2, 3]) },
      b: { shape: [2], data: new Float32Array([0.25, 1000]) },
    })
    expect(await run(convert(tfjs, [1, 2, 2, 2]))).toEqual([2.25, 1030, 4.25, 1060, 6.25, 1090, 8.25, 1120])
  })

  it('converts the order of paddings and splits from TensorFlow', async () => {
    const nodes: GraphNode[] = [
      { name: 'p', op: 'Pad', input: ['x', 'amounts'] },
      { name: 's', op: 'SplitV', input: ['p', 'sizes', 'axis'] },
      { name: 'y', op: 'Identity', input: ['s:1'] },
    ]
    const tfjs = graph(nodes, {
      // One column of zeros on the left only.
      amounts: { shape: [4, 2], data: new Int32Array([0, 0, 0, 0, 1, 0, 0, 0]) },
      sizes: { shape: [2], data: new Int32Array([1, 1]) },
      axis: { shape: [], data: new Int32Array([3]) },
    })
    expect(await run(convert(tfjs, [1, 2, 3, 1]))).toEqual([0, 10, 20, 0, 30, 40])
  })

  it('writes the same bytes every time', () => {
    const tfjs = graph([{ name: 'y', op: 'Relu6', input: ['x'] }], {})
    expect(convert(tfjs, [1, 2, 2, 2]).equals(convert(tfjs, [1, 2, 2, 2]))).toBe(true)
  })

  it('names the unknown operation', () => {
    const tfjs = graph([{ name: 'y', op: 'Einsum', input: ['x'] }], {})
    expect(() => convert(tfjs, [1, 2, 2, 2])).toThrow('y: cannot translate operation Einsum')
  })
})

describe('permute', () => {
  it('moves axes', () => {
    const moved = permute({ shape: [2, 3], data: new Float32Array([1, 2, 3, 4, 5, 6]) }, [1, 0])
    expect(moved.shape).toEqual([3, 2])
    expect(Array.from(moved.data)).toEqual([1, 4, 2, 5, 3, 6])
  })
})
