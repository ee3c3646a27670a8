import { join } from 'node:path'
import { calibracaoPadrao } from '@vigia/contracts/ias'
import { createAnalysis } from '@vigia/ias/analysis'
import { xorshift } from '@vigia/testing/random'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { createPictureHealth } from '@vigia/vision/picture-health'
import { readFrames } from '../composto/clip.ts'
import { scaleValues } from '../stress/pixels.ts'
import type { Step } from '../stress/transforms.ts'
import { evaluateObstructed } from './obstructed.ts'
import { createSensorNoise, randomAt } from './sensor-noise.ts'
import { createWeather, MEASURING_SEED, type WeatherMode } from './weather.ts'

const WIDTH = 160
const HEIGHT = 90
/** Pictures per second of stream: the rule and the measures count time, not pictures. */
const FPS = 1
const BEGINNING = Date.UTC(2026, 0, 1)
const SEED = MEASURING_SEED + 24

/**
 * Shows hours of day and night at one camera, from a real clip: sunrise, sunset, headlights, insects, rain. At dusk
 * the picture flips between colour and infrared. Prints the events of `camera_obstruida`, which are all false.
 */
export async function evaluateNights(
  { dataDir, horas }: { readonly dataDir: string; readonly horas: number },
  { print, progress }: TrialOutput,
): Promise<Result> {
  const inTime = await evaluateObstructed(dataDir, print)
  const pictures: Buffer[] = []
  const path = join(dataDir, 'cctv', 'one-by-one-person-detection.mp4')
  await readFrames({ path, name: path, untilS: Number.POSITIVE_INFINITY }, FPS, async (frame) => {
    pictures.push(Buffer.from(await frame.toPacked('rgb', WIDTH, HEIGHT)))
  })
  const analysis = createAnalysis({
    ia: 'camera_obstruida',
    calibracao: { ...calibracaoPadrao.camera_obstruida, resfriamento_s: 0 },
    agenda: null,
    zonas: [],
    linha: [],
    fusoHorario: 'UTC',
  })
  if (!analysis || pictures.length === 0) throw new Error(`${path} has no pictures`)
  const health = createPictureHealth()
  const sky = createSky()
  let events = 0
  for (let atS = 0; atS < horas * 3600; atS += 1 / FPS) {
    if (atS % 60 === 0) progress(atS / (horas * 3600), `${(atS / 3600).toFixed(1)} h`)
    const rgb = Buffer.from(pictures[Math.floor(atS * FPS) % pictures.length] ?? Buffer.alloc(0))
    const gray = grayOf(sky({ rgb, width: WIDTH, height: HEIGHT }, atS))
    const streamMs = atS * 1000
    const imagem = health.update(gray, WIDTH, HEIGHT, streamMs)
    for (const { detalhes } of analysis.update({
      epochMs: BEGINNING + streamMs,
      streamMs,
      tracks: [],
      evidence: { imagem },
    })) {
      events++
      print(`${(atS / 3600).toFixed(3)} h: ${detalhes.problema}`)
    }
  }
  print(`${events} eventos falsos de camera_obstruida em ${horas} h geradas de ${pictures.length} s reais`)
  return { passed: inTime && events === 0 }
}

/** The light and the weather by the time of day; the stream begins at noon. */
function createSky(): Step {
  const of = (mode: WeatherMode, seed = 0) => createWeather(mode, { seed: SEED + seed, width: WIDTH, height: HEIGHT })
  const nights = [of('ir_farois'), of('ir_insetos', 1)]
  const rain = of('chuva_vento', 2)
  const noise = createSensorNoise({ read: 2, shot: 0, colour: 0 }, SEED)
  const flips = xorshift(SEED)
  const duskAt = Array.from({ length: 12 }, () => flips() * 0.25)
  return (picture, atS) => {
    const hour = (12 + atS / 3600) % 24
    const sun = Math.max(0.15, Math.min(1, (hour < 12 ? hour - 5 : 19 - hour) / 1.5))
    const isNight = hour < 5.6 || hour > 18.4
    // At dusk and dawn the camera switches back and forth some times.
    const flipping = Math.min(Math.abs(hour - 18.4), Math.abs(hour - 5.6)) < 0.25
    const flipped = flipping && duskAt.some((one) => Math.abs((hour % 1) * 0.25 - one * 0.25) < 0.002)
    if (isNight !== flipped) nights[Math.floor(hour) % 2]?.(picture, atS)
    else scaleValues(picture, sun * cloud(atS))
    if ([2, 3, 14, 20].includes(Math.floor(hour))) rain(picture, atS)
    noise(picture, atS)
    return picture.rgb
  }
}

/** Clouds change the light within some seconds. */
function cloud(atS: number): number {
  const light = (minute: number) => 0.75 + 0.25 * randomAt(SEED, minute)()
  const minute = Math.floor(atS / 60)
  const passed = Math.min(1, (atS % 60) / 6)
  return light(minute - 1) * (1 - passed) + light(minute) * passed
}

const grayOf = (rgb: Buffer): Uint8Array =>
  Uint8Array.from(
    { length: rgb.length / 3 },
    (_, at) => 0.299 * (rgb[at * 3] ?? 0) + 0.587 * (rgb[at * 3 + 1] ?? 0) + 0.114 * (rgb[at * 3 + 2] ?? 0),
  )
