import { VigiaError } from '@vigia/contracts/errors'
import type { Detection } from '@vigia/ias/detection'
import { clip } from '@vigia/ias/geometry'
import type { CreateDecoder } from './decoders/decoder.ts'
import { createDetrDecoder } from './decoders/detr.ts'
import { createDfineDecoder } from './decoders/dfine.ts'
import { createNanodetDecoder } from './decoders/nanodet.ts'
import { createSsdDecoder } from './decoders/ssd.ts'
import { createYolov8Decoder } from './decoders/yolov8.ts'
import { createYolov10Decoder } from './decoders/yolov10.ts'
import { createYoloxDecoder } from './decoders/yolox.ts'
import type { ModelManifest } from './manifest.ts'
import { type Network, openNetwork } from './network.ts'
import type { SessionOptions } from './session.ts'
import { suppress } from './suppression.ts'

export interface DetectOptions {
  readonly minConfidence: number
  /** Restricts the detections to these labels; default: all. A label unknown to the model yields no detections. */
  readonly labels?: readonly string[]
}

export interface Detector {
  /** Registry id of the model. */
  readonly id: string
  /** As of `Network`. */
  readonly aviso: Network['aviso']
  /** Size and format of the pictures for `detect`. */
  readonly input: Network['input']
  /**
   * Objects in one picture, most confident first. Calls run in order. A run blocks its thread (`createModelRunner`).
   * `packed` must not change until the promise settles. Rejects with RangeError when the size of `packed` differs from
   * `input`.
   */
  detect(packed: Uint8Array, options: DetectOptions): Promise<Detection[]>
  /** Waits for the current runs and frees the memory. */
  close(): Promise<void>
}

const decoders: Readonly<Partial<Record<ModelManifest['decodificador'], CreateDecoder>>> = {
  nanodet: createNanodetDecoder,
  ssd: createSsdDecoder,
  yolox: createYoloxDecoder,
  yolov8: createYolov8Decoder,
  yolov10: createYolov10Decoder,
  detr: createDetrDecoder,
  dfine: createDfineDecoder,
}

/**
 * Loads the model and checks it with one run on an empty picture. Throws VigiaError `interno` for an unusable model.
 */
export async function createDetector(manifest: ModelManifest, options: SessionOptions = {}): Promise<Detector> {
  const { id, entrada, rotulos } = manifest
  const decoder = decoders[manifest.decodificador]?.(manifest)
  if (!decoder)
    throw new VigiaError('interno', { detalhe: `O modelo ${id} é um classificador: não diz onde está o que vê.` })
  const check: Parameters<typeof openNetwork>[2] = (outputs) => {
    decoder.decode(outputs, { minConfidence: 1, classes: rotulos.map((_, index) => index) })
  }
  const network = await openNetwork(manifest, options, check, decoder.sizeInput)
  /** The network's fractions refer to its whole input, those of `Detection` to the picture in it. */
  const [scaleX, scaleY] = [entrada.largura / network.input.width, entrada.altura / network.input.height]

  return {
    id,
    aviso: network.aviso,
    input: network.input,
    async detect(packed, { minConfidence, labels }) {
      const classes = rotulos.flatMap((label, index) => (label && (labels?.includes(label) ?? true) ? [index] : []))
      const found = await network.run(packed, (outputs) => decoder.decode(outputs, { minConfidence, classes }))
      const inside = found.map(({ rotulo, confianca, x, y, w, h }) => {
        const box = clip({ x: x * scaleX, y: y * scaleY, w: w * scaleX, h: h * scaleY })
        return { rotulo, confianca, ...box }
      })
      return suppress(
        inside.filter(({ w, h }) => w > 0 && h > 0),
        decoder.maxIou,
      )
    },
    close: () => network.close(),
  }
}
