/** The confidence of a reading in words, because a number suggests more than it says. */
export const certaintyOf = (confianca: number): 'alta' | 'media' | 'baixa' =>
  confianca >= 0.95 ? 'alta' : confianca >= 0.8 ? 'media' : 'baixa'
