import { VEICULOS } from '@vigia/ias/catalogue-entry'
import type { Detection } from '@vigia/ias/detection'
import { measureCut } from '@vigia/vision/cut-quality'
import { createDetector, type Detector } from '@vigia/vision/detector'
import { openPicture } from '@vigia/vision/picture'
import { modelManifest } from '@vigia/vision/registry'
import { createSecondOpinions } from '@vigia/vision/second-opinions'
import { surroundings } from '@vigia/vision/surroundings'
import { type Grupo, iaOf, type Outcome } from './outcome.ts'

/** Least confidence of the first model's candidates: below the product's thresholds, where the verdict matters most. */
export const CANDIDATE_MIN = 0.1
/** Least size of a candidate, pixels. */
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

/** First and second models of the product. */
export async function createVerifierBench() {
  const objects = await createDetector(modelManifest('nanodet-g-416'), { threads: 1 })
  const fires = await createDetector(modelManifest('fogo-nanodet-g-416'), { threads: 1 })
  const opinions = createSecondOpinions({ folder: null, threads: 1 })

  return {
    /** Candidates of the first model on the whole picture, most confident first. */
    async candidates(jpeg: Buffer, tarefa: Tarefa): Promise<Detection[]> {
      const detector: Detector = tarefa === 'fogo' ? fires : objects
      const picture = await openPicture(jpeg)
      const whole = { left: 0, top: 0, width: picture.width, height: picture.height }
      const packed = await picture.cut(whole, detector.input)
      const found = await detector.detect(packed, { minConfidence: CANDIDATE_MIN, labels: labelsOf[tarefa] })
      return found.filter(({ w, h }) => w * picture.width >= MIN_WIDTH_PX && h * picture.height >= MIN_HEIGHT_PX)
    },
    /** The verdict on one candidate, as the cloud gives it on an alarm with that box alone. */
    async judge(
      jpeg: Buffer,
      { box, verdadeiro, grupo, detected }: Labelled,
      where: Pick<Outcome, 'fonte' | 'versao'>,
    ): Promise<Outcome> {
      const picture = await openPicture(jpeg)
      const { noise, light } = await measureCut(picture, surroundings(box, picture, MEASURED))
      const fonte = grupo === 'pessoa_principal' ? 'principal' : 'sub'
      const pictures = { frame: jpeg, crop: jpeg, caixas: [box], fonte } as const
      const alarm = { ...pictures, ia: iaOf[grupo], conf: CANDIDATE_MIN, detalhes: {} }
      const { decisao, certeza, confianca } = await opinions.assess(alarm)
      return {
        ...where,
        grupo,
        verdadeiro,
        alturaPx: Math.round(box.h * picture.height),
        primeira: detected ? box.confianca : null,
        ruido: noise,
        luz: light,
        decisao,
        certeza,
        confianca,
      }
    },
    async close() {
      await Promise.all([objects.close(), fires.close(), opinions.close()])
    },
  }
}
export type VerifierBench = Awaited<ReturnType<typeof createVerifierBench>>
