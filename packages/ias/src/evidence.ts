import type { Ia, TarefaModelo } from './catalogue-entry.ts'
import type { Detection } from './detection.ts'
import type { ObservedTrack } from './observation.ts'

/** The findings of a frame that an IA needs and that its event shows: the export of an IA's `evidence.ts`. */
export interface IaEvidence {
  /** Task whose tracks the rule follows; null: the rule judges the whole picture. */
  readonly tracks: TarefaModelo | null
  /** Labels by task. The IA is unavailable when the model of a task is missing or has none of the labels. */
  readonly needs: Readonly<Partial<Record<TarefaModelo, readonly string[]>>>
  /** Further labels of the tracked task that the rule uses if the model has them. */
  readonly uses: readonly string[]
  /** Lowest confidence of a detection that begins a track; null: `conf` of the calibration. */
  readonly trackConf: number | null
  /** Whether the rule also follows objects that the background model finds, labelled `objeto` and `retirado`. */
  readonly stillObjects?: true
  /**
   * Detections in a picture of this track, the track itself first; null: the track is irrelevant to the IA. By default
   * only the track itself.
   */
  shown?(track: ObservedTrack): readonly [Detection, ...Detection[]] | null
}

/** The usual evidence: tracks of the task and the labels of the catalogue entry. */
export const ownTracks = ({ modelo, rotulos }: Ia, uses: readonly string[] = []): IaEvidence => ({
  tracks: modelo,
  needs: modelo === null ? {} : { [modelo]: rotulos },
  uses,
  trackConf: null,
})

export const ownBox = ({ rotulo, confianca, box }: ObservedTrack): Detection => ({ rotulo, confianca, ...box })

/** Confidence from which a detection of the object model always begins a track, whatever `conf` requires. */
export const TRACK_SURE = 0.4

/** How far below `conf` a track without an event is still reported for a replay. */
export const REPORTED_BELOW_CONF = 0.15
