import { FUSO_PADRAO } from '@vigia/contracts/empresas'
import { calibracaoPadrao } from '@vigia/contracts/ias'
import { createStreamReader } from '@vigia/video/stream-reader'
import type { Detector } from '@vigia/vision/detector'
import type { SecondOpinion } from '@vigia/vision/second-opinion'
import { ANALYSED_FPS } from '../capture/capture-process.ts'
import type { SeenEvent } from '../capture/protocol.ts'
import { createCameraPipeline } from '../pipeline/camera-pipeline.ts'

export interface VideoEvent {
  /** Seconds from the beginning of the video. */
  readonly atS: number
  readonly ia: string
  readonly confianca: number
  readonly decisao: 'confirmado' | 'refutado'
  readonly motivo: string
}

export interface WatchedVideo {
  readonly events: readonly VideoEvent[]
  readonly durationS: number
  /** Why reading ended before the end of the file; null: it did not. */
  readonly failure: string | null
}

/** Any day: without an Agenda it does not matter. The clock of the analyses is the stream's. */
const BEGINNING = Date.UTC(2026, 0, 1)

/**
 * Runs one file through what a camera runs through (reader, gate, detector, tracker, analysis with the default calibration and
 * the whole frame), as fast as it goes and without dropping a frame, and asks the second model about each candidate.
 */
export async function watchVideo(
  file: string,
  detector: Detector,
  secondOpinion: SecondOpinion,
  onProgress: (atS: number) => void,
): Promise<WatchedVideo> {
  const candidates: SeenEvent[] = []
  let durationS = 0
  const pipeline = createCameraPipeline({
    cameraId: 1,
    watch: {
      analises: [{ ia: 'invasao', calibracao: calibracaoPadrao.invasao, agenda: null }],
      zonas: [],
      linha: [],
      fusoHorario: FUSO_PADRAO,
    },
    states: {},
    detector: () => detector,
    onEvents: (events) => candidates.push(...events),
  })
  const end = await createStreamReader({ url: file, maxFps: ANALYSED_FPS }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        durationS = frame.timestampMs / 1000
        onProgress(durationS)
        await pipeline.frame(frame, { epochMs: BEGINNING + frame.timestampMs, streamMs: frame.timestampMs })
      },
    },
    new AbortController().signal,
  )
  const events: VideoEvent[] = []
  for (const event of candidates) events.push(await judge(event, secondOpinion))
  return { events, durationS, failure: typeof end === 'string' ? null : end.failure }
}

async function judge({ candidate, media }: SeenEvent, secondOpinion: SecondOpinion): Promise<VideoEvent> {
  const picture = (papel: 'crop' | 'quadro') => {
    const found = media.find((one) => one.papel === papel)
    return found ? Buffer.from(found.bytes) : null
  }
  const { decisao, motivo } = await secondOpinion.assess({
    frame: picture('quadro'),
    crop: picture('crop') ?? Buffer.alloc(0),
    caixas: candidate.caixas,
    rotulos: candidate.rotulos,
    conf: Number(candidate.calibracao.conf),
  })
  return {
    atS: (candidate.ocorrido_em - BEGINNING) / 1000,
    ia: candidate.ia,
    confianca: candidate.confianca,
    decisao,
    motivo,
  }
}
