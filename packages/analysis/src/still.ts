import { calibracaoPadrao, type NomeIa } from '@vigia/contracts/ias'
import type { Detection } from '@vigia/ias/detection'
import type { ObservedTrack } from '@vigia/ias/observation'
import { epiSights } from '@vigia/ias/tasks/epi'
import { objectsAround } from '@vigia/ias/tasks/objetos'
import type { VideoFrame } from '@vigia/video/stream-reader'
import { createPeopleRegions } from '@vigia/vision/people-regions'
import type { Sight, TarefaVisao } from '@vigia/vision/sight'
import type { Track } from '@vigia/vision/track-state'
import { createTracker } from '@vigia/vision/tracker'
import { createAnalysisSet, type Watch } from './analyses.ts'
import { createEvent } from './event.ts'
import { lookAt } from './look.ts'
import { createLookPictures } from './look-pictures.ts'
import type { SeenEvent } from './model.ts'
import { PERSON_SURE } from './objects-watch.ts'

/** What the models see in one picture, and what the analyses make of it with their default calibration. */
interface StillFindings {
  /** Every detection down to `minConfidence`; empty where the model is not usable or was not asked for. */
  readonly objetos: readonly Detection[]
  readonly epi: readonly Detection[]
  readonly fogo: readonly Detection[]
  readonly events: readonly SeenEvent[]
}

export interface StillExam {
  exam(frame: VideoFrame): Promise<StillFindings>
}

export interface StillExamOptions {
  readonly sight: Sight
  /** Models to ask; all that are usable when left out. */
  readonly tarefas?: ReadonlySet<TarefaVisao>
  /** Weakest detection that is reported, 0.05 when left out: for curves of precision against recall. */
  readonly minConfidence?: number
}

/** What can be told from one picture; the others need time to pass. */
const BY_MODEL: Readonly<Record<'objetos' | 'fogo', readonly NomeIa[]>> = {
  objetos: ['invasao', 'veiculo', 'epi'],
  fogo: ['fogo', 'fumaca'],
}
const WATCH: Watch = {
  analises: [...BY_MODEL.objetos, ...BY_MODEL.fogo].map((ia) => ({
    ia,
    calibracao: calibracaoPadrao[ia],
    agenda: null,
  })),
  zonas: [],
  linha: [],
  fusoHorario: 'UTC',
}
/** The picture is shown to the analyses as a stream that stands still, for as long as the slowest of them takes to be sure. */
const SHOWN_FRAMES = 40
const FRAME_MS = 200
/** A picture has so many people that are looked at closely, at most. */
const PEOPLE = 50

/**
 * Examines single pictures with the looks and the thresholds of the cameras. A picture does not move: everything in it counts as
 * having moved, and fire rests on the detector alone.
 */
export function createStillExam({ sight, tarefas, minConfidence = 0.05 }: StillExamOptions): StillExam {
  const asked = (tarefa: TarefaVisao) => (tarefas?.has(tarefa) ?? true) && sight.model(tarefa) !== null

  async function people(frame: VideoFrame, tracks: readonly Track[]) {
    const model = sight.model('epi')
    if (!model || !asked('epi')) return { found: [], plan: [] }
    const sure = tracks.filter(({ rotulo }) => rotulo === 'person')
    const about = { frame, input: model.input, motion: [], tracks: sure, atMs: 0, budget: PEOPLE }
    const plan = createPeopleRegions().plan(about)
    const regions = [...new Set(plan.map(({ region }) => region))]
    return { found: await lookAt(sight, 'epi', frame, regions, { minConfidence }), plan }
  }

  async function judge(
    frame: VideoFrame,
    tarefa: TarefaVisao,
    tracks: readonly (ObservedTrack & Track)[],
    modelo: string,
  ) {
    const analyses = createAnalysisSet(tarefa, WATCH, {})
    const look = createLookPictures(frame, 0)
    const events: SeenEvent[] = []
    for (let shown = 0; shown < SHOWN_FRAMES; shown++) {
      const streamMs = shown * FRAME_MS
      const now = tracks.map((track) => ({ ...track, hits: shown + 1 }))
      for (const { calibracao, fired } of analyses.update({
        epochMs: streamMs,
        streamMs,
        tracks: now,
        evidence: {},
      })) {
        const about = { camera_id: 1, ocorrido_em: 0, calibracao, modelo }
        for (const one of fired) events.push(await createEvent(one, about, { best: null, track: null, look }))
      }
    }
    return events
  }

  const sightings = (found: readonly Detection[], highConfidence: number) =>
    createTracker({ highConfidence }).update(found, 0)
  const moved = { motion: 1, evidence: {} }

  return {
    async exam(frame) {
      const whole = (tarefa: TarefaVisao) =>
        asked(tarefa) ? lookAt(sight, tarefa, frame, [null], { minConfidence }) : Promise.resolve([])
      const objetos = await whole('objetos')
      const tracks = sightings(objetos, PERSON_SURE)
      const { found: epi, plan } = await people(frame, tracks)
      const worn = epiSights(epi, tracks, plan)
      const observed = tracks.map((track) => ({ ...track, ...moved, evidence: { epi: worn.get(track.id) } }))
      const fogo = await whole('fogo')
      const somebody = tracks.filter(({ rotulo }) => rotulo === 'person').map(({ box }) => box)
      const flames = sightings(fogo, minConfidence).map((track) => {
        return { ...track, ...moved, evidence: { objetos: objectsAround(track.box, somebody) } }
      })
      const id = (tarefa: TarefaVisao) => sight.model(tarefa)?.id ?? ''
      const events = [
        ...(await judge(frame, 'objetos', observed, id('objetos'))),
        ...(await judge(frame, 'fogo', flames, id('fogo'))),
      ]
      return { objetos, epi, fogo, events }
    },
  }
}
