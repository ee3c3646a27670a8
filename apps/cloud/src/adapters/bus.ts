import type { MudancaCamera, Queda } from '@vigia/contracts/eventos'

/**
 * Messages within this process for open streams. `alertas` has no content: subscribers read the table `alertas`, so a
 * lost or repeated message has no effect.
 */
type Aviso =
  | { readonly tipo: 'alertas' }
  | { readonly tipo: 'camera'; readonly mudanca: MudancaCamera }
  /** A queda began or ended. Its notifications are already queued. */
  | { readonly tipo: 'queda'; readonly queda: Queda }
  /** A session was ended (logout): streams authenticate again. */
  | { readonly tipo: 'sessoes' }

export interface Bus {
  publish(aviso: Aviso): void
  /**
   * Returns a function that ends the subscription. Listeners run synchronously in order of subscription and must not
   * block.
   */
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
