import type { Watch } from '@vigia/analysis/analyses'
import { createCameraPipeline } from '@vigia/analysis/camera-pipeline'
import { VigiaError } from '@vigia/contracts/errors'
import type { NomeIa } from '@vigia/contracts/ias'
import { chooseModel } from '@vigia/vision/registry'
import { createSight, type TarefaVisao } from '@vigia/vision/sight'
import { createTurns } from '@vigia/vision/turns'
import { createJudge } from './judge.ts'
import type { ModelResult } from './result.ts'
import { plainScene } from './scene.ts'
import { type CreatePipeline, type ShownStill, showStill } from './show-still.ts'
import { type Judge, watchOf } from './watch-video.ts'

/** The product's models in this process, and what is built on them. */
interface Eyes {
  /** Resolves when every model is loaded or known not to be usable. */
  ready(): Promise<ModelResult[]>
  /** Each pipeline is one of a camera that was just switched on. */
  pipelineFor(watch: Watch): CreatePipeline
  readonly judge: Judge
  show(path: string, ias: readonly NomeIa[]): Promise<ShownStill | null>
  close(): Promise<void>
}

const TASKS: ReadonlySet<TarefaVisao> = new Set(['objetos', 'epi', 'fogo'])

/** `modelsFolder`: manifests of an installer's own models; null: those that come with the product. */
export function createEyes(modelsFolder: string | null): Eyes {
  const loaded = Promise.withResolvers<void>()
  const sight = createSight({
    folder: modelsFolder,
    onChange() {
      if (sight.states().every(({ estado }) => estado !== 'carregando')) loaded.resolve()
    },
    // Nothing that was measured without its models may be reported.
    onBroken(error) {
      throw error
    },
  })
  sight.need(TASKS)
  const judge = createJudge(modelsFolder)
  const pipelineFor =
    (watch: Watch): CreatePipeline =>
    (onEvents, onFound) =>
      createCameraPipeline({ cameraId: 1, watch, states: {}, sight, turns: createTurns(), onEvents, onFound })
  return {
    async ready() {
      await loaded.promise
      const first = await Promise.all(
        sight.states().map(async ({ tarefa, id, motivo }) => {
          const manifest = motivo === null ? await chooseModel(tarefa, modelsFolder) : null
          return { tarefa, id, sha256: manifest?.sha256 ?? null, motivo }
        }),
      )
      return [...first, ...(await Promise.all([...TASKS].map((tarefa) => verifierModel(tarefa, modelsFolder))))]
    },
    pipelineFor,
    judge,
    show: (path, ias) => showStill(path, ias, pipelineFor(watchOf(plainScene, ias)), judge),
    async close() {
      await Promise.all([sight.close(), judge.close()])
    },
  }
}

/** The model of the verifier's second look. It is loaded when a candidate first needs it: that it can be is not known here. */
async function verifierModel(tarefa: TarefaVisao, modelsFolder: string | null): Promise<ModelResult> {
  const nome = `${tarefa} (verificador)`
  try {
    const { id, sha256 } = await chooseModel(tarefa, modelsFolder, 'confirmacao')
    return { tarefa: nome, id, sha256, motivo: null }
  } catch (error) {
    if (!(error instanceof VigiaError)) throw error
    return { tarefa: nome, id: null, sha256: null, motivo: error.detalhe }
  }
}
