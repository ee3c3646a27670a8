import { xorshift } from '@vigia/testing/random'
import { type Pixels, scaleValues, toGray } from '../stress/pixels.ts'
import type { Step } from '../stress/transforms.ts'
import { lampField, patches, shade, veil } from './light.ts'
import { createFlakes, createHeadlights, createInsects, createRain } from './particles.ts'
import { createSensorNoise } from './sensor-noise.ts'

interface Settings {
  readonly seed: number
  /** 1: bad but usual weather; 0: none. */
  readonly strength: number
  readonly width: number
  readonly height: number
}

interface Mode {
  readonly titulo: string
  /** Appearance at strength 1, in words with units. */
  readonly forca: string
  /** Training never uses a mode of `medida`, and measuring never one of `treino`. */
  readonly uso: 'treino' | 'medida'
  create(settings: Settings): (picture: Pixels, atS: number) => void
}

const modes = {
  ir: {
    titulo: 'infravermelho',
    forca: 'sem cor, 55 % da luz, cantos a 60 %, ruído de 5 níveis',
    uso: 'treino',
    create: (settings) => infrared(settings, { edge: 0.6, gain: 0.55, read: 5 }),
  },
  ir_insetos: {
    titulo: 'infravermelho com insetos',
    forca: 'sem cor, 60 % da luz, cantos a 35 %, ruído de 6 níveis, 20 insetos por minuto',
    uso: 'medida',
    create(settings) {
      const night = infrared(settings, { edge: 0.35, gain: 0.6, read: 6 })
      const insects = createInsects({ perMinute: 20, radius: 0.035, level: 190 * settings.strength }, settings.seed + 2)
      return (picture, atS) => {
        night(picture, atS)
        insects(picture, atS)
      }
    },
  },
  ir_farois: {
    titulo: 'infravermelho com faróis',
    forca: 'sem cor, 45 % da luz, ruído de 7 níveis, um veículo a cada 23 s com 110 níveis de luz',
    uso: 'medida',
    create(settings) {
      const night = infrared(settings, { edge: 0.5, gain: 0.45, read: 7 })
      const headlights = createHeadlights(110 * settings.strength, settings.seed + 3)
      return (picture, atS) => {
        night(picture, atS)
        headlights(picture, atS)
      }
    },
  },
  chuva_fina: {
    titulo: 'chuva fina',
    forca: '1 risco por 1500 pixels, até 4 % da altura, 30 % opaco; contraste a 85 %',
    uso: 'treino',
    create: (settings) =>
      rain(settings, 0.85, [{ pixelsPerDrop: 1500, length: 0.04, opacity: 0.3, slope: 0.1, widthPx: 1 }]),
  },
  chuva_vento: {
    titulo: 'chuva com vento',
    forca: '1 risco por 900 pixels, até 9 % da altura, inclinado, perto e longe; contraste a 75 %',
    uso: 'medida',
    create: (settings) =>
      rain(settings, 0.75, [
        { pixelsPerDrop: 1000, length: 0.05, opacity: 0.35, slope: -0.35, widthPx: 1 },
        { pixelsPerDrop: 9000, length: 0.09, opacity: 0.25, slope: -0.4, widthPx: 3 },
      ]),
  },
  nevoa: {
    titulo: 'névoa',
    forca: 'véu igual de 190 níveis, 35 % opaco',
    uso: 'treino',
    create: ({ strength }) => {
      return (picture) => veil(picture, 190, () => 0.35 * strength)
    },
  },
  nevoa_bancos: {
    titulo: 'névoa em bancos',
    forca: 'véu de 175 níveis, de 20 a 65 % opaco, mais denso em cima, que passa em 60 s',
    uso: 'medida',
    create({ seed, strength, width, height }) {
      const field = patches(width, height, 3, xorshift(seed))
      return (picture, atS) => {
        const moved = Math.floor(((atS % 60) / 60) * width)
        veil(picture, 175, (at) => {
          const x = at % width
          const y = (at - x) / width
          // Mirrored at the border, so that the bank has no edge.
          const from = (x + moved) % (2 * width)
          const thick = field[y * width + (from < width ? from : 2 * width - 1 - from)] ?? 0
          return strength * (0.2 + 0.3 * thick + 0.15 * (1 - y / height))
        })
      }
    },
  },
  neve_fina: {
    titulo: 'neve fina',
    forca: '150 flocos de até 0,8 % da altura; contraste a 85 %',
    uso: 'treino',
    create: (settings) => snow(settings, 0.85, { count: 150, radius: 0.008, fall: 0.3, drift: 0.02, level: 120 }),
  },
  neve_vento: {
    titulo: 'neve com vento',
    forca: '350 flocos de até 2 % da altura, levados para o lado; contraste a 75 %',
    uso: 'medida',
    create: (settings) => snow(settings, 0.75, { count: 350, radius: 0.02, fall: 0.5, drift: -0.35, level: 150 }),
  },
  pouca_luz: {
    titulo: 'pouca luz',
    forca: '30 % da luz, ruído de 6 níveis, igual nas cores',
    uso: 'treino',
    create: (settings) => dim(settings, 0.3, { read: 6, shot: 0, colour: 0 }),
  },
  pouca_luz_cor: {
    titulo: 'pouca luz com ruído de cor',
    forca: '28 % da luz, leitura de 4 níveis e luz de 0,9 por raiz de nível, metade diferente por cor',
    uso: 'medida',
    create: (settings) => dim(settings, 0.28, { read: 4, shot: 0.9, colour: 0.5 }),
  },
} as const satisfies Record<string, Mode>

export type WeatherMode = keyof typeof modes
export const weatherModes = Object.keys(modes) as WeatherMode[]
export const weatherOf = (mode: WeatherMode): Mode => modes[mode]
export const measuringModes = weatherModes.filter((mode) => modes[mode].uso === 'medida')

/** Seeds below are for training, seeds from here on for measuring. */
export const MEASURING_SEED = 1_000_000

/**
 * Weather on the pictures of one camera. The result depends only on the settings and the time of the picture, so that
 * a long run can stop and continue. Throws RangeError if the seed belongs to the other use.
 */
export function createWeather(
  mode: WeatherMode,
  settings: Omit<Settings, 'strength'> & { readonly strength?: number },
): Step {
  const chosen = weatherOf(mode)
  if (settings.seed >= MEASURING_SEED !== (chosen.uso === 'medida'))
    throw new RangeError(`Seed ${settings.seed} is not for ${chosen.uso}`)
  const apply = chosen.create({ strength: 1, ...settings })
  return (picture, atS) => {
    apply(picture, atS)
    return picture.rgb
  }
}

/** From 1 (no weather) to `full` at strength 1. */
const towards = (full: number, strength: number): number => 1 + (full - 1) * strength

function infrared(
  { seed, strength, width, height }: Settings,
  { edge, gain, read }: { edge: number; gain: number; read: number },
) {
  const lamp = lampField(width, height, towards(edge, strength))
  const noise = createSensorNoise({ read: read * strength, shot: 0, colour: 0 }, seed)
  return (picture: Pixels, atS: number) => {
    toGray(picture)
    shade(picture, lamp, towards(gain, strength))
    noise(picture, atS)
  }
}

function rain({ seed, strength }: Settings, contrast: number, layers: readonly Parameters<typeof createRain>[0][]) {
  const falling = layers.map((layer, index) =>
    createRain({ ...layer, opacity: layer.opacity * strength }, seed + 31 * index),
  )
  return (picture: Pixels, atS: number) => {
    scaleValues(picture, towards(contrast, strength), 128)
    for (const layer of falling) layer(picture, atS)
  }
}

function snow({ seed, strength }: Settings, contrast: number, flakes: Parameters<typeof createFlakes>[0]) {
  const falling = createFlakes({ ...flakes, count: Math.round(flakes.count * strength) }, seed)
  return (picture: Pixels, atS: number) => {
    scaleValues(picture, towards(contrast, strength), 150)
    falling(picture, atS)
  }
}

function dim({ seed, strength }: Settings, light: number, noise: Parameters<typeof createSensorNoise>[0]) {
  const grain = createSensorNoise({ ...noise, read: noise.read * strength, shot: noise.shot * strength }, seed)
  return (picture: Pixels, atS: number) => {
    scaleValues(picture, towards(light, strength))
    grain(picture, atS)
  }
}
