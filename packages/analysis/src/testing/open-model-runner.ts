import { createHash } from 'node:crypto'
import { createModelRunner, type ModelRunner, type TarefaVisao } from '@vigia/vision/model-runner'

/** Loads the models of these tasks; models in `folder` come first. Throws when a model cannot be used. */
export async function openModelRunner(
  tarefas: readonly TarefaVisao[],
  folder: string | null = null,
): Promise<ModelRunner> {
  const settled = Promise.withResolvers<void>()
  const runner = createModelRunner({
    folder,
    onChange() {
      const states = runner.states()
      const [broken] = states.filter(({ estado }) => estado === 'indisponivel')
      if (broken) settled.reject(new Error(broken.motivo ?? broken.tarefa))
      else if (states.every(({ estado }) => estado === 'pronto')) settled.resolve()
    },
    onBroken: settled.reject,
  })
  runner.need(new Set(tarefas))
  await settled.promise
  return runner
}

/** `runner` that runs a model once for equal pictures and options, for tests that play the same footage again. */
export function rememberDetections(runner: ModelRunner): ModelRunner {
  const found = new Map<string, Awaited<ReturnType<ModelRunner['detect']>>>()
  return {
    ...runner,
    async detect(tarefa, pictures, options) {
      const hash = createHash('sha256').update(JSON.stringify([tarefa, options]))
      for (const picture of pictures) hash.update(picture)
      const key = hash.digest('hex')
      const detections = found.get(key) ?? (await runner.detect(tarefa, pictures, options))
      found.set(key, detections)
      return detections
    },
  }
}
