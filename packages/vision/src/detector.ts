import { VigiaError } from '@vigia/contracts/errors'
import { clip } from './boxes.ts'
import type { CreateDecoder, Outputs } from './decoders/decoder.ts'
import { createNanodetDecoder } from './decoders/nanodet.ts'
import { createSsdDecoder } from './decoders/ssd.ts'
import { createYoloxDecoder } from './decoders/yolox.ts'
import type { Detection } from './detection.ts'
import { createInput } from './input.ts'
import type { ModelManifest } from './manifest.ts'
import { openSession, type SessionOptions } from './session.ts'
import { suppress } from './suppression.ts'

export type { Detection } from './detection.ts'

export interface DetectOptions {
  readonly minConfidence: number
  /** Only these labels; left out: all. A label that the model does not know is never found. */
  readonly labels?: readonly string[]
}

export interface Detector {
  /** Registry id of the model. */
  readonly id: string
  /** The picture that `detect` wants: stretched to this size, packed rows, 3 bytes a pixel. */
  readonly input: { readonly width: number; readonly height: number; readonly format: 'rgb' | 'bgr' }
  /**
   * Objects in one picture, most confident first. Calls are served one after the other. The thread stands still while the
   * network runs, so this belongs in a process of its own. `packed` must stay as it is until the promise settles; it rejects
   * with RangeError when `packed` has not the size of `input`.
   */
  detect(packed: Uint8Array, options: DetectOptions): Promise<Detection[]>
  /** Waits for the runs that are under way and frees the memory. */
  close(): Promise<void>
}

const decoders: Readonly<Record<ModelManifest['decodificador'], CreateDecoder>> = {
  nanodet: createNanodetDecoder,
  ssd: createSsdDecoder,
  yolox: createYoloxDecoder,
}

/** Loads the model and checks it with one run on an empty picture. Throws VigiaError `interno` when it cannot be used. */
export async function createDetector(manifest: ModelManifest, options: SessionOptions = {}): Promise<Detector> {
  const { id, entrada, rotulos } = manifest
  const session = await openSession(manifest, options)
  const decoder = decoders[manifest.decodificador](manifest)
  const input = createInput(manifest)
  const inputName = session.inputNames[0] ?? ''
  const size = input.width * input.height * 3
  /** The network's fractions are of its whole input, ours of the picture in it. */
  const [scaleX, scaleY] = [entrada.largura / input.width, entrada.altura / input.height]
  let last: Promise<unknown> = Promise.resolve()
  let closed = false

  async function run(packed: Uint8Array, { minConfidence, labels }: DetectOptions): Promise<Detection[]> {
    const classes = rotulos.flatMap((label, index) => (label && (labels?.includes(label) ?? true) ? [index] : []))
    const outputs = await session.run({ [inputName]: input.fill(packed) })
    const found = decoder.decode(outputs as unknown as Outputs, { minConfidence, classes })
    const inside = found.map(({ rotulo, confianca, x, y, w, h }) => {
      const box = clip({ x: x * scaleX, y: y * scaleY, w: w * scaleX, h: h * scaleY })
      return { rotulo, confianca, ...box }
    })
    return suppress(
      inside.filter(({ w, h }) => w > 0 && h > 0),
      decoder.maxIou,
    )
  }

  await run(new Uint8Array(size), { minConfidence: 1 }).catch(async (cause: unknown) => {
    await session.release()
    throw new VigiaError('interno', {
      detalhe: `O modelo ${id} não combina com o seu manifesto. Confira a entrada, o decodificador e os rótulos.`,
      cause,
    })
  })

  return {
    id,
    input: { width: input.width, height: input.height, format: entrada.cores },
    async detect(packed, detectOptions) {
      if (packed.length !== size) throw new RangeError(`${packed.length} bytes of picture, the model wants ${size}`)
      if (closed) throw new Error('the detector is closed')
      const result = last.then(() => run(packed, detectOptions))
      last = result.catch(() => undefined)
      return result
    },
    async close() {
      if (closed) return
      closed = true
      await last
      await session.release()
    },
  }
}
