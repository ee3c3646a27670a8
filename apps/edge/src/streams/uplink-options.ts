export interface UplinkBudgetOptions {
  /** Rate of the uplink that its owner has set, in Mbit/s; null: measured. */
  readonly uplinkMbits: number | null
  /** Whether no event and no evidence waits for the line. */
  isLineFree(): boolean
  /** Monotonic, in ms. */
  now?(): number
}
