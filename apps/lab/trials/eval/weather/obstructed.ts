import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calibracaoPadrao } from '@vigia/contracts/ias'
import { createAnalysis } from '@vigia/ias/analysis'
import { threshold } from '@vigia/ias/calibration'
import type { ProblemaImagem } from '@vigia/ias/tasks/imagem'
import type { TrialOutput } from '@vigia/testing/trial'
import { createVideoWriter, type VideoWriter } from '@vigia/video/testing/video-writer'
import { createPictureHealth } from '@vigia/vision/picture-health'
import { readFrames } from '../composto/clip.ts'
import { blur, type Pixels } from '../stress/pixels.ts'
import { createSensorNoise } from './sensor-noise.ts'
import { createWeather, MEASURING_SEED } from './weather.ts'

const [WIDTH, HEIGHT] = [320, 180]
const GATE = { width: 160, height: 90 }
const FPS = 5
const BITS_PER_PIXEL = 0.6
/** Stream time, s: day, night, day, night again from DUSK_S. The obstruction begins then, or 15 s later. */
const [NIGHT_S, DAY_S, DUSK_S] = [20, 50, 330]
const LATER_S = DUSK_S + 15
const END_S = LATER_S + 35
const SEED = MEASURING_SEED + 77
const LATEST_S = 5

interface Kind {
  readonly nome: string
  readonly problema: ProblemaImagem
  readonly fromS: number
  /** Changes the pictures from `fromS` on. */
  create(): (picture: Pixels, atS: number) => Buffer
}

const bump = (x: number, y: number, centreX: number, centreY: number, spread: number) =>
  Math.exp(-((x - centreX) ** 2 + (y - centreY) ** 2) / spread)

/** Mixes the level into each pixel by its share, 0–1; x and y from 0 to 1. */
function mix({ rgb, width, height }: Pixels, level: number, share: (x: number, y: number) => number): Buffer {
  for (let at = 0; at < width * height; at++) {
    const part = share((at % width) / width, Math.floor(at / width) / height)
    for (let c = at * 3; c < at * 3 + 3; c++) rgb[c] = (rgb[c] ?? 0) * (1 - part) + level * part
  }
  return rgb
}

const kinds: readonly Kind[] = [
  {
    nome: 'imagem congelada, codificada de novo',
    problema: 'congelada',
    fromS: LATER_S,
    create() {
      let last: Buffer | null = null
      return ({ rgb }) => {
        last ??= Buffer.from(rgb)
        return Buffer.from(last)
      }
    },
  },
  {
    nome: 'teia de aranha que brilha diante da lente',
    problema: 'ofuscada',
    fromS: LATER_S,
    create: () => (picture, atS) => {
      const sway = 0.02 * Math.sin(atS * 1.3)
      const threads = [0.12, 0.33, 0.54]
      return mix(picture, 215, (x, y) => {
        if (x > 0.62) return 0
        const upright = threads.map((at) => bump(x + sway, 0, at, 0, 0.006))
        const across = [0.3, 0.75].map((at) => bump(0, y + sway, 0, at, 0.015))
        return Math.min(0.92, 0.15 + Math.max(...upright, ...across))
      })
    },
  },
  {
    nome: 'reflexo do infravermelho em um vidro',
    problema: 'ofuscada',
    fromS: LATER_S,
    create: () => (picture) => mix(picture, 235, (x, y) => Math.max(0.35, bump(x, y, 0.5, 0.5, 0.25))),
  },
  {
    nome: 'foco perdido na troca do dia para a noite',
    problema: 'desfocada',
    fromS: DUSK_S,
    create: () => (picture) => {
      blur(picture, 5)
      return picture.rgb
    },
  },
]

/**
 * Shows each kind of obstruction by night, on a real clip encoded as from a camera, and prints the delay of the event.
 * Returns whether each comes within `permanencia_s` and 5 s.
 */
export async function evaluateObstructed(dataDir: string, print: TrialOutput['print']): Promise<boolean> {
  const path = join(dataDir, 'cctv', 'person-bicycle-car-detection.mp4')
  const pictures: Buffer[] = []
  await readFrames({ path, name: path, untilS: END_S }, FPS, async (frame) => {
    pictures.push(Buffer.from(await frame.toPacked('rgb', WIDTH, HEIGHT)))
  })
  const folder = await mkdtemp(join(tmpdir(), 'vigia-obstrucao-'))
  const calibracao = { ...calibracaoPadrao.camera_obstruida, resfriamento_s: 0 }
  const limitS = threshold('camera_obstruida', calibracao, 'permanencia_s') + LATEST_S
  let ok = true
  try {
    for (const kind of kinds) {
      const clip = join(folder, 'clip.mkv')
      await writeKind(kind, pictures, clip)
      const events = await eventsOf(clip, calibracao)
      const [first] = events
      const delayS = first ? first.atS - kind.fromS : Number.POSITIVE_INFINITY
      const good = events.length === 1 && first?.problema === kind.problema && delayS >= 0 && delayS <= limitS
      ok &&= good
      const listed = events.map(({ atS, problema }) => `${problema} ${(atS - kind.fromS).toFixed(1)} s`).join(', ')
      print(`${good ? 'ok   ' : 'FALHA'} ${kind.nome}: ${listed || 'nenhum evento'} (até ${limitS} s)`)
    }
    return ok
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function writeKind(kind: Kind, pictures: readonly Buffer[], path: string): Promise<void> {
  const size = { width: WIDTH, height: HEIGHT }
  const night = createWeather('ir_insetos', { seed: SEED, strength: 0.6, ...size })
  const noise = createSensorNoise({ read: 2, shot: 0, colour: 0 }, SEED)
  const change = kind.create()
  const writer: VideoWriter = await createVideoWriter({
    path,
    ...size,
    fps: FPS,
    bitRate: BITS_PER_PIXEL * WIDTH * HEIGHT * FPS,
  })
  for (let atS = 0; atS < END_S; atS += 1 / FPS) {
    const picture = { rgb: Buffer.from(pictures[Math.floor(atS * FPS) % pictures.length] ?? ''), ...size }
    if ((atS >= NIGHT_S && atS < DAY_S) || atS >= DUSK_S) night(picture, atS)
    noise(picture, atS)
    await writer.write(atS >= kind.fromS ? change(picture, atS) : picture.rgb, Math.round(atS * 1000))
  }
  await writer.close()
}

async function eventsOf(path: string, calibracao: Readonly<Record<string, number | boolean>>) {
  const rule = createAnalysis({
    ia: 'camera_obstruida',
    calibracao,
    agenda: null,
    zonas: [],
    linha: [],
    fusoHorario: 'UTC',
  })
  const health = createPictureHealth()
  const events: { atS: number; problema: string | undefined }[] = []
  await readFrames({ path, name: path, untilS: END_S }, FPS, async (frame, streamMs) => {
    const gray = await frame.toPacked('gray', GATE.width, GATE.height)
    const imagem = health.update(gray, GATE.width, GATE.height, streamMs)
    const fired = rule?.update({ epochMs: streamMs, streamMs, tracks: [], evidence: { imagem } }) ?? []
    for (const { detalhes } of fired) events.push({ atS: streamMs / 1000, problema: detalhes.problema })
  })
  return events
}
