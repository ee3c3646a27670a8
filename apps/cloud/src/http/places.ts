import { VigiaError } from '@vigia/contracts/errors'

/** Places that each login has for what lasts or costs: one login cannot hold them all. Counted in this process. */
export interface Places {
  /**
   * Takes one and returns the function that gives it back, which may be called more than once.
   * @throws VigiaError `muitas_requisicoes` when the login has none left.
   */
  take(usuarioId: number): () => void
}

/** @param refusal the sentence for a login that has none left, and when to try again (seconds) */
export function createPlaces(
  perLogin: number,
  refusal: { readonly detalhe: string; readonly tentarEmS: number },
): Places {
  const taken = new Map<number, Set<object>>()
  return {
    take(usuarioId) {
      const mine = taken.get(usuarioId) ?? new Set()
      if (mine.size >= perLogin) throw new VigiaError('muitas_requisicoes', refusal)
      const place = {}
      taken.set(usuarioId, mine.add(place))
      return () => {
        mine.delete(place)
        if (mine.size === 0 && taken.get(usuarioId) === mine) taken.delete(usuarioId)
      }
    },
  }
}
