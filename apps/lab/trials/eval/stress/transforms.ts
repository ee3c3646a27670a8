import { xorshift } from '@vigia/testing/random'
import { blur, createNoise, type Pixels, scaleValues, shifted, streak, toGray } from './pixels.ts'

/** Transforms the pictures of a video one after the other; it may change the buffer. */
export type Step = (picture: Pixels, atS: number) => Buffer

interface Transform {
  readonly titulo: string
  /** Strength in words with units. */
  readonly forca: string
  /** Bits per pixel of the encoded file; default: enough for almost no coding loss. */
  readonly bitsPerPixel?: number
  /** State between pictures is created anew for every video. `durationS`: of the whole video. */
  create(random: () => number, size: Pick<Pixels, 'width' | 'height'>, durationS: number): Step
}

export const inPlace =
  (change: (picture: Pixels, atS: number) => void): Step =>
  (picture, atS) => {
    change(picture, atS)
    return picture.rgb
  }

/** The strengths are those of bad but usual nights and cameras, fixed before the first measurement. */
const transforms = {
  recodificado: {
    titulo: 'só recodificado',
    forca: '10 quadros/s, sem outra alteração (controle)',
    create: () => inPlace(() => {}),
  },
  ruido: {
    titulo: 'ruído',
    forca: 'desvio de 20 níveis de 255 por pixel',
    create: (random) => inPlace(createNoise(20, random)),
  },
  desfoque: {
    titulo: 'desfoque',
    forca: 'média tripla de raio 0,4 % da largura (desvio de 0,7 %)',
    create: (_, { width }) => inPlace((picture) => blur(picture, Math.max(1, Math.round(width * 0.004)))),
  },
  escuridao: {
    titulo: 'escuridão',
    forca: 'um quarto da luz, ruído de 6 níveis',
    create(random) {
      const noise = createNoise(6, random)
      return inPlace((picture) => {
        scaleValues(picture, 0.25)
        noise(picture)
      })
    },
  },
  chuva: {
    titulo: 'chuva',
    forca: '1 risco por 800 pixels, 3–8 % da altura, 40 % opaco; contraste a 80 %',
    create: (random, { width, height }) =>
      inPlace((picture) => {
        scaleValues(picture, 0.8, 128)
        for (let drop = 0; drop < (width * height) / 800; drop++) {
          const length = height * (0.03 + 0.05 * random())
          streak(picture, random() * width * 1.1 - width * 0.1, random() * height - length, length, 0.15, 0.4)
        }
      }),
  },
  dia_noite: {
    titulo: 'troca dia/noite',
    forca: 'da metade em diante sem cor, 40 % da luz, ruído de 10 níveis',
    create(random, _, durationS) {
      const noise = createNoise(10, random)
      return inPlace((picture, atS) => {
        if (atS < durationS / 2) return
        toGray(picture)
        scaleValues(picture, 0.4)
        noise(picture)
      })
    },
  },
  tremor: {
    titulo: 'câmera que treme',
    forca: 'até 1,5 % da largura, outro lugar a cada quadro',
    create(random, { width }) {
      const most = width * 0.015
      let [x, y] = [0, 0]
      // A mast in the wind: each picture pushes it randomly, and it returns to its position.
      const push = (from: number) => Math.max(-most, Math.min(most, from * 0.6 + (random() - 0.5) * 2 * most))
      return (picture) => {
        ;[x, y] = [push(x), push(y)]
        return shifted(picture, Math.round(x), Math.round(y))
      }
    },
  },
  taxa_baixa: {
    titulo: 'taxa de bits baixa',
    forca: '0,02 bit por pixel (66 kbit/s em 768x432 a 10 quadros/s)',
    bitsPerPixel: 0.02,
    create: () => inPlace(() => {}),
  },
} as const satisfies Record<string, Transform>

export type TransformName = keyof typeof transforms
export const transformNames = Object.keys(transforms) as TransformName[]

/** Enough that the encoder's own losses are invisible. */
const PLENTY_BITS_PER_PIXEL = 0.6

export const transformOf = (name: TransformName): Transform => transforms[name]

export const bitsPerPixelOf = (name: TransformName | null): number =>
  (name && transformOf(name).bitsPerPixel) ?? PLENTY_BITS_PER_PIXEL

/** The steps of one video: the same seed always gives the same pictures. */
export const createTransform = (
  name: TransformName,
  seed: number,
  size: Pick<Pixels, 'width' | 'height'>,
  durationS: number,
): Step => transformOf(name).create(xorshift(seed), size, durationS)
