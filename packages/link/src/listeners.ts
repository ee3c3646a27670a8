import type { LinkLog } from './log.ts'

/** Those who asked to hear one kind of news. A listener that fails is logged and disturbs nobody else. */
export interface Listeners<Args extends unknown[]> {
  add(listener: (...args: Args) => void | Promise<void>): void
  emit(...args: Args): void
}

export function createListeners<Args extends unknown[]>(log: LinkLog, news: string): Listeners<Args> {
  const listeners: ((...args: Args) => void | Promise<void>)[] = []
  return {
    add: (listener) => {
      listeners.push(listener)
    },
    emit: (...args) => {
      for (const listener of listeners) {
        // The async wrapper turns a synchronous throw into a rejection as well.
        const run = async () => listener(...args)
        run().catch((err: unknown) => log.error({ err, news }, 'link listener failed'))
      }
    },
  }
}
