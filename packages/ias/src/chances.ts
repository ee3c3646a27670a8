import type { Chance } from './chance.ts'
import { areaOf } from './geometry.ts'
import type { Fired, ObservedTrack } from './observation.ts'
import type { Trigger } from './trigger.ts'

interface ChanceContext {
  readonly epochMs: number
  readonly inZone: boolean
  /** The visit of the track has raised an event. */
  readonly alerted: boolean
  /** Its stay is shorter than the required time so far. */
  readonly short?: boolean
  /** The track of that event; null: none, or it was before a restart. */
  readonly alertedTrack: number | null
  /** The events of this frame. */
  readonly fired: readonly Fired[]
}

/** The chance of a track that meets its rule; none if the event of its visit was before a restart. */
export function chanceOf(trigger: Trigger, track: ObservedTrack, context: ChanceContext): Chance[] {
  const { alerted, alertedTrack, fired } = context
  if (alerted && alertedTrack === null) return []
  const hasFired = fired.some(({ trackIds }) => trackIds.includes(track.id))
  return [
    {
      trackId: track.id,
      visitTrackId: alertedTrack ?? track.id,
      passage: 0,
      confianca: track.confianca,
      area: areaOf(track.box),
      stop: hasFired ? null : trigger.stopOf(track, context),
    },
  ]
}

/** Time by which a record of a stay outlasts the required time. A replay knows no longer stay. */
export const STAY_BEYOND_MS = 300_000
/** Longest required time of a stay whose marks are reported: a record covers at most an hour (contracts, extras.ts). */
export const STAY_REPORTED_MS = 3_000_000
