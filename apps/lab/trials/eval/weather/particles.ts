import { xorshift } from '@vigia/testing/random'
import { type Pixels, streak } from '../stress/pixels.ts'
import { glow } from './light.ts'
import { randomAt } from './sensor-noise.ts'

type Draw = (picture: Pixels, atS: number) => void

export interface Rain {
  /** Pixels of the picture for each drop. */
  readonly pixelsPerDrop: number
  /** Longest streak, fraction of the height. */
  readonly length: number
  readonly opacity: number
  /** Sideways pixels per row. */
  readonly slope: number
  readonly widthPx: number
}

/** Falling drops, at new positions in every picture, because a drop crosses the picture between two of them. */
export function createRain({ pixelsPerDrop, length, opacity, slope, widthPx }: Rain, seed: number): Draw {
  return (picture, atS) => {
    const { width, height } = picture
    const random = randomAt(seed, atS)
    for (let drop = 0; drop < (width * height) / pixelsPerDrop; drop++) {
      const size = height * length * (0.3 + 0.7 * random())
      const [x, y] = [random() * width * 1.2 - width * 0.1, random() * height - size]
      for (let column = 0; column < widthPx; column++) streak(picture, x + column, y, size, slope, opacity)
    }
  }
}

export interface Flakes {
  /** Number in the picture. */
  readonly count: number
  /** Largest radius, fraction of the height; most are smaller. */
  readonly radius: number
  /** Fall and drift of the nearest, heights and widths a second. */
  readonly fall: number
  readonly drift: number
  /** Added brightness, levels of 255. */
  readonly level: number
}

/** Snow: soft bright flakes, each on its own path that returns after it left the picture. */
export function createFlakes({ count, radius, fall, drift, level }: Flakes, seed: number): Draw {
  const random = xorshift(seed)
  const flakes = Array.from({ length: count }, () => {
    // Near flakes are few, large and fast.
    const near = 0.2 + 0.8 * random() ** 4
    return { near, x: random(), y: random(), sway: random() * 6.28, speed: 0.8 + 0.4 * random() }
  })
  return (picture, atS) => {
    const { width, height } = picture
    for (const { near, x, y, sway, speed } of flakes) {
      const across = x + drift * near * speed * atS + 0.02 * near * Math.sin(sway + atS * 2)
      const size = Math.max(1, near * radius * height)
      const at = {
        x: fraction(across) * width,
        y: fraction(y + fall * near * speed * atS) * (height + 2 * size) - size,
      }
      glow(picture, { ...at, rx: size, ry: size * 1.3, level })
    }
  }
}

export interface Insects {
  /** Insects that visit the lamp in a minute. */
  readonly perMinute: number
  /** Radius of the nearest, fraction of the height. */
  readonly radius: number
  readonly level: number
}

/** Time in which an insect flies in front of the lens. */
const VISIT_S = 2

/** Bright insects close to an infrared lamp: blurred, curved, through the whole picture in a second or two. */
export function createInsects({ perMinute, radius, level }: Insects, seed: number): Draw {
  return (picture, atS) => {
    const { width, height } = picture
    const slot = Math.floor(atS / VISIT_S)
    for (const start of [slot - 1, slot]) {
      const random = xorshift((seed + start * 7919) >>> 0)
      for (let i = 0; i < 4; i++) random()
      for (let one = 0; one < Math.ceil((perMinute * VISIT_S) / 60) + 1; one++) {
        const [here, late, near] = [random(), random(), random()]
        const [x, y, angle, turn, speed] = [random(), random(), random() * 6.28, random() * 4 - 2, 0.4 + random()]
        if (here > (perMinute * VISIT_S) / 60 / (Math.ceil((perMinute * VISIT_S) / 60) + 1)) continue
        const since = atS - (start + late) * VISIT_S
        if (since < 0 || since > VISIT_S) continue
        const way = angle + turn * since
        const size = height * radius * (0.3 + 0.7 * near)
        const middle = {
          x: (x + speed * since * Math.cos(way)) * width,
          y: (y + speed * since * Math.sin(way)) * height,
        }
        // The wing beat and the shutter smear it along its path.
        for (let part = 0; part < 4; part++) {
          const shift = (part - 1.5) * size * 0.8
          const at = { x: middle.x + shift * Math.cos(way), y: middle.y + shift * Math.sin(way) }
          glow(picture, { ...at, rx: size, ry: size, level: level * 0.6 })
        }
      }
    }
  }
}

/** Period of passing vehicles, and time in which the beam crosses the picture. */
const PASS_EVERY_S = 23
const SWEEP_S = 4

/** Headlights of passing vehicles: two bright beams and a pool of light on the ground cross the picture. */
export function createHeadlights(level: number, seed: number): Draw {
  return (picture, atS) => {
    const { width, height } = picture
    const pass = Math.floor(atS / PASS_EVERY_S)
    const random = xorshift((seed + pass * 104_729) >>> 0)
    for (let i = 0; i < 4; i++) random()
    const [starts, backwards, high] = [random() * (PASS_EVERY_S - SWEEP_S), random() < 0.5, 0.25 + 0.4 * random()]
    const since = (atS - pass * PASS_EVERY_S - starts) / SWEEP_S
    if (since < 0 || since > 1) return
    const x = (backwards ? 1 - since : since) * width * 1.6 - width * 0.3
    const y = height * (high + 0.15 * since)
    const strength = Math.sin(Math.PI * since)
    for (const side of [-1, 1])
      glow(picture, { x: x + side * width * 0.03, y, rx: width * 0.03, ry: width * 0.03, level: 255 * strength })
    glow(picture, { x, y: y + height * 0.2, rx: width * 0.45, ry: height * 0.4, level: level * strength })
  }
}

const fraction = (value: number): number => value - Math.floor(value)
