import type { LinkLog } from './log.ts'

/** Those who asked to hear one kind of news. A listener that fails is logged and disturbs nobody else. */
export interface Listeners<Args extends unknown[]> {
  add(listener: (...args: Args) => void | Promise<void>): void
  emit(...args: Args): void
  /** As `emit`; resolves when all of them are done. */
  emitAndWait(...args: Args): Promise<void>
}

export function createListeners<Args extends unknown[]>(log: LinkLog, news: string): Listeners<Args> {
  const listeners: ((...args: Args) => void | Promise<void>)[] = []
  const emitAndWait = async (...args: Args) => {
    const runs = listeners.map(async (listener) => {
      try {
        await listener(...args)
      } catch (err) {
        log.error({ err, news }, 'link listener failed')
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
