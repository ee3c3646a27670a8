import type { Diagnostico } from '@vigia/contracts/pedidos'
import pino from 'pino'

type Aviso = Diagnostico['avisos'][number]

/** The warnings and errors that this program logged last, for whoever looks at the box from afar. */
export interface RecentWarnings {
  /** For the options of the logger. */
  readonly hooks: NonNullable<pino.LoggerOptions['hooks']>
  /** Newest last. */
  list(): Aviso[]
}

/** As many, and as long, as the answer to `diagnosticar` takes. */
const MAX = 50
const MAX_CHARS = 300
const WARN = pino.levels.values.warn ?? 40

/**
 * Keeps each message once, with the time of its last occurrence: what repeats every few seconds must not push out what happened
 * once. Only messages are kept: the fields of a line may name what does not belong outside the box.
 * @param now epoch ms
 */
export function createRecentWarnings(now: () => number = Date.now): RecentWarnings {
  const seen = new Map<string, Aviso>()

  function keep(args: readonly unknown[], level: number) {
    const message = args.find((arg) => typeof arg === 'string')
    if (message === undefined) return
    const texto = message.slice(0, MAX_CHARS)
    const nivel = pino.levels.labels[level] ?? String(level)
    // Set anew, so that the order is that of the last occurrence.
    seen.delete(`${nivel} ${texto}`)
    seen.set(`${nivel} ${texto}`, { em: now(), nivel, texto })
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
    list: () => [...seen.values()],
  }
}
