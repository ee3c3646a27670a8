import { VigiaError } from '@vigia/contracts/errors'
import { ia, type NomeIa, type TarefaModelo } from '@vigia/contracts/ias'
import { judgeOf } from '@vigia/ias/judges'
import type { Alarm, Classified, Detected, Opinion, SecondModels } from '@vigia/ias/judging'
import { isTarefaVisao, type TarefaVisao } from './manifest.ts'
import { openPicture } from './picture.ts'
import { measurePicture } from './picture-measures.ts'
import { chooseModel } from './registry.ts'
import { createSecondClassifier } from './second-classifier.ts'
import { createSecondDetector } from './second-detector.ts'
import type { AlarmPictures, SecondModel } from './second-model.ts'

/** An alarm of any IA with its pictures. */
export interface AlarmWithPictures extends Omit<Alarm, 'rotulos'>, AlarmPictures {
  readonly ia: NomeIa
}

export interface SecondOpinions {
  /**
   * Returns the verdict of the IA's judge on one alarm, with the name of the model or measurement. A model is loaded
   * for the first alarm that needs it. Throws VigiaError `validacao` for an undecodable picture, and `interno` with one
   * Portuguese sentence when the IA has no usable model. The next alarm retries an unusable model.
   */
  assess(alarm: AlarmWithPictures): Promise<Opinion>
  close(): Promise<void>
}

/** The second models, each loaded for the first question that needs it. */
export interface SecondModelPool {
  /** The models on the pictures of one alarm. */
  on(pictures: AlarmPictures): SecondModels
  close(): Promise<void>
}

export interface SecondOpinionsOptions {
  /** Folder of the installer's manifests (registry.ts); null: only built-in models. */
  readonly folder: string | null
  /** Threads per run. */
  readonly threads?: number
}

/** Name of the picture measurement in verdicts. */
const PICTURE_MEASURE = 'medida-da-imagem'

/** The second models, each loaded once, for the judges of the IAs (packages/ias). */
export function createSecondOpinions(options: SecondOpinionsOptions): SecondOpinions {
  const models = createSecondModels(options)
  return {
    async assess({ ia: nome, frame, crop, ...alarm }) {
      const own = models.on({ frame, crop, caixas: alarm.caixas })
      return await judgeOf(nome)({ ...alarm, rotulos: ia(nome).rotulos }, own)
    },
    close: () => models.close(),
  }
}

export function createSecondModels({ folder, threads = 1 }: SecondOpinionsOptions): SecondModelPool {
  type AnyModel = SecondModel<Detected> | SecondModel<Classified>
  const loaded = new Map<string, Promise<AnyModel>>()
  const options = { threads }

  const once = <M extends AnyModel>(name: string, load: () => Promise<M>): Promise<M> => {
    const known = loaded.get(name) as Promise<M> | undefined
    if (known !== undefined) return known
    const made = load().catch((error: unknown) => {
      // The file may be repaired meanwhile: the next alarm retries.
      loaded.delete(name)
      throw error instanceof VigiaError ? new VigiaError('interno', { detalhe: error.detalhe, cause: error }) : error
    })
    loaded.set(name, made)
    return made
  }

  const detector = (tarefa: TarefaVisao) =>
    once(`${tarefa} detector`, async () =>
      createSecondDetector(await chooseModel(tarefa, folder, 'confirmacao'), options),
    )

  const classifierOrDetector = (tarefa: TarefaVisao): Promise<AnyModel> =>
    once(tarefa, async () => {
      const manifest = await chooseModel(tarefa, folder, 'confirmacao')
      return manifest.decodificador === 'classificador'
        ? createSecondClassifier(manifest, options)
        : createSecondDetector(manifest, options)
    })

  return {
    on: (pictures) => ({
      detect: async (tarefa, question) => (await detector(runnable(tarefa))).inspect(pictures, question),
      inspect: async (tarefa, question) => (await classifierOrDetector(runnable(tarefa))).inspect(pictures, question),
      async measure() {
        const picture = await openPicture(pictures.frame ?? pictures.crop)
        return { modelo: PICTURE_MEASURE, measures: await measurePicture(picture) }
      },
    }),
    async close() {
      const models = await Promise.allSettled(loaded.values())
      loaded.clear()
      await Promise.all(models.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)))
    },
  }
}

function runnable(tarefa: TarefaModelo): TarefaVisao {
  if (isTarefaVisao(tarefa)) return tarefa
  throw new VigiaError('interno', { detalhe: `Não há modelo de verificação para ${tarefa}. Use outro verificador.` })
}
