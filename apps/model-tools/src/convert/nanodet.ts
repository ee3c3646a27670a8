import { createOnnxGraph, elementType } from '@vigia/vision/testing/onnx-writer'
import { readConvolutions } from './onnx-weights.ts'

/** Logits of the four border distances: 4 x 11. */
const DISTANCES = 44
const STRIDES = [8, 16, 32]

/** Input of the network, in pixels; both sides are multiples of 32. */
interface Size {
  readonly width: number
  readonly height: number
}

/**
 * The clean graph of NanoDet-g, with the weights of `model`.
 * All values have the order batch, channel, height, width. Paddings are attributes, and a map is halved by the means of
 * its cells. The blocked layout of onnxruntime then lasts through the whole network: equal results in 0.88 of the time.
 *
 * Outputs for the strides 8, 16, 32: scores (sigmoid) [1, cells, classes], logits of the four border distances [1,
 * cells, 4 x 11].
 */
export function writeNanodet(model: Buffer, size: Size, metadata: Readonly<Record<string, string>>): Buffer {
  const convolutions = readConvolutions(model)
  const onnx = createOnnxGraph()
  let next = 0

  function conv(input: string, stride = 1, active = true): string {
    const layer = convolutions[next++]
    if (!layer) throw new Error('the file has fewer than 34 convolutions')
    const side = layer.shape[2] ?? 1
    const operands = [input, onnx.weights(layer.shape, layer.kernel), onnx.weights([layer.bias.length], layer.bias)]
    const pad = Math.floor(side / 2)
    const made = onnx.node('Conv', operands, {
      kernel_shape: [side, side],
      strides: [stride, stride],
      pads: [pad, pad, pad, pad],
    })
    return active ? onnx.node('LeakyRelu', [made], { alpha: { float: 0.1 } }) : made
  }

  const join = (...values: string[]) => onnx.node('Concat', values, { axis: 1 })
  const add = (left: string, right: string) => onnx.node('Add', [left, right])
  function block(input: string): string {
    const half = conv(input)
    return join(conv(half), half)
  }
  function stage(input: string, stride: number, blocks: number): string {
    const entry = conv(input, stride)
    let inner = entry
    for (let index = 0; index < blocks; index++) inner = block(inner)
    return join(conv(inner), entry)
  }
  const double = onnx.constant([4], Float32Array.of(1, 1, 2, 2))
  const enlarge = (input: string) =>
    onnx.node('Resize', [input, '', double], { mode: 'linear', coordinate_transformation_mode: 'half_pixel' })
  const halve = (input: string) => onnx.node('AveragePool', [input], { kernel_shape: [2, 2], strides: [2, 2] })

  const stem = onnx.node('MaxPool', [conv('image', 2)], { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] })
  const c3Input = stage(stem, 1, 1)
  const c3 = stage(c3Input, 2, 2)
  const l3 = conv(c3, 1, false)
  const c4 = stage(c3, 2, 2)
  const l4 = conv(c4, 1, false)
  const c5 = stage(c4, 2, 3)
  const l5 = conv(c5, 1, false)
  const p4 = add(l4, enlarge(l5))
  const p3 = add(l3, enlarge(p4))
  const d4 = add(p4, halve(p3))
  const d5 = add(l5, halve(d4))

  const classes = (convolutions.at(-1)?.bias.length ?? 0) - DISTANCES
  const outputs = [p3, d4, d5].flatMap((feature, level) => {
    const stride = STRIDES[level] ?? 1
    const cells = (size.width / stride) * (size.height / stride)
    const both = conv(conv(feature), 1, false)
    const parts = onnx.nodeWithOutputs('Split', [both, onnx.integers([classes, DISTANCES])], 2, { axis: 1 })
    const [scores = '', distances = ''] = parts
    const rows = (input: string, width: number, name: string) => {
      const flat = onnx.node('Reshape', [input, onnx.integers([1, width, cells])])
      onnx.node('Transpose', [flat], { perm: [0, 2, 1] }, name)
      return { name, type: elementType.float, shape: [1, cells, width] }
    }
    return [
      rows(onnx.node('Sigmoid', [scores]), classes, `scores_${stride}`),
      rows(distances, DISTANCES, `distances_${stride}`),
    ]
  })
  if (next !== convolutions.length) throw new Error(`the file has ${convolutions.length} convolutions, not ${next}`)
  const inputs = [{ name: 'image', type: elementType.float, shape: [1, 3, size.height, size.width] }]
  return onnx.toModel({ name: 'nanodet_g', inputs, outputs, metadata })
}
