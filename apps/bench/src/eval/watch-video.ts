import type { CameraPipeline } from '@vigia/analysis/camera-pipeline'
import { ANALYSED_FPS, type SeenEvent } from '@vigia/analysis/model'
import type { DetalhesIa } from '@vigia/contracts/candidate'
import { FUSO_PADRAO } from '@vigia/contracts/empresas'
import type { NomeIa } from '@vigia/contracts/ias'
import { mergeCalibration } from '@vigia/ias/calibration'
import { createStreamReader } from '@vigia/video/stream-reader'
import type { Scene } from './scene.ts'

export interface VideoEvent {
  /** Seconds from the beginning of the video. */
  readonly atS: number
  readonly ia: NomeIa
  readonly confianca: number
  /** Of the verifier; null: it has no opinion on this IA. */
  readonly decisao: 'confirmado' | 'refutado' | null
  readonly motivo: string
  readonly detalhes: DetalhesIa
}

export interface WatchedVideo {
  readonly events: readonly VideoEvent[]
  readonly durationS: number
  /** Why reading ended before the end of the file; null: it did not. */
  readonly failure: string | null
  /** CPU time of the process while it watched, and its memory at the end (models included), MB. */
  readonly cpuS: number
  readonly memoryMb: number
}

export interface Judge {
  judge(event: SeenEvent): Promise<Pick<VideoEvent, 'decisao' | 'motivo'>>
}

/** Any day: without an Agenda it does not matter. */
const BEGINNING = Date.UTC(2026, 0, 1)

/** What a camera would be set to so as to watch for `ias` in this scene. */
export function watchOf(scene: Scene, ias: readonly NomeIa[]) {
  const calibracoes = mergeCalibration(scene.config_ia)
  return {
    analises: ias.map((ia) => ({ ia, calibracao: calibracoes[ia], agenda: null })),
    zonas: scene.zonas,
    linha: scene.linha,
    fusoHorario: FUSO_PADRAO,
  }
}

/**
 * Runs one file through what a camera runs through, as fast as it goes and without dropping a frame, and asks the verifier about each
 * candidate.
 */
export async function watchVideo(
  file: string,
  createPipeline: (onEvents: (events: readonly SeenEvent[]) => void) => CameraPipeline,
  judge: Judge,
  onProgress: (atS: number) => void,
): Promise<WatchedVideo> {
  const candidates: SeenEvent[] = []
  let durationS = 0
  const before = process.cpuUsage()
  const pipeline = createPipeline((events) => candidates.push(...events))
  const end = await createStreamReader({ url: file, maxFps: ANALYSED_FPS }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        durationS = frame.timestampMs / 1000
        onProgress(durationS)
        await pipeline.frame(frame, { epochMs: BEGINNING + frame.timestampMs, streamMs: frame.timestampMs })
        // A camera does not wait, and drops frames when the machine is too slow: what is measured is what the product sees.
        await pipeline.idle()
      },
    },
    new AbortController().signal,
  )
  await pipeline.close()
  const cpu = process.cpuUsage(before)
  const memoryMb = process.memoryUsage.rss() / 2 ** 20
  const events: VideoEvent[] = []
  for (const event of candidates) {
    const { ia, confianca, detalhes = {}, ocorrido_em } = event.candidate
    events.push({ atS: (ocorrido_em - BEGINNING) / 1000, ia, confianca, detalhes, ...(await judge.judge(event)) })
  }
  return {
    events,
    durationS,
    failure: typeof end === 'string' ? null : end.failure,
    cpuS: (cpu.user + cpu.system) / 1e6,
    memoryMb,
  }
}
