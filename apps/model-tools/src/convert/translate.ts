import type { Attributes, OnnxGraph } from '@vigia/vision/testing/onnx-writer'
import {
  at,
  booleanAttribute,
  floatAttribute,
  type GraphNode,
  integersAttribute,
  permute,
  stringAttribute,
  type Tensor,
  type TfjsGraph,
} from './tfjs-graph.ts'

const HWIO_TO_OIHW = [3, 2, 0, 1]
const HWCM_TO_CMHW = [2, 3, 0, 1]

/**
 * Translates TensorFlow.js operations into ONNX nodes on demand, from the wanted outputs backwards. Activations keep
 * TensorFlow's order (batch, height, width, channel). Each convolution and pooling is between two Transposes, which
 * onnxruntime moves through the graph and cancels at loading. `given`: names of existing values (the input).
 *
 * Returns a function from a TensorFlow value (`node` or `node:1`) to the name of the ONNX value. Throws on an unknown
 * operation with its name.
 */
export function createTranslator(tfjs: TfjsGraph, onnx: OnnxGraph, given: ReadonlyMap<string, string>) {
  const done = new Map(given)

  function value(reference: string): string {
    const name = reference.replace(/:0$/, '')
    const existing = done.get(name)
    if (existing !== undefined) return existing
    const constant = tfjs.constants.get(name)
    const translated = constant ? emitConstant(constant) : translateNode(name)
    done.set(name, translated)
    return translated
  }

  /** Only convolution kernels are rounded to 16 bits; scales and biases are small and keep their precision. */
  function emitConstant({ shape, data }: Tensor): string {
    return data instanceof Float16Array ? onnx.weights(shape, data) : onnx.constant(shape, data)
  }

  function translateNode(reference: string): string {
    const [name = '', output] = reference.split(':')
    const node = tfjs.nodes.get(name)
    if (!node) throw new Error(`the graph has no node ${name}`)
    if (node.op === 'SplitV') return split(node, Number(output ?? 0))
    const emit = operations[node.op]
    if (!emit) throw new Error(`${name}: cannot translate operation ${node.op}`)
    const inputs = (node.input ?? []).filter((input) => !input.startsWith('^'))
    return emit(node, inputs)
  }

  /**
   * Value of an operand that must be a constant: shapes, axes, paddings. Folds the few operations that compute shapes.
   */
  function known(reference: string): Tensor {
    const name = reference.replace(/:0$/, '')
    const constant = tfjs.constants.get(name)
    if (constant) return constant
    const node = tfjs.nodes.get(name)
    const operand = (index: number) => known(at(node?.input ?? [], index))
    if (node?.op === 'Identity') return operand(0)
    if (node?.op === 'AddV2') {
      const [left, right] = [operand(0), operand(1)]
      return { shape: left.shape, data: Int32Array.from(left.data, (item, index) => item + at(right.data, index)) }
    }
    if (node?.op === 'SparseToDense') {
      // In these graphs the list of positions is empty, so the default value applies everywhere.
      const shape = Array.from(operand(1).data)
      return { shape, data: new Int32Array(shape.reduce((product, size) => product * size, 1)) }
    }
    throw new Error(`${name}: not a constant`)
  }

  const integers = (reference: string) => Array.from(known(reference).data)
  const toChannelsFirst = (input: string) => onnx.node('Transpose', [input], { perm: [0, 3, 1, 2] })
  const toChannelsLast = (input: string) => onnx.node('Transpose', [input], { perm: [0, 2, 3, 1] })
  const clip6 = (input: string) => onnx.node('Clip', [input, onnx.scalar(0), onnx.scalar(6)])

  function window(node: GraphNode): Attributes {
    const strides = integersAttribute(node, 'strides')
    const dilations = integersAttribute(node, 'dilations')
    return {
      strides: strides.slice(1, 3),
      auto_pad: stringAttribute(node, 'padding') === 'VALID' ? 'VALID' : 'SAME_UPPER',
      ...(dilations.some((dilation) => dilation > 1) && { dilations: dilations.slice(1, 3) }),
    }
  }

  function convolution(node: GraphNode, [input, filter]: readonly string[], depthwise: boolean): string {
    const weight = known(String(filter))
    const [height, width, channels, multiplier] = weight.shape
    const { data } = permute(weight, depthwise ? HWCM_TO_CMHW : HWIO_TO_OIHW)
    if (data instanceof Int32Array) throw new Error(`${node.name}: integer weights`)
    const [c, m, h, w] = [channels, multiplier, height, width].map(Number) as [number, number, number, number]
    const operands = [
      toChannelsFirst(value(String(input))),
      onnx.weights(depthwise ? [c * m, 1, h, w] : [m, c, h, w], data),
    ]
    return toChannelsLast(
      onnx.node('Conv', operands, { ...window(node), kernel_shape: [h, w], group: depthwise ? c : 1 }),
    )
  }

  function split(node: GraphNode, wanted: number): string {
    const [input, sizes, axis] = node.input ?? []
    const lengths = integers(String(sizes))
    const outputs = onnx.nodeWithOutputs('Split', [value(String(input)), onnx.integers(lengths)], lengths.length, {
      axis: at(integers(String(axis)), 0),
    })
    outputs.forEach((output, index) => {
      done.set(index === 0 ? node.name : `${node.name}:${index}`, output)
    })
    return at(outputs, wanted)
  }

  /**
   * TensorFlow lists the paddings before and after for each axis. ONNX lists all paddings before, then all paddings
   * after.
   */
  function pad([input, paddings, fill]: readonly string[]): string {
    const amounts = integers(String(paddings))
    const ordered = [...amounts.filter((_, i) => i % 2 === 0), ...amounts.filter((_, i) => i % 2 === 1)]
    const operands = [value(String(input)), onnx.integers(ordered)]
    // The lowest finite number replaces minus infinity before a maximum.
    if (fill !== undefined) operands.push(onnx.scalar(Math.max(-3.4e38, at(known(fill).data, 0))))
    return onnx.node('Pad', operands)
  }

  function resize(node: GraphNode, [input, size]: readonly string[]): string {
    const source = toChannelsFirst(value(String(input)))
    const outer = onnx.node('Slice', [
      onnx.node('Shape', [source]),
      onnx.integers([0]),
      onnx.integers([2]),
      onnx.integers([0]),
    ])
    const sizes = onnx.node('Concat', [outer, onnx.integers(integers(String(size)))], { axis: 0 })
    const coordinates = booleanAttribute(node, 'half_pixel_centers') ? 'half_pixel' : 'asymmetric'
    if (booleanAttribute(node, 'align_corners')) throw new Error(`${node.name}: align_corners`)
    return toChannelsLast(
      onnx.node('Resize', [source, '', '', sizes], {
        mode: 'linear',
        coordinate_transformation_mode: coordinates,
      }),
    )
  }

  function batchNorm(node: GraphNode, [input, ...statistics]: readonly string[]): string {
    const operands = statistics.map((name) => {
      const { shape, data } = known(name)
      return onnx.constant(shape, Float32Array.from(data))
    })
    const epsilon = { float: floatAttribute(node, 'epsilon', 0.001) }
    return toChannelsLast(
      onnx.node('BatchNormalization', [toChannelsFirst(value(String(input))), ...operands], { epsilon }),
    )
  }

  const unary = (op: string) => (_: GraphNode, inputs: readonly string[]) => onnx.node(op, [value(at(inputs, 0))])
  const elementwise = (op: string) => (_: GraphNode, inputs: readonly string[]) => onnx.node(op, inputs.map(value))

  const operations: Readonly<Record<string, (node: GraphNode, inputs: readonly string[]) => string>> = {
    Conv2D: (node, inputs) => convolution(node, inputs, false),
    DepthwiseConv2dNative: (node, inputs) => convolution(node, inputs, true),
    FusedBatchNorm: batchNorm,
    MaxPool: (node, inputs) =>
      toChannelsLast(
        onnx.node('MaxPool', [toChannelsFirst(value(at(inputs, 0)))], {
          ...window(node),
          kernel_shape: integersAttribute(node, 'ksize').slice(1, 3),
        }),
      ),
    Add: elementwise('Add'),
    AddN: elementwise('Add'),
    AddV2: elementwise('Add'),
    BiasAdd: elementwise('Add'),
    Mul: elementwise('Mul'),
    Sub: elementwise('Sub'),
    Relu6: (_, inputs) => clip6(value(at(inputs, 0))),
    Sigmoid: unary('Sigmoid'),
    LeakyRelu: (node, inputs) =>
      onnx.node('LeakyRelu', [value(at(inputs, 0))], { alpha: { float: floatAttribute(node, 'alpha', 0.2) } }),
    Identity: (_, inputs) => value(at(inputs, 0)),
    Pad: (_, inputs) => pad(inputs),
    PadV2: (_, inputs) => pad(inputs),
    Transpose: (_, inputs) => onnx.node('Transpose', [value(at(inputs, 0))], { perm: integers(at(inputs, 1)) }),
    Reshape: (_, inputs) => onnx.node('Reshape', [value(at(inputs, 0)), onnx.integers(integers(at(inputs, 1)))]),
    ConcatV2: (_, inputs) =>
      onnx.node('Concat', inputs.slice(0, -1).map(value), { axis: at(integers(at(inputs, inputs.length - 1)), 0) }),
    ResizeBilinear: resize,
  }

  return value
}
