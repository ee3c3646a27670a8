import { normalizePlaca, PLACA } from '@vigia/contracts/placas'

/** Plates of a text, one a line or with commas, each once and in the stored form. */
export const platesOf = (text: string): string[] => [
  ...new Set(text.split(/[\n,;]+/).flatMap((line) => normalizePlaca(line) || [])),
]

export const textOfPlates = (placas: readonly string[]): string => placas.join('\n')

/** The first plate that the API would refuse; null: none. */
export const wrongPlate = (placas: readonly string[]): string | null => placas.find((one) => !PLACA.test(one)) ?? null
