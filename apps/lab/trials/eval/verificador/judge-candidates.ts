import { ia } from '@vigia/contracts/ias'
import { VEICULOS } from '@vigia/ias/catalogue-entry'
import type { Detection } from '@vigia/ias/detection'
import { judgeOf } from '@vigia/ias/judges'
import type { Classified, ClassifiedRegion, Detected, DetectedRegion, SecondModels } from '@vigia/ias/judging'
import { measureCut } from '@vigia/vision/cut-quality'
import { createDetector, type Detector } from '@vigia/vision/detector'
import { openPicture } from '@vigia/vision/picture'
import { modelManifest } from '@vigia/vision/registry'
import { createSecondModels } from '@vigia/vision/second-opinions'
import { surroundings } from '@vigia/vision/surroundings'
import { type Grupo, iaOf, type Outcome, type Seen } from './outcome.ts'
import { openScores } from './score-store.ts'

/** Minimum confidence of the first model's candidates: below the thresholds of the product, where verdicts matter. */
export const CANDIDATE_MIN = 0.1
/** Minimum size of a candidate, pixels. */
const MIN_WIDTH_PX = 4
const MIN_HEIGHT_PX = 10
const MEASURED = { factor: 2, minSide: 64 }

export type Tarefa = 'pessoa' | 'veiculo' | 'fogo'
const labelsOf: Readonly<Record<Tarefa, readonly string[]>> = {
  pessoa: ['person'],
  veiculo: VEICULOS,
  fogo: ['fire', 'smoke'],
}

export interface Labelled {
  readonly box: Detection
  readonly verdadeiro: boolean
  readonly grupo: Grupo
  /** Whether the box is the first model's; else it is the label. */
  readonly detected: boolean
}

/** First and second models of the product. @param scoreFile as in `openScores` */
export async function createVerifierBench(scoreFile: string | null = null) {
  const objects = await createDetector(modelManifest('nanodet-g-416'), { threads: 1 })
  const fires = await createDetector(modelManifest('fogo-nanodet-g-416'), { threads: 1 })
  const second = createSecondModels({ folder: null, threads: 1 })
  const scores = await openScores(scoreFile)

  /** The second models on one box, with stored results. @param seen receives what they report */
  function modelsOn(jpeg: Buffer, box: Detection, seen: Seen): SecondModels {
    const models = second.on({ frame: jpeg, crop: jpeg, caixas: [box] })
    const note = <Found extends Detected | Classified>(found: Found): Found => {
      for (const region of found.regions) Object.assign(seen, Object.fromEntries(entriesOf(region)))
      return found
    }
    return {
      detect: async (tarefa, question) =>
        note(await scores.of(jpeg, ['detect', tarefa, question, box], () => models.detect(tarefa, question))),
      inspect: async (tarefa, question) =>
        note(await scores.of(jpeg, ['inspect', tarefa, question, box], () => models.inspect(tarefa, question))),
      measure: () => models.measure(),
    }
  }

  async function detect(jpeg: Buffer, tarefa: Tarefa): Promise<Detection[]> {
    const detector: Detector = tarefa === 'fogo' ? fires : objects
    const picture = await openPicture(jpeg)
    const whole = { left: 0, top: 0, width: picture.width, height: picture.height }
    const packed = await picture.cut(whole, detector.input)
    const found = await detector.detect(packed, { minConfidence: CANDIDATE_MIN, labels: labelsOf[tarefa] })
    return found.filter(({ w, h }) => w * picture.width >= MIN_WIDTH_PX && h * picture.height >= MIN_HEIGHT_PX)
  }

  async function measure(jpeg: Buffer, box: Detection) {
    const picture = await openPicture(jpeg)
    const quality = await measureCut(picture, surroundings(box, picture, MEASURED))
    return { ...quality, alturaPx: Math.round(box.h * picture.height) }
  }

  return {
    /** Candidates of the first model on the whole picture, most confident first. */
    candidates: (jpeg: Buffer, tarefa: Tarefa): Promise<Detection[]> =>
      scores.of(jpeg, ['candidates', tarefa, CANDIDATE_MIN], () => detect(jpeg, tarefa)),
    /** The verdict on one candidate, as the cloud gives it on an alarm with that box alone. */
    async judge(
      jpeg: Buffer,
      { box, verdadeiro, grupo, detected }: Labelled,
      where: Pick<Outcome, 'fonte' | 'versao'>,
      conjunta = false,
    ): Promise<Outcome> {
      const { noise, light, sharpness, alturaPx } = await scores.of(jpeg, ['quality', box], () => measure(jpeg, box))
      const fonte = grupo === 'pessoa_principal' ? 'principal' : 'sub'
      const { rotulos } = ia(iaOf[grupo])
      const alarm = { caixas: [box], rotulos, conf: CANDIDATE_MIN, fonte, conjunta, detalhes: {} } as const
      const seen: Seen = {}
      const { decisao, certeza, confianca } = await judgeOf(iaOf[grupo])(alarm, modelsOn(jpeg, box, seen))
      return {
        ...where,
        grupo,
        verdadeiro,
        alturaPx,
        primeira: detected ? box.confianca : null,
        ruido: noise,
        luz: light,
        nitidez: sharpness,
        segundo: seen,
        decisao,
        certeza,
        confianca,
      }
    },
    async close() {
      await Promise.all([scores.save(), objects.close(), fires.close(), second.close()])
    },
  }
}
const entriesOf = ({ seen }: DetectedRegion | ClassifiedRegion): [string, number][] =>
  'has' in seen ? [...seen] : seen.map((value, at) => [String(at), value])

export type VerifierBench = Awaited<ReturnType<typeof createVerifierBench>>
