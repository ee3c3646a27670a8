import type { Passage } from './passage.ts'
import type { PlateFound } from './read-plates.ts'

/** Symbols that two readings of one vehicle may differ in. */
export const SIMILAR = 2
/** Differing symbols from which a reading of this chance is another vehicle. Blur does not change that many. */
const [FAR, FAR_CHANCE] = [4, 0.5]

/** Symbols that differ; texts of different length differ entirely. */
export const distance = (a: string, b: string): number =>
  a.length === b.length ? [...a].filter((symbol, at) => symbol !== b[at]).length : a.length

/** Whether this plate belongs to another vehicle than the passage. `confPlaca`: chance that decides a plate. */
export function isOtherVehicle(passage: Passage, { placa, chance }: PlateFound, confPlaca: number): boolean {
  const decided = passage.placa()
  if (decided === null) return false
  const differing = distance(decided, placa)
  return differing > SIMILAR && chance >= (differing >= FAR ? Math.min(FAR_CHANCE, confPlaca) : confPlaca)
}
