import type { RegistroTransmissao } from '@vigia/contracts/transmissao'

/** To the reading process: read these streams. `records`: package them and send the records. */
export interface ReadOrder {
  readonly urls: readonly string[]
  readonly records: boolean
  readonly partMs: number
}

/** From the reading process. */
export type FromReader =
  | { readonly kind: 'record'; readonly camera: number; readonly registro: RegistroTransmissao }
  /** Answer to any later message: CPU time since its start. */
  | { readonly kind: 'cpu'; readonly seconds: number }
