import type { Logger } from '../../http/request-log.ts'
import { type Budgets, budgets as standard } from './budgets.ts'
import { createCounter } from './counter.ts'
import { createFailureLimit, requireUse } from './failure-limit.ts'
import type { RateLimit, RateLimits } from './interface.ts'
import type { CounterStore } from './store.ts'

interface RateLimitsDeps {
  /** Opens the counters that all processes of this installation share. */
  readonly store: () => CounterStore
  readonly log: Logger
  readonly budgets?: Budgets
  /** Interval between two deletions of ended windows. */
  readonly pruneMs?: number
}

/**
 * Opens the counters. All processes of the installation share them, also across restarts. If the store cannot be used
 * (disk full, read-only), the limits continue in the memory of this process, with one log line.
 */
export function createRateLimits({
  store: open,
  log,
  budgets = standard,
  pruneMs = 60_000,
}: RateLimitsDeps): RateLimits {
  const report = reporter(log)
  const store = openOrNull(open, log)
  const counter = (name: keyof Budgets) => createCounter({ name, budget: budgets[name], store, report })
  const limit = (name: keyof Budgets): RateLimit => {
    const uses = counter(name)
    return { consume: async (key) => requireUse(uses, await uses.count(key)) }
  }
  const prune = async () => {
    try {
      await store?.prune(Date.now())
    } catch (error) {
      report(error)
    }
  }
  const pruning = setInterval(() => void prune(), pruneMs)
  pruning.unref()

  return {
    login: createFailureLimit({
      pair: counter('loginPar'),
      wide: { counter: counter('loginRede'), keyOf: (_name, network) => network },
      known: counter('loginConhecido'),
    }),
    codigo: createFailureLimit({
      pair: counter('codigoPar'),
      wide: { counter: counter('codigoLogin'), keyOf: (name) => name },
      known: null,
    }),
    recuperacao: createFailureLimit({ pair: counter('recuperacao'), wide: null, known: null }),
    ativacao: createFailureLimit({ pair: counter('ativacao'), wide: null, known: null }),
    renovacao: limit('renovacao'),
    conviteErrado: createFailureLimit({ pair: counter('conviteErrado'), wide: null, known: null }),
    convite: limit('convite'),
    sondagem: limit('sondagem'),
    imagemCanal: limit('imagemCanal'),
    listaGravacao: limit('listaGravacao'),
    registroOauth: limit('registroOauth'),
    recusaOauth: limit('recusaOauth'),
    consentimento: limit('consentimento'),
    teste: limit('teste'),
    simulacao: limit('simulacao'),
    mudanca: limit('mudanca'),
    agente: limit('agente'),
    async stop() {
      clearInterval(pruning)
      await store?.close()
    },
  }
}

function openOrNull(open: () => CounterStore, log: Logger): CounterStore | null {
  try {
    return open()
  } catch (err) {
    log.error({ err }, 'rate limits: store not opened; counting in the memory of this process until the next start')
    return null
  }
}

/** Logs only the first failure of the store and its recovery, so that many requests do not flood the log. */
function reporter(log: Logger): (error: unknown) => void {
  let failing = false
  return (err) => {
    if (err !== null && !failing) log.error({ err }, 'rate limits: store fails; counting in the memory of this process')
    if (err === null && failing) log.info({}, 'rate limits: store works again')
    failing = err !== null
  }
}
