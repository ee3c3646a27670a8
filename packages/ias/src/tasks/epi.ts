import type { Detection } from '../detection.ts'

/** Best confidence for each, 0: not seen; and the boxes, in fractions of the frame. */
export interface EpiSight {
  readonly hardhat: number
  readonly noHardhat: number
  readonly vest: number
  readonly noVest: number
  readonly caixas: readonly Detection[]
}
