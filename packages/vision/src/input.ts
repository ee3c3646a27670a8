import type { ModelManifest } from './manifest.ts'
import { Tensor } from './onnxruntime.ts'

/** Grey level outside the picture, as in the training of such networks. */
const PADDING = 114

export interface Input {
  /** Size of the picture for `fill`, in pixels: packed rows of 3 bytes a pixel, channel order of the manifest. */
  readonly width: number
  readonly height: number
  /** Shape of the tensor, in the order of its axes. */
  readonly shape: readonly number[]
  /**
   * Writes the picture into the network's input. All calls share one buffer: the tensor is valid until the next call.
   */
  fill(packed: Uint8Array): Tensor
}

export function createInput({ entrada }: ModelManifest): Input {
  const { largura, altura, disposicao, tipo, media, desvio } = entrada
  const { largura: width, altura: height } = entrada.quadro ?? entrada
  const pixels = largura * altura
  const planes = disposicao === 'nchw'
  const values = tipo === 'uint8' ? new Uint8Array(pixels * 3) : new Float32Array(pixels * 3)
  const shape = planes ? [1, 3, altura, largura] : [1, altura, largura, 3]
  const tensor = new Tensor(tipo, values, shape)
  // Normalisation by one table look-up per byte.
  const tables = [0, 1, 2].map((channel) =>
    Float32Array.from({ length: 256 }, (_, byte) =>
      tipo === 'uint8' ? byte : (byte - (media[channel] ?? 0)) / (desvio[channel] ?? 1),
    ),
  )
  const pixelStep = planes ? 1 : 3
  const channelStep = planes ? pixels : 1
  for (const [channel, table] of tables.entries()) {
    for (let pixel = 0; pixel < pixels; pixel++) {
      values[pixel * pixelStep + channel * channelStep] = table[PADDING] ?? 0
    }
  }

  return {
    width,
    height,
    shape,
    fill(packed) {
      for (const [channel, table] of tables.entries()) {
        let from = channel
        for (let row = 0; row < height; row++) {
          let to = row * largura * pixelStep + channel * channelStep
          for (let column = 0; column < width; column++, from += 3, to += pixelStep) {
            values[to] = table[packed[from] ?? 0] ?? 0
          }
        }
      }
      return tensor
    },
  }
}
