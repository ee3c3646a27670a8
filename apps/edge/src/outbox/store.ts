import type { NewCandidate, NewMedia } from '@vigia/analysis/model'
import type { PassageMedia } from '@vigia/analysis/plates/passage-model'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import type { EdgeDb } from '../db/edge-db.ts'
import { createExtras, type ExtraReader, type NewExtra } from './extra-store.ts'
import { createLaneReader, type LaneReader } from './lane-store.ts'
import { createRecords } from './record-store.ts'
import { createSequences } from './sequence-store.ts'
import { createOutboxSpace, type OutboxSpaceOptions } from './space-store.ts'
import { type AnalysisStateStore, createAnalysisStateStore } from './state-store.ts'

/** A record of a passage before it has a number, with its pictures. */
export interface NewPassage {
  readonly passage: Omit<RegistroPassagem, 'tipo' | 'v' | 'seq' | 'midias' | 'midia_descartada'>
  readonly media: readonly PassageMedia[]
  readonly mediaDropped?: boolean
}

export interface NewEvent {
  readonly candidate: NewCandidate
  readonly media: readonly NewMedia[]
  /** Whether its pictures were dropped before it reached the outbox. */
  readonly mediaDropped?: boolean
  /** A clip, or the reason for its absence, follows. */
  readonly awaitsClip?: boolean
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
}

interface OutboxSummary {
  readonly registros: number
  /** Size on the disk. */
  readonly bytes: number
  readonly por_camera: { camera_id: number; registros: number; ultimo_seq: number }[]
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
  add(extra: NewExtra, picture: Buffer | null): void
  /** Removes extras that the cloud has stored or refused. */
  remove(ids: readonly string[]): void
}

export interface OutboxOptions extends OutboxSpaceOptions {
  /** Called in the transaction of an event that awaits a clip. */
  expectClip?(event: { readonly event: string; readonly cameraId: number; readonly seq: number }): void
}

/** The outbox in an open `edge.db`. Calls are synchronous and short; each change is one transaction. */
export function createOutbox(db: EdgeDb, options: OutboxOptions): Outbox {
  const serie = db.prepare<[], { series: string }>('SELECT series FROM outbox').get()?.series
  if (serie === undefined) throw new Error('the outbox has no name')
  const reader = createLaneReader(db)
  const { put: putState, ...states } = createAnalysisStateStore(db)
  const extras = createExtras(db)
  const space = createOutboxSpace(db, options)
  const sequences = createSequences(db, { reader, freeingSpace: space.freeing })
  const records = createRecords(db, sequences)

  function insertEvent(event: NewEvent): number {
    const { id, camera_id: cameraId, seq } = records.insertEvent(event)
    if (event.awaitsClip) options.expectClip?.({ event: id, cameraId, seq })
    return seq
  }

  const add = db.transaction((events: readonly NewEvent[], state: unknown) => {
    const seqs = events.map(insertEvent)
    const about = events[0]?.candidate
    if (about) putState(about.camera_id, about.ia, state)
    return { seqs, dropped: space.enforce() }
  })
  const addPassage = db.transaction((passage: NewPassage) => ({
    seqs: [records.insertPassage(passage)],
    dropped: space.enforce(),
  }))
  const addLost = db.transaction(records.insertLost)
  const remove = db.transaction(records.remove)
  const addExtra = db.transaction((extra: NewExtra, picture: Buffer | null) => {
    extras.insert(extra, picture)
    return space.enforce()
  })
  const removeExtras = db.transaction((ids: readonly string[]) => extras.remove(ids))

  return {
    ...reader,
    ...states,
    serie,
    add: (events, state) => space.adding(() => add.immediate(events, state)),
    addPassage: (passage) => space.adding(() => addPassage.immediate(passage))[0] ?? 0,
    addLost: (loss) => addLost.immediate(loss),
    raiseTo: sequences.raiseTo,
    remove: (ids) => space.removing(() => remove.immediate(ids)),
    extras: {
      ...extras,
      add: (extra, picture) => space.reportDropped(addExtra.immediate(extra, picture)),
      remove: (ids) => space.removing(() => removeExtras.immediate(ids)),
    },
    keepSpace: space.keep,
    size: records.count,
    oldestAt: records.oldestAt,
    summary: () => ({
      registros: records.count(),
      bytes: space.usedBytes(),
      por_camera: sequences.byCamera(),
    }),
  }
}
