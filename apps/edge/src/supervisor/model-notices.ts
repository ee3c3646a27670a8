import type { ModelState } from '@vigia/vision/sight'
import type { Logger } from 'pino'

export interface ModelNotices {
  /** What a capture process says of its models. True: something is new. */
  heard(models: readonly ModelState[]): boolean
}

/** One line in the log for each model that is ready or can not be used, however many capture processes load it and however often. */
export function createModelNotices(log: Logger): ModelNotices {
  const said = new Map<string, string>()
  return {
    heard(models) {
      let isNew = false
      for (const { tarefa, id, estado, motivo } of models) {
        const text = `${estado} ${id} ${motivo}`
        if (estado === 'carregando' || said.get(tarefa) === text) continue
        said.set(tarefa, text)
        isNew = true
        if (estado === 'pronto') log.info({ tarefa, modelo: id }, 'model ready')
        else log.error({ tarefa, modelo: id }, motivo ?? 'model not usable')
      }
      return isNew
    },
  }
}
