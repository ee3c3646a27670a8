import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ANALYSED_FPS, type SeenEvent } from '@vigia/analysis/model'
import type { NomeIa } from '@vigia/contracts/ias'
import { frameFromRgb } from '@vigia/video/rgb-frame'
import { type Judge, settingsOf, type VideoEvent } from '../analyse-video.ts'
import { scoreEvents } from '../event-score.ts'
import type { Expectation } from '../expectations.ts'
import type { Scene } from '../scene.ts'
import type { CreatePipeline } from '../show-still.ts'
import { scaleValues } from '../stress/pixels.ts'
import type { Step } from '../stress/transforms.ts'
import { createWeather, type WeatherMode } from '../weather/weather.ts'
import { type ClipLoop, loadLoop } from './clip-loop.ts'
import type { FalseEvent, SegmentRow } from './long-state.ts'
import type { Perfil } from './scenes.ts'
import { SEGMENT_S, type Segment, segmentsOf } from './segments.ts'

export interface LongJob {
  readonly kind: 'longo'
  readonly perfil: Perfil
  readonly numero: number
  readonly horas: number
  readonly path: string
  readonly scene: Scene
  /** For each IA that runs: labels of the clip; null: its events are not judged. */
  readonly expectations: readonly (readonly [NomeIa, Expectation | null])[]
  /** Folder for the pictures of false events. */
  readonly folder: string
}

/** Any day works, because without an Agenda it has no effect. */
const BEGINNING = Date.UTC(2026, 0, 1)
const FRAME_MS = 1000 / ANALYSED_FPS
/** Weather between half and full strength. */
const WEAKEST = 0.5

/** Runs one segment of the long run. The clock of the events is that of the stream. */
export async function runSegment(
  job: LongJob,
  pipelineFor: (settings: ReturnType<typeof settingsOf>) => CreatePipeline,
  judge: Judge,
  onProgress: (atS: number) => void,
): Promise<SegmentRow> {
  const segment = segmentsOf(job.perfil, job.horas).find(({ numero }) => numero === job.numero)
  if (!segment) throw new Error(`no segment ${job.numero}`)
  const clip = await loadLoop(job.path, segment.cena)
  const [startedAt, before] = [performance.now(), process.cpuUsage()]
  const candidates: SeenEvent[] = []
  const ias = job.expectations.map(([ia]) => ia)
  const pipeline = pipelineFor(settingsOf(job.scene, ias))((events) => candidates.push(...events))
  const pictureAt = createPictures(segment, clip)
  let inferences = 0
  for (let frame = 0; frame < SEGMENT_S * ANALYSED_FPS; frame++) {
    const streamMs = frame * FRAME_MS
    const held = frameFromRgb(pictureAt(streamMs / 1000), clip.width, clip.height, streamMs)
    try {
      await pipeline.frame(held.frame, { epochMs: BEGINNING + streamMs, streamMs })
      await pipeline.idle()
    } finally {
      await held.release()
    }
    onProgress(streamMs / 1000)
  }
  await pipeline.close()
  inferences += pipeline.takeCounts().inferences
  const cpu = process.cpuUsage(before)
  return {
    v: 1,
    perfil: job.perfil,
    segmento: job.numero,
    cena: segment.cena.nome,
    duracao_s: SEGMENT_S,
    real_s: clip.realS,
    cpu_s: (cpu.user + cpu.system) / 1e6,
    relogio_s: (performance.now() - startedAt) / 1000,
    inferencias: inferences,
    julgado_s: Object.fromEntries(job.expectations.map(([ia, one]) => [ia, one ? SEGMENT_S : 0])),
    ...(await judged(job, segment, clip, candidates, judge)),
  }
}

/** The pictures of the clip with the light and the weather of their time. */
function createPictures({ at, semente }: Segment, { at: clipAt, width, height }: ClipLoop): (atS: number) => Buffer {
  const steps = new Map<WeatherMode, Step>()
  const strength = WEAKEST + (1 - WEAKEST) * ((semente % 11) / 10)
  return (atS) => {
    const { luz, clima } = at(atS)
    const picture = { rgb: Buffer.from(clipAt(atS)), width, height }
    scaleValues(picture, luz)
    if (clima === null) return picture.rgb
    const step = steps.get(clima) ?? createWeather(clima, { seed: semente, strength, width, height })
    steps.set(clima, step)
    return step(picture, atS)
  }
}

async function judged(
  job: LongJob,
  segment: Segment,
  { realS }: ClipLoop,
  candidates: readonly SeenEvent[],
  judge: Judge,
): Promise<Pick<SegmentRow, 'falsos' | 'refutados' | 'eventos'>> {
  const events: (VideoEvent & { readonly seen: SeenEvent })[] = []
  for (const seen of candidates) {
    const { ia, confianca, detalhes = {}, ocorrido_em } = seen.candidate
    const atS = (ocorrido_em - BEGINNING) / 1000
    events.push({ atS, ia, confianca, detalhes, ...(await judge.judge(seen)), seen })
  }
  const falsos: FalseEvent[] = []
  const refutados: Partial<Record<NomeIa, number>> = {}
  for (const [ia, expectation] of job.expectations) {
    const score = scoreEvents(ia, events, expectation && repeatedLabels(expectation, realS, SEGMENT_S), SEGMENT_S)
    if (score.refuted > 0) refutados[ia] = score.refuted
    for (const one of events.filter((event) => score.falseEvents.includes(event))) {
      const imagem = `${job.perfil}-${String(job.numero).padStart(3, '0')}-${one.atS.toFixed(1)}s-${ia}`
      const media = one.seen.media.map(({ papel, bytes }) =>
        writeFile(join(job.folder, `${imagem}-${papel}.jpg`), bytes),
      )
      await Promise.all(media)
      const { caixas, rotulos } = one.seen.candidate
      const { clima } = segment.at(one.atS)
      falsos.push({ ia, em_s: one.atS, confianca: one.confianca, motivo: one.motivo, rotulos, caixas, clima, imagem })
    }
  }
  return { falsos, refutados, eventos: events.length }
}

/** The labels of each turn of the loop. */
export function repeatedLabels({ expected, judged }: Expectation, loopS: number, untilS: number): Expectation {
  const starts = Array.from({ length: Math.ceil(untilS / loopS) }, (_, turn) => turn * loopS)
  const shifted = <T extends { readonly startS: number; readonly endS: number }>(some: readonly T[]) =>
    starts.flatMap((fromS) =>
      some.map((one) => ({ ...one, startS: one.startS + fromS, endS: Math.min(one.endS, loopS) + fromS })),
    )
  return { expected: shifted(expected), judged: shifted(judged) }
}
