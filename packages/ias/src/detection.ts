import type { Box } from './geometry.ts'

/** One object: label of the model, confidence 0–1, box as fractions of the picture. */
export interface Detection extends Box {
  readonly rotulo: string
  readonly confianca: number
}
