import type { Diagnostico } from '@vigia/contracts/pedidos'
import pino from 'pino'

type Aviso = Diagnostico['avisos'][number]

/** The last warnings and errors of this program, for remote diagnosis. */
export interface RecentWarnings {
  /** Hooks for the options of the logger. */
  readonly hooks: NonNullable<pino.LoggerOptions['hooks']>
  /** Newest last. */
  list(): Aviso[]
}

/** The limits of the answer to `diagnosticar`. */
const MAX = 50
const MAX_CHARS = 300
const WARN = pino.levels.values.warn ?? 40

/**
 * Keeps each message once, with the time of its last occurrence: frequent messages must not displace rare ones. Only
 * messages are kept: the fields of a line may contain data that must not leave the edge.
 * The times follow the clock at the answer: it may have been wrong at the message.
 * @param now epoch ms @param mono monotonic ms
 */
export function createRecentWarnings(now: () => number = Date.now, mono = () => performance.now()): RecentWarnings {
  const seen = new Map<string, Omit<Aviso, 'em'> & { readonly at: number }>()

  function keep(args: readonly unknown[], level: number) {
    const message = args.find((arg) => typeof arg === 'string')
    if (message === undefined) return
    const texto = message.slice(0, MAX_CHARS)
    const nivel = pino.levels.labels[level] ?? String(level)
    // Deleted and inserted again, so that the order is that of the last occurrence.
    seen.delete(`${nivel} ${texto}`)
    seen.set(`${nivel} ${texto}`, { at: mono(), nivel, texto })
    const [oldest] = seen.keys()
    if (seen.size > MAX && oldest !== undefined) seen.delete(oldest)
  }

  return {
    hooks: {
      logMethod(args, method, level) {
        if (level >= WARN) keep(args, level)
        method.apply(this, args)
      },
    },
    list: () => [...seen.values()].map(({ at, ...one }) => ({ em: Math.round(now() - (mono() - at)), ...one })),
  }
}
