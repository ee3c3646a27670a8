import type { Box } from '@vigia/ias/geometry'
import { describe, expect, it } from 'vitest'
import type { CorVeiculo } from './paint-colour.ts'
import type { RgbPicture } from './picture.ts'
import { colourOf } from './vehicle-colour.ts'

type Rgb = readonly [number, number, number]

const [WIDTH, HEIGHT] = [200, 160]
const VEHICLE = { x: 0.1, y: 0.1, w: 0.8, h: 0.8 }
const PLATE = { x: 0.4, y: 0.62, w: 0.2, h: 0.07 }
const STREET: Rgb = [120, 110, 90]
const SKY: Rgb = [120, 160, 220]
const GLASS: Rgb = [40, 50, 55]
const TYRES: Rgb = [25, 25, 25]
const LAMP: Rgb = [190, 30, 30]
const PLATE_GREY: Rgb = [190, 190, 190]
const RED: Rgb = [180, 25, 30]
const BLUE: Rgb = [25, 60, 150]
const PLASTIC: Rgb = [30, 30, 30]

interface Drawing {
  /** Colour of the body at a place; `u` and `v` are fractions of the vehicle. */
  readonly paint: (u: number, v: number) => Rgb
  readonly glass?: Rgb
  readonly plate?: Box
  /** Colour of the part around the plate; without it the paint surrounds the plate. */
  readonly recess?: Rgb
  /** Factor of all values. */
  readonly gain?: number
}

const isIn = (box: Box, x: number, y: number) => x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h

/** The back of a car: windows in the upper third, lamps at the sides, the plate in its recess, tyres. */
function draw({ paint, glass = GLASS, plate = PLATE, recess, gain = 1 }: Drawing): RgbPicture {
  const data = new Uint8Array(WIDTH * HEIGHT * 3)
  const around = { x: plate.x - 0.02, y: plate.y - 0.04, w: plate.w + 0.04, h: plate.h + 0.07 }
  const valueAt = (x: number, y: number): Rgb => {
    if (!isIn(VEHICLE, x, y)) return y < 0.4 ? SKY : STREET
    const [u, v] = [(x - VEHICLE.x) / VEHICLE.w, (y - VEHICLE.y) / VEHICLE.h]
    if (v < 0.34) return glass
    if (v > 0.86) return TYRES
    if (isIn(plate, x, y)) return PLATE_GREY
    if (recess && isIn(around, x, y)) return recess
    return v < 0.55 && Math.abs(u - 0.5) > 0.36 ? LAMP : paint(u, v)
  }
  for (let row = 0; row < HEIGHT; row++)
    for (let column = 0; column < WIDTH; column++)
      data.set(
        valueAt((column + 0.5) / WIDTH, (row + 0.5) / HEIGHT).map((value) => Math.min(255, value * gain)),
        (row * WIDTH + column) * 3,
      )
  return { width: WIDTH, height: HEIGHT, data }
}

const plain =
  (...rgb: Rgb) =>
  () =>
    rgb
/** A metallic paint, brighter where it faces the light. */
const metallic = (from: number, to: number) => (_: number, v: number) => {
  const value = Math.round(from + (to - from) * Math.abs(Math.sin(v * 9)))
  return [value, value, value + 3] as const
}

const paints: Record<CorVeiculo, Drawing['paint'][]> = {
  branco: [plain(235, 236, 232)],
  preto: [plain(22, 22, 24)],
  cinza: [metallic(90, 225), plain(96, 98, 100)],
  vermelho: [plain(180, 25, 30), plain(105, 15, 30)],
  azul: [plain(25, 60, 150), plain(20, 28, 75)],
  verde: [plain(30, 110, 60)],
  amarelo: [plain(230, 200, 30), plain(240, 150, 30)],
  marrom: [plain(95, 60, 35)],
}

describe.each(Object.entries(paints))('%s', (cor, some) => {
  it.each([1, 0.7])('is recognised at %d of the light', (gain) => {
    for (const paint of some) {
      expect(colourOf(draw({ paint, gain }), VEHICLE, PLATE)).toMatchObject({ cor })
      expect(colourOf(draw({ paint, gain }), VEHICLE, PLATE)?.certainty).toBeGreaterThan(0.5)
    }
  })
})

const red = plain(...RED)

it('has no colour at night: an infrared picture is grey, also a tinted one', () => {
  const { width, height, data } = draw({ paint: red })
  const infrared = (tint: Rgb) => {
    const grey = data.map((_, at) => {
      const [r = 0, g = 0, b = 0] = data.subarray(at - (at % 3))
      return 0.3 * r + 0.6 * g + 0.1 * b + (tint[at % 3] ?? 0)
    })
    return { width, height, data: grey }
  }
  expect(colourOf(infrared([0, 0, 0]), VEHICLE, PLATE)).toBeNull()
  expect(colourOf(infrared([14, 0, 14]), VEHICLE, PLATE)).toBeNull()
  expect(colourOf(infrared([0, 0, 0]), VEHICLE, null)).toBeNull()
})

it('has no colour in the dark, and where the body is overexposed', () => {
  expect(colourOf(draw({ paint: red, gain: 0.25 }), VEHICLE, PLATE)).toBeNull()
  expect(colourOf(draw({ paint: red, gain: 0.25 }), VEHICLE, null)).toBeNull()
  expect(colourOf(draw({ paint: plain(235, 236, 232), gain: 1.3 }), VEHICLE, PLATE)).toBeNull()
})

it('has no colour under a sodium lamp', () => {
  const { data, ...size } = draw({ paint: plain(235, 236, 232) })
  const lit = data.map((value, at) => value * ([1, 0.75, 0.25][at % 3] ?? 1))
  expect(colourOf({ ...size, data: lit }, VEHICLE, PLATE)).toBeNull()
})

it('has no colour where parts of the body disagree', () => {
  const paint = (u: number): Rgb => (u < 0.5 ? RED : BLUE)
  expect(colourOf(draw({ paint }), VEHICLE, PLATE)).toBeNull()
})

/** Stripes of blue paint and black plastic: a little more blue than an answer needs. */
const striped = (u: number): Rgb => ((u * 37) % 1 < 0.48 ? BLUE : PLASTIC)

it('leaves out the windows', () => {
  expect(colourOf(draw({ paint: striped, glass: PLASTIC }), VEHICLE, PLATE)).toMatchObject({ cor: 'azul' })
})

it('leaves out the plate and its recess', () => {
  const plate = { x: 0.32, y: 0.6, w: 0.36, h: 0.07 }
  expect(colourOf(draw({ paint: striped, plate, recess: PLASTIC }), VEHICLE, plate)).toMatchObject({ cor: 'azul' })
})

it('needs a part of the body in the picture', () => {
  expect(colourOf(draw({ paint: red }), VEHICLE, { x: 0.15, y: 0.45, w: 0.7, h: 0.25 })).toBeNull()
})
