import type { MudancaCamera, Queda } from '@vigia/contracts/eventos'

/**
 * What happened inside this process that an open stream wants to know at once. `alertas` carries nothing: the table
 * `alertas` is the truth, and whoever hears of it reads from there, so a message lost or doubled here costs nothing.
 */
type Aviso =
  | { readonly tipo: 'alertas' }
  | { readonly tipo: 'camera'; readonly mudanca: MudancaCamera }
  /** An outage began or ended; what tells others of it is in the queue of notifications already. */
  | { readonly tipo: 'queda'; readonly queda: Queda }
  /** A session ended before its time (logout): streams look at theirs again. */
  | { readonly tipo: 'sessoes' }

export interface Bus {
  publish(aviso: Aviso): void
  /** Returns the function that ends the subscription. Listeners run at once, in order, and must not block. */
  subscribe(listener: (aviso: Aviso) => void): () => void
}

export function createBus(): Bus {
  const listeners = new Set<(aviso: Aviso) => void>()
  return {
    publish(aviso) {
      for (const listener of [...listeners]) listener(aviso)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
