import type { LinkLog } from './log.ts'

/** Listeners of one kind of event. A listener that fails is logged and does not affect the others. */
export interface Listeners<Args extends unknown[]> {
  add(listener: (...args: Args) => void | Promise<void>): void
  emit(...args: Args): void
  /** Like `emit`, but resolves when all listeners are done. */
  emitAndWait(...args: Args): Promise<void>
}

export function createListeners<Args extends unknown[]>(log: LinkLog, event: string): Listeners<Args> {
  const listeners: ((...args: Args) => void | Promise<void>)[] = []
  const emitAndWait = async (...args: Args) => {
    const runs = listeners.map(async (listener) => {
      try {
        await listener(...args)
      } catch (err) {
        log.error({ err, event }, 'link listener failed')
      }
    })
    await Promise.all(runs)
  }
  return {
    add: (listener) => {
      listeners.push(listener)
    },
    emit: (...args) => void emitAndWait(...args),
    emitAndWait,
  }
}
