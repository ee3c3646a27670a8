import { VigiaError } from '@vigia/contracts/errors'

export interface InFlight {
  /**
   * Takes a slot of `key`. Returns its release function, which may be called more than once.
   * @throws VigiaError `muitas_requisicoes` when all slots are taken
   */
  enter(key: number): () => void
  /** Number of keys with a taken slot. */
  readonly size: number
}

/** Limits the concurrent requests of one key in this process. */
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
      const slot = {}
      open.set(key, slots.add(slot))
      return () => {
        slots.delete(slot)
        if (slots.size === 0 && open.get(key) === slots) open.delete(key)
      }
    },
    get size() {
      return open.size
    },
  }
}
