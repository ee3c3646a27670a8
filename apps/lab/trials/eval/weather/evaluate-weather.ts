import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { nomesIas } from '@vigia/contracts/ias'
import { isSupported } from '@vigia/ias/analysis'
import type { Result, Row, TrialOutput } from '@vigia/testing/trial'
import { createVideoWriter, type VideoWriter } from '@vigia/video/testing/video-writer'
import { settingsOf } from '../analyse-video.ts'
import { readPictures } from '../composto/clip.ts'
import { createEvalModels } from '../eval-models.ts'
import { crossLines } from '../rastreio/cross-lines.ts'
import { scoreCrossings } from '../rastreio/crossing-score.ts'
import { followVideo } from '../rastreio/follow-video.ts'
import { scoreMot } from '../rastreio/mot.ts'
import { LABELLED, peopleAt, readCrossings, readLines, readPeople } from '../rastreio/people-labels.ts'
import { plainScene } from '../scene.ts'
import { createWeather, MEASURING_SEED, measuringModes, type WeatherMode, weatherOf } from './weather.ts'

export interface WeatherOptions {
  /** The first 40 s of `vtest.avi` in H.264; null: not given. */
  readonly vtest: string | null
  readonly modelsFolder: string | null
}

const FPS = 10
const BITS_PER_PIXEL = 0.2
const SEED = MEASURING_SEED + 8
/** Minimum fractions of the clean figures. */
const LIMITS = { people: 0.85, crossings: 0.75 }
/** Nothing that these report happens in the clip. */
const NEVER = ['fogo', 'fumaca', 'objeto_abandonado', 'camera_obstruida']

interface Measured {
  /** Fraction of the labelled people that have a detected track. */
  readonly people: number
  readonly crossings: number
  readonly all: number
  readonly wrong: number
  readonly events: number
}

/**
 * Measures people and crossings of lines in each kind of weather that training never sees, against the same clip
 * without weather, encoded the same way. Fails if a kind is below its limit.
 */
export async function evaluateWeather(
  { vtest, modelsFolder }: WeatherOptions,
  { print, progress }: TrialOutput,
): Promise<Result> {
  if (vtest === null || !existsSync(vtest))
    throw new VigiaError('validacao', {
      detalhe: 'Recodifique o vídeo como em apps/lab/labels/README.md e use --vtest ARQUIVO ou VIGIA_VTEST.',
    })
  const models = createEvalModels(modelsFolder)
  const folder = await mkdtemp(join(tmpdir(), 'vigia-clima-'))
  try {
    await models.ready()
    const settings = settingsOf(plainScene, nomesIas.filter(isSupported))
    const [labels, lines, crossings] = [await readPeople(), await readLines(), await readCrossings()]
    const measure = async (mode: WeatherMode | null): Promise<Measured> => {
      const path = join(folder, 'clip.mkv')
      await writeWeather(vtest, mode, path)
      let events = 0
      const { frames } = await followVideo(path, LABELLED.endS, (onTracks) =>
        models.pipelineFor(settings)(
          (seen) => {
            events += seen.filter(({ candidate }) => NEVER.includes(candidate.ia)).length
          },
          undefined,
          onTracks,
        ),
      )
      const mot = scoreMot(
        frames.map(({ streamMs, tracks }) => {
          const { people, ignored } = peopleAt(labels, streamMs / 1000)
          return { truth: people, ignored, tracks: tracks.filter((one) => one.rotulo === 'person' && !one.predicted) }
        }),
      )
      const score = scoreCrossings(crossings, crossLines(frames, settings, lines))
      return {
        people: 1 - mot.misses / Math.max(1, mot.objects),
        crossings: score.found.length,
        all: score.all.length,
        wrong: score.doubles.length + score.wrong.length,
        events,
      }
    }
    const clean = await measure(null)
    const rows = [rowOf('sem alteração', clean, clean)]
    let ok = true
    for (const [index, mode] of measuringModes.entries()) {
      progress((index + 1) / (measuringModes.length + 1), weatherOf(mode).titulo)
      const one = await measure(mode)
      const [people, found] = [one.people / clean.people, one.crossings / Math.max(1, clean.crossings)]
      ok &&=
        people >= LIMITS.people && found >= LIMITS.crossings && one.wrong + one.events <= clean.wrong + clean.events
      rows.push(rowOf(weatherOf(mode).titulo, one, clean))
    }
    const limits = `pessoas ≥ ${LIMITS.people}, cruzamentos ≥ ${LIMITS.crossings} do limpo`
    print(`Clima. Primeiros 40 s de vtest.avi; pedido: ${limits}.`)
    return { passed: ok, rows }
  } finally {
    await models.close()
    await rm(folder, { recursive: true })
  }
}

const share = (part: number, whole: number) => (whole > 0 ? (part / whole).toFixed(2).replace('.', ',') : '–')

const rowOf = (clima: string, one: Measured, clean: Measured): Row => ({
  clima,
  pessoas: `${(100 * one.people).toFixed(1).replace('.', ',')} %`,
  'pessoas do limpo': share(one.people, clean.people),
  cruzamentos: `${one.crossings}/${one.all}`,
  'cruzamentos do limpo': share(one.crossings, clean.crossings),
  'repetidos ou errados': one.wrong,
  falsos: one.events,
})

/** Writes the labelled part of the clip in this weather; null: unchanged. */
async function writeWeather(file: string, mode: WeatherMode | null, path: string): Promise<void> {
  const state: { writer: VideoWriter | null; weather: ReturnType<typeof createWeather> | null } = {
    writer: null,
    weather: null,
  }
  await readPictures({ path: file, name: file, untilS: LABELLED.endS }, FPS, 0, LABELLED.endS, async (picture, atS) => {
    const { width, height } = picture
    const bitRate = BITS_PER_PIXEL * width * height * FPS
    state.writer ??= await createVideoWriter({ path, width, height, fps: FPS, bitRate })
    if (mode) state.weather ??= createWeather(mode, { seed: SEED, width, height })
    await state.writer.write(state.weather?.(picture, atS) ?? picture.rgb, Math.round(atS * 1000))
  })
  await state.writer?.close()
}
