import { VigiaError } from '@vigia/contracts/errors'

/** Places that each login or key has for what lasts or costs: one login cannot hold them all. Counted in this process. */
export interface Slots {
  /**
   * Takes one for `holder` (callerKey) and returns the function that gives it back, which may be called more than once.
   * @throws VigiaError `muitas_requisicoes` when the caller has none left.
   */
  take(holder: string): () => void
}

/** @param refusal the sentence for a login that has none left, and when to try again (seconds) */
export function createSlots(
  perLogin: number,
  refusal: { readonly detalhe: string; readonly tentarEmS: number },
): Slots {
  const taken = new Map<string, Set<object>>()
  return {
    take(holder) {
      const mine = taken.get(holder) ?? new Set()
      if (mine.size >= perLogin) throw new VigiaError('muitas_requisicoes', refusal)
      const place = {}
      taken.set(holder, mine.add(place))
      return () => {
        mine.delete(place)
        if (mine.size === 0 && taken.get(holder) === mine) taken.delete(holder)
      }
    },
  }
}
