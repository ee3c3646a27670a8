/** Packed RGB rows, 3 bytes a pixel. */
export interface RgbPicture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** A rotated rectangle, in pixels: `width` along `angle` (radians, clockwise from the x axis), `height` across. */
export interface TextBox {
  readonly centre: Point
  readonly width: number
  readonly height: number
  readonly angle: number
  /** Mean probability of text inside, 0–1. */
  readonly score: number
}

/** Corners of a box: top left, top right, bottom right, bottom left as the text is read. */
export function cornersOf({ centre, width, height, angle }: Omit<TextBox, 'score'>): [Point, Point, Point, Point] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const at = (u: number, v: number): Point => ({
    x: centre.x + u * width * cos - v * height * sin,
    y: centre.y + u * width * sin + v * height * cos,
  })
  return [at(-0.5, -0.5), at(0.5, -0.5), at(0.5, 0.5), at(-0.5, 0.5)]
}

/**
 * Samples the rotated rectangle `box` of a picture into `width` x `height` pixels, bilinearly. Where the rectangle is
 * reduced by more than 2, several samples are averaged, so that thin strokes stay. Outside of the picture the nearest
 * edge pixel counts.
 */
export function rectify(
  picture: RgbPicture,
  { centre, angle, ...box }: Omit<TextBox, 'score'>,
  width: number,
  height: number,
): RgbPicture {
  const data = new Uint8Array(width * height * 3)
  const [stepX, stepY] = [box.width / width, box.height / height]
  const samples = Math.min(4, Math.max(1, Math.ceil(Math.max(stepX, stepY) / 2)))
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const sums: [number, number, number] = [0, 0, 0]
  for (let row = 0, to = 0; row < height; row++) {
    for (let column = 0; column < width; column++, to += 3) {
      sums.fill(0)
      for (let i = 0; i < samples; i++) {
        const v = (row + (i + 0.5) / samples) * stepY - box.height / 2
        for (let j = 0; j < samples; j++) {
          const u = (column + (j + 0.5) / samples) * stepX - box.width / 2
          addSample(picture, centre.x + u * cos - v * sin - 0.5, centre.y + u * sin + v * cos - 0.5, sums)
        }
      }
      const count = samples * samples
      data[to] = sums[0] / count
      data[to + 1] = sums[1] / count
      data[to + 2] = sums[2] / count
    }
  }
  return { width, height, data }
}

function addSample({ width, height, data }: RgbPicture, x: number, y: number, sums: [number, number, number]): void {
  const left = Math.max(0, Math.min(width - 1, Math.floor(x)))
  const top = Math.max(0, Math.min(height - 1, Math.floor(y)))
  const right = Math.min(width - 1, left + 1)
  const bottom = Math.min(height - 1, top + 1)
  const a = Math.max(0, Math.min(1, x - left))
  const b = Math.max(0, Math.min(1, y - top))
  const [from00, from01] = [(top * width + left) * 3, (top * width + right) * 3]
  const [from10, from11] = [(bottom * width + left) * 3, (bottom * width + right) * 3]
  for (const channel of [0, 1, 2] as const) {
    const above = (data[from00 + channel] ?? 0) * (1 - a) + (data[from01 + channel] ?? 0) * a
    const below = (data[from10 + channel] ?? 0) * (1 - a) + (data[from11 + channel] ?? 0) * a
    sums[channel] += above * (1 - b) + below * b
  }
}
