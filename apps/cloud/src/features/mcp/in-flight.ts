import { VigiaError } from '@vigia/contracts/errors'

export interface InFlight {
  /**
   * Takes one place of `key`, until the returned function is called (more than once is once).
   * @throws VigiaError `muitas_requisicoes` when all are taken.
   */
  enter(key: number): () => void
  /** Keys with a place taken. */
  readonly size: number
}

/** Bounds what one key has open at the same moment in this process. */
export function createInFlight(most: number): InFlight {
  const open = new Map<number, Set<object>>()
  return {
    enter(key) {
      const places = open.get(key) ?? new Set()
      if (places.size >= most)
        throw new VigiaError('muitas_requisicoes', {
          detalhe: `Este agente já tem ${most} chamadas em andamento. Espere que uma termine.`,
          tentarEmS: 1,
        })
      const place = {}
      open.set(key, places.add(place))
      return () => {
        places.delete(place)
        if (places.size === 0 && open.get(key) === places) open.delete(key)
      }
    },
    get size() {
      return open.size
    },
  }
}
