/** CIELAB of D65: lightness 0–100, and the axes green–red and blue–yellow, about -100 to 100. */
export interface Lab {
  readonly l: number
  readonly a: number
  readonly b: number
}

/** Linear light of an 8-bit sRGB value (IEC 61966-2-1). */
const LINEAR = Float64Array.from({ length: 256 }, (_, value) => {
  const share = value / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
})
/** White of D65 for the 2° observer (IEC 61966-2-1), with Y = 1. */
const WHITE = { x: 0.9505, z: 1.089 } as const
/** Constants of CIE 15:2004, section 8.2.1. */
const [EPSILON, KAPPA] = [216 / 24_389, 24_389 / 27]

/** Converts a colour of sRGB, 0–255 each, to CIELAB (IEC 61966-2-1; CIE 15:2004, section 8.2.1). */
export function labOf(red: number, green: number, blue: number): Lab {
  const [r, g, b] = [LINEAR[red] ?? 0, LINEAR[green] ?? 0, LINEAR[blue] ?? 0]
  const x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / WHITE.x)
  const y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b)
  const z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / WHITE.z)
  return { l: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z) }
}

const curve = (share: number): number => (share > EPSILON ? Math.cbrt(share) : (KAPPA * share + 16) / 116)

export const chromaOf = ({ a, b }: Lab): number => Math.hypot(a, b)

/** Angle of the hue in degrees, 0–360: about 40 is red, 100 yellow, 140 green, 290 blue. */
export const hueOf = ({ a, b }: Lab): number => ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360
