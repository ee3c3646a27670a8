import sharp from 'sharp'
import { GLYPHS } from './glyphs.ts'

export type DrawnForm = 'antiga' | 'mercosul' | 'moto' | 'moto_mercosul'

export interface DrawnPlate {
  readonly placa: string
  readonly form: DrawnForm
  /** Height of a symbol in the picture, in pixels. */
  readonly symbolPx: number
  readonly jpeg: Buffer
}

/** Size of a plate, in mm (CONTRAN 231/2007 and 969/2022). */
const SIZES = { car: [400, 130], motorcycle: [200, 170] } as const
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Deterministic numbers of [0, 1) (Mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Draws a plate on the back of a vehicle, as a camera sees it: turned, blurred, noisy, dark or bright, compressed. The
 * same seed yields the same picture.
 */
export async function drawPlate(form: DrawnForm, seed: number): Promise<DrawnPlate> {
  const random = randomOf(seed)
  const isMercosul = form === 'mercosul' || form === 'moto_mercosul'
  const placa = textOf(isMercosul ? 'LLLNLNN' : 'LLLNNNN', random)
  const svg = form.startsWith('moto') ? motorcycle(placa, isMercosul) : car(placa, isMercosul)
  const [width, height] = form.startsWith('moto') ? SIZES.motorcycle : SIZES.car
  const scale = 0.3 + 0.7 * random()
  const plate = await sharp(Buffer.from(svg), { density: 72 * 2 })
    .resize(Math.round(width * scale), Math.round(height * scale), { kernel: 'lanczos3' })
    .png()
    .toBuffer()
  const turn = (random() - 0.5) * 0.25
  const shear = (random() - 0.5) * 0.3
  const turned = sharp(plate).affine([1, shear * 0.4, turn * 0.5, 1], {
    background: '#00000000',
    interpolator: 'bicubic',
  })
  const { data: overlay, info } = await turned.png().toBuffer({ resolveWithObject: true })
  const [w, h] = [640, 480]
  const left = Math.round(random() * Math.max(0, w - info.width))
  const top = Math.round(random() * Math.max(0, h - info.height))
  const scene = await sharp(Buffer.from(vehicle(w, h, random)))
    .composite([{ input: overlay, left, top }])
    .removeAlpha()
    .raw()
    .toBuffer()
  const gain = 0.35 + 0.9 * random()
  const noise = 4 + 16 * random()
  for (let at = 0; at < scene.length; at++)
    scene[at] = Math.max(0, Math.min(255, (scene[at] ?? 0) * gain + (random() + random() - 1) * noise))
  const jpeg = await sharp(scene, { raw: { width: w, height: h, channels: 3 } })
    .blur(0.4 + 1.1 * random() * scale)
    .jpeg({ quality: 35 + Math.round(50 * random()) })
    .toBuffer()
  const symbolMm = form.startsWith('moto') ? 55 : 65
  return { placa, form, symbolPx: Math.round(symbolMm * scale), jpeg }
}

const textOf = (pattern: string, random: () => number): string =>
  [...pattern].map((kind) => (kind === 'L' ? LETTERS[Math.floor(random() * 26)] : Math.floor(random() * 10))).join('')

/** Symbols of `height` mm from `x`, each `width` mm wide with its gap. */
function symbols(text: string, x: number, y: number, width: number, height: number, stroke = 2.3): string {
  const scale = height / 16
  return [...text]
    .map((symbol, index) => {
      const path = GLYPHS[symbol]
      const at = `translate(${x + index * width} ${y}) scale(${((width * 0.78) / 10).toFixed(3)} ${scale.toFixed(3)})`
      const pen = `fill="none" stroke="#181818" stroke-width="${stroke}" stroke-linejoin="round"`
      if (path) return `<path transform="${at}" d="${path}" ${pen}/>`
      const [left, top] = [x + (index + 0.3) * width, y + height * 0.45]
      return `<rect x="${left}" y="${top}" width="${width * 0.25}" height="${height * 0.1}"/>`
    })
    .join('')
}

const frame = (width: number, height: number, fill: string, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
  `<rect x="1" y="1" width="${width - 2}" height="${height - 2}" rx="8" fill="${fill}" ` +
  `stroke="#222" stroke-width="3"/>` +
  `${content}</svg>`

const band = (width: number): string =>
  `<rect x="3" y="3" width="${width - 6}" height="29" fill="#1c3f94"/>` +
  `<g>${symbols('BRASIL', width / 2 - 40, 9, 14, 16, 2).replaceAll('#181818', '#ffffff')}</g>`

function car(placa: string, isMercosul: boolean): string {
  const [width, height] = SIZES.car
  if (isMercosul) return frame(width, height, '#f4f4f2', band(width) + symbols(placa, 28, 46, 50, 65))
  const city = symbols('SP-SAO PAULO', 110, 10, 15, 16, 1.8)
  const text = `${placa.slice(0, 3)}-${placa.slice(3)}`
  return frame(width, height, '#b9bcbd', city + symbols(text, 20, 46, 46, 63))
}

function motorcycle(placa: string, isMercosul: boolean): string {
  const [width, height] = SIZES.motorcycle
  const [upper, lower] = [placa.slice(0, 3), placa.slice(3)]
  const lines = symbols(upper, 40, isMercosul ? 40 : 34, 46, 55) + symbols(lower, 14, 104, 46, 55)
  if (isMercosul) return frame(width, height, '#f4f4f2', band(width) + lines)
  return frame(width, height, '#b9bcbd', symbols('SAO PAULO', 40, 10, 13, 14, 1.8) + lines)
}

/** The back of a vehicle: body, bumper, lamps and dirt. */
function vehicle(width: number, height: number, random: () => number): string {
  const hue = Math.floor(random() * 360)
  const light = 15 + Math.floor(random() * 60)
  const spots = Array.from({ length: 40 }, () => {
    const [x, y, r] = [random() * width, random() * height, 2 + random() * 14]
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="hsl(${hue},10%,${Math.floor(random() * 80)}%)" opacity="0.25"/>`
  }).join('')
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `<rect width="100%" height="100%" fill="hsl(${hue},${Math.floor(random() * 40)}%,${light}%)"/>` +
    `<rect y="${height * 0.7}" width="100%" height="${height * 0.3}" fill="hsl(0,0%,${Math.floor(light * 0.5)}%)"/>` +
    `<rect x="10" y="${height * 0.3}" width="70" height="60" fill="#a01818"/>` +
    `<rect x="${width - 80}" y="${height * 0.3}" width="70" height="60" fill="#a01818"/>${spots}</svg>`
  )
}
