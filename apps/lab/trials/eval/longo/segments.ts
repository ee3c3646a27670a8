import { xorshift } from '@vigia/testing/random'
import { MEASURING_SEED, type WeatherMode } from '../weather/weather.ts'
import { type LongScene, type Perfil, scenes } from './scenes.ts'

/** Stream time of one segment: a run that was ended continues after the last complete segment. */
export const SEGMENT_S = 600

export interface Segment {
  readonly perfil: Perfil
  readonly numero: number
  readonly cena: LongScene
  readonly semente: number
  /** Light and weather at a time of the segment. */
  at(atS: number): Sky
}

interface Sky {
  /** Factor of the brightness. */
  readonly luz: number
  readonly clima: WeatherMode | null
}

type MeasuringMode = 'chuva_vento' | 'nevoa_bancos' | 'neve_vento' | 'ir_insetos' | 'ir_farois' | 'pouca_luz_cor'
const BY_DAY = [null, 'chuva_vento', 'nevoa_bancos', 'neve_vento'] as const satisfies (MeasuringMode | null)[]
const BY_NIGHT = ['ir_insetos', 'ir_farois', 'pouca_luz_cor'] as const satisfies MeasuringMode[]

/** Hours of the two switches between day and night. Each lies inside a segment. */
const [DAWN, DUSK] = [6 + 1 / 12, 18 + 1 / 12]
/** Distance between the seeds of the profiles. */
const PROFILE_SEEDS = 500_000

/**
 * The segments of `hours` of stream: the daily course of light, with a scene and weather for each. Their order is
 * shuffled, so that an incomplete run covers day and night.
 */
export function segmentsOf(perfil: Perfil, hours: number): Segment[] {
  const count = Math.ceil((hours * 3600) / SEGMENT_S)
  const random = xorshift(MEASURING_SEED)
  return Array.from({ length: count }, (_, numero) => ({ numero, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ numero }) => segmentOf(perfil, numero))
}

function segmentOf(perfil: Perfil, numero: number): Segment {
  const semente = MEASURING_SEED + (perfil === 'parado' ? 0 : PROFILE_SEEDS) + numero
  const random = xorshift(semente)
  // The first numbers of similar seeds are similar.
  for (let i = 0; i < 4; i++) random()
  const day = BY_DAY[Math.floor(random() * BY_DAY.length)] ?? null
  const night = BY_NIGHT[Math.floor(random() * BY_NIGHT.length)] ?? null
  const clouds = [40 + 80 * random(), 12 + 18 * random()].map((periodS) => ({ periodS, phase: 2 * Math.PI * random() }))
  const cena = scenes[perfil][numero % scenes[perfil].length]
  if (!cena) throw new Error(`no scene for ${perfil}`)
  return {
    perfil,
    numero,
    cena,
    semente,
    at(atS) {
      const hour = ((numero * SEGMENT_S + atS) / 3600) % 24
      const sway = clouds.reduce((sum, { periodS, phase }) => sum + Math.sin((2 * Math.PI * atS) / periodS + phase), 0)
      if (hour < DAWN || hour >= DUSK) return { luz: 1 + 0.015 * sway, clima: night }
      const sun = Math.sin((Math.PI * (hour - DAWN)) / (DUSK - DAWN))
      return { luz: (0.55 + 0.5 * sun) * (1 + 0.1 * sway), clima: day }
    },
  }
}
