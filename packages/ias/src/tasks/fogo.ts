/** What speaks for fire beside the detector, 0–1 each. */
export interface FireEvidence {
  /** How much of the place has the colours of a flame (or the greyness of smoke). */
  readonly colour: number
  /** How restless the place is, at a place that stays: a flame flickers, a lamp and a red shirt do not. */
  readonly flicker: number
}
