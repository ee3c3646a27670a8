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
      const slots = open.get(key) ?? new Set()
      if (slots.size >= most)
        throw new VigiaError('muitas_requisicoes', {
          detalhe: `Este agente já tem ${most} chamadas em andamento. Espere que uma termine.`,
          tentarEmS: 1,
        })
      const place = {}
      open.set(key, slots.add(place))
      return () => {
        slots.delete(place)
        if (slots.size === 0 && open.get(key) === slots) open.delete(key)
      }
    },
    get size() {
      return open.size
    },
  }
}
