import { VigiaError } from '@vigia/contracts/errors'

/** Limits the slots of each login or key for long or expensive requests. Counted in this process. */
export interface Slots {
  /**
   * Takes a slot for `holder` (callerKey). Returns its release function, which may be called more than once.
   * @throws VigiaError `muitas_requisicoes` when the holder has no free slot.
   */
  take(holder: string): () => void
}

/** @param refusal sentence for a login without a free slot, and seconds until the next attempt */
export function createSlots(
  perLogin: number,
  refusal: { readonly detalhe: string; readonly tentarEmS: number },
): Slots {
  const taken = new Map<string, Set<object>>()
  return {
    take(holder) {
      const mine = taken.get(holder) ?? new Set()
      if (mine.size >= perLogin) throw new VigiaError('muitas_requisicoes', refusal)
      const slot = {}
      taken.set(holder, mine.add(slot))
      return () => {
        mine.delete(slot)
        if (mine.size === 0 && taken.get(holder) === mine) taken.delete(holder)
      }
    },
  }
}
