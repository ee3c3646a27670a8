import type { ProblemaImagem } from '@vigia/contracts/ias'
import { xorshift } from '@vigia/testing/random'
import { blur, createNoise, type Pixels, scaleValues, wrapped } from './pixels.ts'
import { inPlace, type Step } from './transforms.ts'

/** Kind of the obstruction, and its strength in words with units. */
const obstructions: Readonly<Record<ProblemaImagem, { readonly forca: string; create(random: () => number): Step }>> = {
  coberta: {
    forca: 'superfície lisa de 45 níveis, ruído de 3',
    create: (random) => covered(45, 3, random),
  },
  desfocada: {
    forca: 'média tripla de raio 3 % da largura',
    create: () => inPlace((picture) => blur(picture, Math.max(2, Math.round(picture.width * 0.03)))),
  },
  ofuscada: {
    forca: 'contraste a 15 %, em torno de 240 níveis, ruído de 2',
    create(random) {
      const noise = createNoise(2, random)
      return inPlace((picture) => {
        scaleValues(picture, 0.15, 255)
        noise(picture)
      })
    },
  },
  desviada: {
    forca: 'as metades esquerda e direita trocadas: outra vista',
    create: () => (picture) => wrapped(picture, Math.round(picture.width / 2)),
  },
  congelada: {
    forca: 'o último quadro repetido',
    create() {
      let last: Buffer | null = null
      return ({ rgb }) => {
        last ??= rgb
        return last
      }
    },
  },
  preta: {
    forca: 'preto, ruído de 2 níveis',
    create: (random) => covered(4, 2, random),
  },
}

function covered(level: number, deviation: number, random: () => number): Step {
  const noise = createNoise(deviation, random)
  return inPlace((picture: Pixels) => {
    picture.rgb.fill(level)
    noise(picture)
  })
}

export const strengthOf = (problema: ProblemaImagem): string => obstructions[problema].forca

/** Obstructs every picture from `fromS` (seconds of the video) on. */
export function createObstruction(problema: ProblemaImagem, fromS: number, seed: number): Step {
  const obstruct = obstructions[problema].create(xorshift(seed))
  return (picture, atS) => (atS < fromS ? picture.rgb : obstruct(picture, atS))
}
