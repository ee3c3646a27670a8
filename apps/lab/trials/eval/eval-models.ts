import type { AnalysisSettings } from '@vigia/analysis/analyses'
import { createCameraPipeline } from '@vigia/analysis/camera-pipeline'
import { VigiaError } from '@vigia/contracts/errors'
import type { NomeIa } from '@vigia/contracts/ias'
import { tarefasVisao } from '@vigia/vision/manifest'
import { createModelRunner, type TarefaVisao } from '@vigia/vision/model-runner'
import { chooseModel } from '@vigia/vision/registry'
import { createTurns } from '@vigia/vision/turns'
import { type Judge, settingsOf } from './analyse-video.ts'
import { createJudge } from './judge.ts'
import type { ModelResult } from './result.ts'
import { plainScene } from './scene.ts'
import { type CreatePipeline, type ShownStill, showStill } from './show-still.ts'

/** The product's models in this process, with pipelines and verifier. */
export interface EvalModels {
  /** Resolves when every model is loaded or has failed to load. */
  ready(): Promise<ModelResult[]>
  /** Each pipeline starts in the state of a camera that was just switched on. */
  pipelineFor(settings: AnalysisSettings): CreatePipeline
  readonly judge: Judge
  show(path: string, ias: readonly NomeIa[]): Promise<ShownStill | null>
  close(): Promise<void>
}

/** `modelsFolder`: manifests of an installer's models; null: the built-in models. */
export function createEvalModels(modelsFolder: string | null): EvalModels {
  const loaded = Promise.withResolvers<void>()
  const runner = createModelRunner({
    folder: modelsFolder,
    onChange() {
      if (runner.states().every(({ estado }) => estado !== 'carregando')) loaded.resolve()
    },
    // Results that were measured without a model must not be reported.
    onBroken(error) {
      throw error
    },
  })
  runner.need(new Set(tarefasVisao))
  const judge = createJudge(modelsFolder)
  const pipelineFor =
    (settings: AnalysisSettings): CreatePipeline =>
    (onEvents, onFound, onTracks) => {
      const measured = { onEvents, onFound, onTracks }
      return createCameraPipeline({ cameraId: 1, settings, states: {}, runner, turns: createTurns(), ...measured })
    }
  return {
    async ready() {
      await loaded.promise
      const first = await Promise.all(
        runner.states().map(async ({ tarefa, id, estado, motivo }) => {
          const manifest = estado === 'pronto' ? await chooseModel(tarefa, modelsFolder) : null
          const sha256 = (motivo === null && manifest?.leve?.sha256) || (manifest?.sha256 ?? null)
          return { tarefa, id, sha256, motivo: estado === 'pronto' ? null : motivo }
        }),
      )
      return [...first, ...(await Promise.all(tarefasVisao.map((tarefa) => verifierModel(tarefa, modelsFolder))))]
    },
    pipelineFor,
    judge,
    show: (path, ias) => showStill(path, ias, pipelineFor(settingsOf(plainScene, ias)), judge),
    async close() {
      await Promise.all([runner.close(), judge.close()])
    },
  }
}

/**
 * The verifier's model for a second opinion. It is loaded for the first candidate that needs it, so loading errors are
 * still unknown.
 */
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
