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
  const scales = desvio.map((deviation) => (tipo === 'uint8' ? 1 : 1 / deviation))
  const offsets = media.map((mean, channel) => (tipo === 'uint8' ? 0 : -mean * (scales[channel] ?? 1)))
  const pixelStep = planes ? 1 : 3
  const channelStep = planes ? pixels : 1
  for (const channel of [0, 1, 2]) {
    const grey = PADDING * (scales[channel] ?? 1) + (offsets[channel] ?? 0)
    for (let pixel = 0; pixel < pixels; pixel++) values[pixel * pixelStep + channel * channelStep] = grey
  }

  const [scale0, scale1, scale2] = [0, 1, 2].map((channel) => scales[channel] ?? 1) as [number, number, number]
  const [offset0, offset1, offset2] = [0, 1, 2].map((channel) => offsets[channel] ?? 0) as [number, number, number]
  const [second, third] = [channelStep, 2 * channelStep]

  return {
    width,
    height,
    shape,
    fill(packed) {
      let from = 0
      for (let row = 0; row < height; row++) {
        let to = row * largura * pixelStep
        for (let column = 0; column < width; column++, from += 3, to += pixelStep) {
          values[to] = (packed[from] as number) * scale0 + offset0
          values[to + second] = (packed[from + 1] as number) * scale1 + offset1
          values[to + third] = (packed[from + 2] as number) * scale2 + offset2
        }
      }
      return tensor
    },
  }
}
