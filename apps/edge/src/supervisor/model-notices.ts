import type { ModelState } from '@vigia/vision/model-runner'
import type { Logger } from 'pino'

export interface ModelNotices {
  /** Records the models reported by the capture process of a slot. Returns true if a state is new. */
  heard(place: number, models: readonly ModelState[]): boolean
  /** Called when the slot no longer exists. */
  forget(place: number): void
}

/**
 * Logs each model once when it is ready or not usable, however many capture processes load it. Processes may differ: a
 * process started after a file was replaced loads another model.
 */
export function createModelNotices(log: Logger): ModelNotices {
  /** By slot: last reported state of each model. */
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
        if (estado === 'pronto' && motivo !== null) log.warn({ tarefa, modelo: id }, motivo)
        else if (estado === 'pronto') log.info({ tarefa, modelo: id }, 'model ready')
        else log.error({ tarefa, modelo: id }, motivo ?? 'model not usable')
      }
      return isNew
    },
    forget: (place) => said.delete(place),
  }
}
