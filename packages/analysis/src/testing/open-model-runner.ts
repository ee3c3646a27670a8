import { createHash } from 'node:crypto'
import { createSight, type Sight, type TarefaVisao } from '@vigia/vision/model-runner'

/** Loads the models of these tasks; models in `folder` come first. Throws when a model cannot be used. */
export async function openSight(tarefas: readonly TarefaVisao[], folder: string | null = null): Promise<Sight> {
  const settled = Promise.withResolvers<void>()
  const sight = createSight({
    folder,
    onChange() {
      const states = sight.states()
      const [broken] = states.filter(({ estado }) => estado === 'indisponivel')
      if (broken) settled.reject(new Error(broken.motivo ?? broken.tarefa))
      else if (states.every(({ estado }) => estado === 'pronto')) settled.resolve()
    },
    onBroken: settled.reject,
  })
  sight.need(new Set(tarefas))
  await settled.promise
  return sight
}

/** `sight` that runs a model once for equal pictures and options, for tests that play the same footage again. */
export function rememberDetections(sight: Sight): Sight {
  const found = new Map<string, Awaited<ReturnType<Sight['detect']>>>()
  return {
    ...sight,
    async detect(tarefa, pictures, options) {
      const hash = createHash('sha256').update(JSON.stringify([tarefa, options]))
      for (const picture of pictures) hash.update(picture)
      const key = hash.digest('hex')
      const detections = found.get(key) ?? (await sight.detect(tarefa, pictures, options))
      found.set(key, detections)
      return detections
    },
  }
}
