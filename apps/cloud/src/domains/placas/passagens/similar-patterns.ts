/**
 * LIKE patterns of a search for a plate.
 * @param placa letters, digits and `*` for any run
 * @param similar with a whole plate: also texts that differ in one symbol
 */
export function similarPatterns(placa: string, similar: boolean): string[] {
  const pattern = placa.replaceAll('*', '%')
  if (!similar || placa.includes('*')) return [pattern]
  return [pattern, ...masksOf(placa)]
}

/** The plate with `_` in place of each symbol in turn. Plates that differ in one symbol share exactly one mask. */
export const masksOf = (placa: string): string[] =>
  [...placa].map((_, at) => `${placa.slice(0, at)}_${placa.slice(at + 1)}`)
