/** Evidence of fire besides the detector, 0–1 each. */
export interface FireEvidence {
  /** Share of the area with the colours of a flame (or the grey of smoke). */
  readonly colour: number
  /** Flicker of an area that stays in position: a flame flickers, a lamp and a red shirt do not. */
  readonly flicker: number
}
