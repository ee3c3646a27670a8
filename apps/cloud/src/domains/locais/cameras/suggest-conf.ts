/** A reviewed event. */
export interface Reviewed {
  /** Confidence of the detection on the edge. */
  readonly confianca: number
  /** The review confirmed it. */
  readonly real: boolean
}

/** Fewest reviews for a suggestion. */
export const MIN_REVISOES = 30
/** Fewest events that the suggested value would keep: a precision of three events is an accident. */
const KEPT_MIN = 10
/** Largest share of real events that a suggested value may lose. */
const LOST_MAX = 0.5

export interface Suggestion {
  readonly conf: number
  readonly precisao: number
  readonly falsos_evitados: number
  readonly verdadeiros_perdidos: number
}

/** Reason without a suggestion: too few reviews, the precision is reached already, or no value reaches it. */
export type NoSuggestion = 'poucas_revisoes' | 'ja_cumpre' | 'sem_valor'

/**
 * Returns the lowest `conf` above the current one, in steps of 0.01, at which the reviewed events would have had the
 * wanted precision. Events below the current value are ignored: a lower value would add events that nobody reviewed,
 * so that a suggestion never lowers it.
 * @param maximo largest value that the calibration accepts
 */
export function suggestConf(
  reviewed: readonly Reviewed[],
  { precisao, atual, maximo }: { readonly precisao: number; readonly atual: number; readonly maximo: number },
): Suggestion | NoSuggestion {
  const now = count(reviewed, atual)
  if (now.reais + now.falsos < MIN_REVISOES) return 'poucas_revisoes'
  if (now.reais >= precisao * (now.reais + now.falsos)) return 'ja_cumpre'
  for (let percent = Math.floor(atual * 100) + 1; percent <= Math.floor(maximo * 100); percent += 1) {
    const conf = percent / 100
    const { reais, falsos } = count(reviewed, conf)
    const kept = reais + falsos
    if (kept < KEPT_MIN || reais < (1 - LOST_MAX) * now.reais) return 'sem_valor'
    if (reais >= precisao * kept)
      return {
        conf,
        precisao: reais / kept,
        falsos_evitados: now.falsos - falsos,
        verdadeiros_perdidos: now.reais - reais,
      }
  }
  return 'sem_valor'
}

/** Numbers of the events that this `conf` lets through. */
export function count(reviewed: readonly Reviewed[], conf: number): { reais: number; falsos: number } {
  const kept = reviewed.filter(({ confianca }) => confianca >= conf)
  const reais = kept.filter(({ real }) => real).length
  return { reais, falsos: kept.length - reais }
}
