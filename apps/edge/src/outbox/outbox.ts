import type { NewCandidate, NewMedia } from '@vigia/analysis/model'
import type { PassageMedia } from '@vigia/analysis/plates/passage-model'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import type { Stamp } from '../time/stamp.ts'
import type { ExtraReader, NewExtra } from './extra-store.ts'
import type { LaneReader } from './lane-store.ts'
import type { AnalysisStateStore } from './state-store.ts'

/** A record of a passage before it has a number, with its pictures. */
export interface NewPassage {
  readonly passage: Omit<RegistroPassagem, 'tipo' | 'v' | 'seq' | 'midias' | 'midia_descartada'>
  readonly media: readonly PassageMedia[]
  readonly mediaDropped?: boolean
  readonly stamp?: Stamp | null
}

export interface NewEvent {
  readonly candidate: NewCandidate
  readonly media: readonly NewMedia[]
  /** Whether its pictures were dropped before it reached the outbox. */
  readonly mediaDropped?: boolean
  /** A clip, or the reason for its absence, follows. */
  readonly awaitsClip?: boolean
  /** Clock of its times, as long as the time is not known. */
  readonly stamp?: Stamp | null
}

/**
 * Events of one camera that were dropped before they had numbers; `de`, `ate`: edge clock of the first and the last, in
 * epoch ms.
 */
export interface Loss {
  readonly cameraId: number
  readonly count: number
  readonly de: number
  readonly ate: number
  readonly stamp?: Stamp | null
}

export interface Outbox extends LaneReader, AnalysisStateStore {
  /** Name of this outbox (contracts, candidate.ts: `serie`), created with its file. */
  readonly serie: string
  /**
   * Stores the events of one analysis with pictures and numbers, and the following state of that analysis, in one
   * durable transaction. After a restart, events and state are either both stored or both missing. Applies the quota.
   * Returns the number of each event. Throws if the disk cannot be written (disk-failure.ts).
   */
  add(events: readonly NewEvent[], state: unknown): readonly number[]
  /** Stores a record of a passage with its pictures and number in one durable transaction; otherwise as `add`. */
  addPassage(passage: NewPassage): number
  /** Gives numbers to lost events and stores a gap record for them. */
  addLost(loss: Loss): void
  /**
   * Sets the camera's count to at least `seq`; never lowers it. While records wait, the count is raised only after
   * their removal: a hole in their numbers would make the cloud wait for the missing records.
   */
  raiseTo(cameraId: number, seq: number): void
  /** Removes records that the cloud has stored or refused. One transaction; returns the number of records removed. */
  remove(ids: readonly string[]): number
  readonly extras: Extras
  /** Applies the quota and returns space. Called periodically: others may fill the disk while no event occurs. */
  keepSpace(): void
  size(): number
  /** Time at which the oldest record was stored in epoch ms; null: none. */
  oldestAt(): number | null
  /** The cost grows with the backlog, so use it for diagnostics and not for reports. */
  summary(): OutboxSummary
}

interface Extras extends ExtraReader {
  /** Stores an extra, and applies the quota. Throws if the disk cannot be written. */
  add(extra: NewExtra, picture: Buffer | null, stamp?: Stamp | null): void
  /** Removes extras that the cloud has stored or refused. */
  remove(ids: readonly string[]): void
}

interface OutboxSummary {
  readonly registros: number
  /** Size on the disk. */
  readonly bytes: number
  readonly por_camera: { camera_id: number; registros: number; ultimo_seq: number }[]
}
