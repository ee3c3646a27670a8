import type { ModelState } from '@vigia/vision/sight'
import type { Logger } from 'pino'

export interface ModelNotices {
  /** What the capture process of a place says of its models. True: something is new. */
  heard(place: number, models: readonly ModelState[]): boolean
  /** There is no such place any more. */
  forget(place: number): void
}

/**
 * One line in the log for each model that is ready or can not be used, however many capture processes load it and however often. They need
 * not agree: one that was started after a file was exchanged loads another model than those before it.
 */
export function createModelNotices(log: Logger): ModelNotices {
  /** By place: what was last said of each model. */
  const said = new Map<number, Map<string, string>>()
  return {
    heard(place, models) {
      const own = said.get(place) ?? new Map<string, string>()
      said.set(place, own)
      let isNew = false
      for (const { tarefa, id, estado, motivo } of models) {
        const text = `${estado} ${id} ${motivo}`
        if (estado === 'carregando' || own.get(tarefa) === text) continue
        const isKnown = [...said.values()].some((one) => one.get(tarefa) === text)
        own.set(tarefa, text)
        isNew = true
        if (isKnown) continue
        if (estado === 'pronto') log.info({ tarefa, modelo: id }, 'model ready')
        else log.error({ tarefa, modelo: id }, motivo ?? 'model not usable')
      }
      return isNew
    },
    forget: (place) => said.delete(place),
  }
}
