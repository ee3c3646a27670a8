import type { StopReason } from './replay/occasion.ts'

/**
 * One track in one frame that met its rule. The zone, `conf`, `area_min`, the time of a stay, Agenda, cooldown, and an
 * earlier event of its visit may stop it. Chances are reported for a replay with other settings (replay/replay.ts).
 */
export interface Chance {
  readonly trackId: number
  /** The track that fired in this visit; the track itself before an event. */
  readonly visitTrackId: number
  /** Crossings of the track before this one; 0 for other rules. */
  readonly passage: number
  readonly confianca: number
  /** Fraction of the frame. */
  readonly area: number
  /** null: it fired. */
  readonly stop: StopReason | null
}
