import { elementType } from '@vigia/vision/testing/onnx-writer'
import type { Head } from './fit.ts'
import { openTrunk, trunkInput } from './trunk.ts'

/** The ONNX file of trunk and head: `image` to `probabilities` [1, classes]. Kernels have 16 bits. */
export async function headFile(
  { width, classes, mean, spread, weights, bias }: Head,
  metadata: Record<string, string>,
) {
  const { onnx, features } = await openTrunk()
  // Mean and deviation of the features are folded into the kernel and the bias.
  const kernel = weights.map((weight, at) => weight / (spread[Math.floor(at / classes)] ?? 1))
  const offset = bias.map((value, k) => {
    let sum = value
    for (let at = 0; at < width; at++) sum -= (mean[at] ?? 0) * (kernel[at * classes + k] ?? 0)
    return sum
  })
  const product = onnx.node('MatMul', [features, onnx.weights([width, classes], kernel)])
  onnx.node('Sigmoid', [onnx.node('Add', [product, onnx.constant([1, classes], offset)])], {}, 'probabilities')
  return onnx.toModel({
    name: 'second_opinion',
    inputs: [trunkInput],
    outputs: [{ name: 'probabilities', type: elementType.float, shape: [1, classes] }],
    metadata,
  })
}
