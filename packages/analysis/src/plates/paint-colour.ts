import type { coresVeiculo } from '@vigia/contracts/veiculos'
import { chromaOf, hueOf, type Lab } from './cielab.ts'
import { lightsOf, quantileOf } from './picture-samples.ts'

export type CorVeiculo = (typeof coresVeiculo)[number]

export interface SeenColour {
  readonly cor: CorVeiculo
  /** 0–1: the share of the body that has this colour, halved at a limit to another colour. */
  readonly certainty: number
}

/** Chroma up to which a sample is grey, and from which it has a hue. Lamps and the sky give grey paint up to 12. */
const CHROMA = { grey: 13, hue: 16 } as const
/** Minimum share of the body for an answer. A vehicle with a hue also has black parts. */
const SHARE_MIN = { hue: 0.4, grey: 0.6 } as const
/** Hues in degrees of CIELAB and lightness; the gaps between them belong to no colour. */
const HUES = [
  { cor: 'vermelho', from: 345, to: 48, light: [0, 100] },
  { cor: 'marrom', from: 48, to: 90, light: [0, 44] },
  { cor: 'amarelo', from: 58, to: 112, light: [48, 100] },
  { cor: 'verde', from: 118, to: 205, light: [0, 100] },
  { cor: 'azul', from: 225, to: 312, light: [0, 100] },
] as const
/** Lightness of the body as a share of that of the plate. */
const BLACK = { atMost: 0.38, sure: 0.2 } as const
const GREY_FROM = 0.45
/** Lightness from which the body may be white, and up to which it cannot. */
const WHITE_FROM = 52
const GREY_UP_TO = 44
const GREY_SURE = 29
/**
 * Brightest tenth over the darkest quarter, in lightness. Metallic paint reflects the light in one direction, white
 * paint in all.
 */
const SPREAD = { whiteSure: 10, white: 15, metallic: 18, metallicSure: 26 } as const
/** Darker samples, as a share of the middle lightness, are no paint: joints, grilles, shadows. */
const PAINT_FROM = 0.6

/**
 * The colour of paint; null: its samples disagree, or lie between two colours.
 * @param plateLight lightness of the plate in the same light, 0–100
 */
export function paintColourOf(body: readonly Lab[], plateLight: number): SeenColour | null {
  const greys = body.filter((one) => chromaOf(one) < CHROMA.grey)
  const share = greys.length / body.length
  if (share < SHARE_MIN.grey) return hueColourOf(body)
  const grey = greyColourOf(lightsOf(greys), plateLight)
  return grey && { ...grey, certainty: share * grey.certainty }
}

function hueColourOf(body: readonly Lab[]): SeenColour | null {
  const counts = new Map<CorVeiculo, number>()
  for (const one of body) {
    const cor = chromaOf(one) >= CHROMA.hue ? hueNameOf(one) : null
    if (cor) counts.set(cor, (counts.get(cor) ?? 0) + 1)
  }
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a)
  if (!first || first[1] < SHARE_MIN.hue * body.length || first[1] < 2 * (second?.[1] ?? 0)) return null
  return { cor: first[0], certainty: first[1] / body.length }
}

function hueNameOf(sample: Lab): CorVeiculo | null {
  const hue = hueOf(sample)
  const found = HUES.find(({ from, to, light: [min, max] }) => {
    const isHue = from < to ? hue >= from && hue < to : hue >= from || hue < to
    return isHue && sample.l >= min && sample.l <= max
  })
  return found?.cor ?? null
}

/** White, grey or black. `lights`: lightness of the samples without a hue. */
function greyColourOf(lights: readonly number[], plateLight: number): SeenColour | null {
  const middle = quantileOf(lights, 0.5)
  const relative = middle / plateLight
  if (relative <= BLACK.atMost) return { cor: 'preto', certainty: ramp(relative, BLACK.atMost, BLACK.sure) }
  if (relative < GREY_FROM) return null
  if (middle <= GREY_UP_TO) return { cor: 'cinza', certainty: ramp(middle, GREY_UP_TO, GREY_SURE) }
  const paint = lights.filter((light) => light >= PAINT_FROM * middle)
  const spread = quantileOf(paint, 0.9) - quantileOf(paint, 0.25)
  if (spread >= SPREAD.metallic) return { cor: 'cinza', certainty: ramp(spread, SPREAD.metallic, SPREAD.metallicSure) }
  if (spread > SPREAD.white || middle < WHITE_FROM) return null
  return { cor: 'branco', certainty: ramp(spread, SPREAD.white, SPREAD.whiteSure) }
}

/** 0.5 at `limit`, 1 from `sure` on. */
const ramp = (value: number, limit: number, sure: number): number =>
  0.5 + 0.5 * Math.min(1, Math.max(0, (value - limit) / (sure - limit)))
