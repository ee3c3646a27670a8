import type { tiposVeiculo } from '@vigia/contracts/veiculos'
import type { Box } from '@vigia/ias/geometry'

export type TipoVeiculo = (typeof tiposVeiculo)[number]

/** One detection of the vehicle. */
export interface VehicleDetection {
  /** null: only the plate is seen; `box` is the surroundings of the plate. */
  readonly rotulo: TipoVeiculo | null
  readonly confianca: number
  readonly box: Box
  /** The plate alone, where no vehicle is detected: the frame may cut its surroundings off. */
  readonly plateBox?: Box
  /** Track of a detected vehicle. */
  readonly trackId?: number
}
