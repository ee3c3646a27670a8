import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOnnxGraph, elementType } from './onnx-writer.ts'

/** Side of the pictures of the small networks, in pixels. */
export const toySide = 64

/** Manifest fields that all small networks share: RGB planes of floats 0–1. */
const toyManifest = {
  licenca: 'nenhuma',
  origem: 'escrito pelo teste',
  entrada: {
    largura: toySide,
    altura: toySide,
    cores: 'rgb',
    disposicao: 'nchw',
    tipo: 'float32',
    desvio: [255, 255, 255],
  },
}

/** Mean of each channel [1, 3, 1, 1] of the input `image`. */
function openToy() {
  const onnx = createOnnxGraph()
  const means = onnx.node('GlobalAveragePool', ['image'])
  const toModel = (shape: readonly number[]) =>
    onnx.toModel({
      name: 'toy',
      inputs: [{ name: 'image', type: elementType.float, shape: [1, 3, toySide, toySide] }],
      outputs: [{ name: 'output', type: elementType.float, shape }],
      metadata: {},
    })
  return { onnx, means, toModel }
}

/**
 * A real network in the layout of YOLOv8 that returns `rows`: centre, size in pixels, score of each class. The scores
 * scale with the green of the picture. `planes`: [1, values, rows], else [1, rows, values].
 */
export function toyDetector(rows: readonly (readonly number[])[], planes: boolean): Buffer {
  const { onnx, means, toModel } = openToy()
  const width = rows[0]?.length ?? 0
  const shape = planes ? [1, width, rows.length] : [1, rows.length, width]
  const part = (wanted: (column: number) => boolean) => {
    const table = rows.map((row) => row.map((value, column) => (wanted(column) ? value : 0)))
    const values = planes ? Array.from({ length: width }, (_, column) => table.map((row) => row[column] ?? 0)) : table
    return onnx.constant(shape, Float32Array.from(values.flat()))
  }
  const green = onnx.node('Gather', [means, onnx.integers([1])], { axis: 1 })
  const brightness = onnx.node('Reshape', [green, onnx.integers([1, 1, 1])])
  const scores = onnx.node('Mul', [part((column) => column >= 4), brightness])
  onnx.node('Add', [part((column) => column < 4), scores], {}, 'output')
  return toModel(shape)
}

type Values = readonly (readonly number[])[] | readonly number[] | readonly bigint[]

/**
 * A real network with these outputs, [1, rows, values] or [1, rows], for any picture. With an output `boxes` it has the
 * second input `orig_target_sizes`, and the boxes scale with it.
 */
export function toyExport(outputs: Readonly<Record<string, Values>>): Buffer {
  const onnx = createOnnxGraph()
  const black = onnx.node('Mul', [onnx.node('GlobalAveragePool', ['image']), onnx.scalar(0)])
  const zero = onnx.node('Reshape', [onnx.node('ReduceSum', [black, onnx.integers([1])]), onnx.integers([1])])
  const sized = 'boxes' in outputs
  const infos = Object.entries(outputs).map(([name, values]) => {
    const shape = [1, values.length, ...(Array.isArray(values[0]) ? [values[0].length] : [])]
    const flat = values.flat()
    const isWhole = typeof flat[0] === 'bigint'
    const data = isWhole ? BigInt64Array.from(flat.map(BigInt)) : Float32Array.from(flat.map(Number))
    const table = onnx.constant(shape, data)
    if (isWhole) {
      onnx.node('Add', [table, onnx.node('Cast', [zero], { to: elementType.int64 })], {}, name)
    } else if (name === 'boxes') {
      const size = onnx.node('Cast', ['orig_target_sizes'], { to: elementType.float })
      onnx.node('Mul', [table, onnx.node('Concat', [size, size], { axis: 1 })], {}, name)
    } else onnx.node('Add', [table, zero], {}, name)
    return { name, type: isWhole ? elementType.int64 : elementType.float, shape }
  })
  const image = { name: 'image', type: elementType.float, shape: [1, 3, toySide, toySide] }
  const size = { name: 'orig_target_sizes', type: elementType.int64, shape: [1, 2] }
  return onnx.toModel({ name: 'toy', inputs: sized ? [image, size] : [image], outputs: infos, metadata: {} })
}

/** A real network that returns the share of each colour in the picture [1, 3], plus `bias`. */
export function toyClassifier(bias = 0): Buffer {
  const { onnx, means, toModel } = openToy()
  const flat = onnx.node('Reshape', [means, onnx.integers([1, 3])])
  onnx.node('Add', [flat, onnx.scalar(bias)], {}, 'output')
  return toModel([1, 3])
}

/**
 * Writes `{id}.onnx` and its manifest `{id}.json` into `folder`; `changes` override the manifest of the small networks.
 */
export async function bring(folder: string, id: string, model: Buffer, changes: object): Promise<void> {
  const arquivo = `${id}.onnx`
  const sha256 = createHash('sha256').update(model).digest('hex')
  await writeFile(join(folder, arquivo), model)
  await writeFile(join(folder, `${id}.json`), JSON.stringify({ id, arquivo, sha256, ...toyManifest, ...changes }))
}

/** A picture of one colour for the small networks. */
export const toyPicture = (red: number, green: number, blue: number): Uint8Array =>
  Uint8Array.from({ length: toySide * toySide * 3 }, (_, at) => [red, green, blue][at % 3] ?? 0)
