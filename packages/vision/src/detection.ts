import type { Caixa } from '@vigia/contracts/eventos'

/** One object: label, confidence 0–1, box as fractions of the picture that was handed in. */
export type Detection = Caixa
