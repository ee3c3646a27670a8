import type { CameraPipeline } from '@vigia/analysis/camera-pipeline'
import { ANALYSED_FPS, type SeenEvent } from '@vigia/analysis/model'
import type { DetalhesIa } from '@vigia/contracts/candidate'
import { FUSO_PADRAO } from '@vigia/contracts/empresas'
import type { NomeIa } from '@vigia/contracts/ias'
import { mergeCalibration } from '@vigia/ias/calibration'
import { createStreamReader } from '@vigia/video/stream-reader'
import type { Scene } from './scene.ts'

export interface VideoEvent {
  /** Seconds from the start of the video. */
  readonly atS: number
  readonly ia: NomeIa
  readonly confianca: number
  /** Verdict of the verifier; null: it has no opinion on this IA. */
  readonly decisao: 'confirmado' | 'refutado' | null
  readonly motivo: string
  readonly detalhes: DetalhesIa
}

export interface AnalysedVideo {
  readonly events: readonly VideoEvent[]
  readonly durationS: number
  /** Reason why reading ended early; null: the whole file was read. */
  readonly failure: string | null
  /** CPU time of the process during the analysis, and its memory at the end (models included), in MB. */
  readonly cpuS: number
  readonly memoryMb: number
}

export interface Judge {
  judge(event: SeenEvent): Promise<Pick<VideoEvent, 'decisao' | 'motivo'>>
}

/** Any day works, because without an Agenda it has no effect. */
const BEGINNING = Date.UTC(2026, 0, 1)

/** Settings of a camera for `ias` in this scene. */
export function settingsOf(scene: Scene, ias: readonly NomeIa[]) {
  const calibracoes = mergeCalibration(scene.config_ia)
  return {
    analises: ias.map((ia) => ({ ia, calibracao: calibracoes[ia], agenda: null })),
    zonas: scene.zonas,
    linha: scene.linha,
    fusoHorario: FUSO_PADRAO,
  }
}

/**
 * Analyses one file with a camera's pipeline as fast as possible without dropping a frame, and judges each candidate.
 */
export async function analyseVideo(
  file: string,
  createPipeline: (onEvents: (events: readonly SeenEvent[]) => void) => CameraPipeline,
  judge: Judge,
  onProgress: (atS: number) => void,
): Promise<AnalysedVideo> {
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
        // With a live camera a slow machine drops frames. This wait makes the result independent of the machine's
        // speed.
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
