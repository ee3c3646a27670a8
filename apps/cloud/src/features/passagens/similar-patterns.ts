/**
 * LIKE patterns of a search for a plate.
 * @param placa letters, digits and `*` for any run
 * @param similar with a whole plate: also texts that differ in one symbol
 */
export function similarPatterns(placa: string, similar: boolean): string[] {
  const pattern = placa.replaceAll('*', '%')
  if (!similar || placa.includes('*')) return [pattern]
  return [pattern, ...[...placa].map((_, at) => `${placa.slice(0, at)}_${placa.slice(at + 1)}`)]
}
