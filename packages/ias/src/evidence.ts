import type { Ia, TarefaModelo } from './catalogue-entry.ts'
import type { Detection } from './detection.ts'
import type { ObservedTrack } from './observation.ts'

/** Which findings of a frame an IA needs, and which of them its event shows: the export of an IA's `evidence.ts`. */
export interface IaEvidence {
  /** Task whose tracks the rule follows; null: it judges the picture as a whole. */
  readonly tracks: TarefaModelo | null
  /** Labels by task. The IA sees nothing when the model of a task is missing or knows none of the labels. */
  readonly needs: Readonly<Partial<Record<TarefaModelo, readonly string[]>>>
  /** Labels of the tracked task that the rule uses where the model knows them. */
  readonly uses: readonly string[]
  /** Confidence from which a detection begins a track; null: `conf` of the calibration. */
  readonly trackConf: number | null
  /** What a picture of this track shows, the track itself first; null: not what the IA is about. Left out: the track itself. */
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
