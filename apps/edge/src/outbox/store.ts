import type { EdgeDb } from '../db/edge-db.ts'
import type { Stamp } from '../time/stamp.ts'
import { createExtras, type NewExtra } from './extra-store.ts'
import { createLaneReader } from './lane-store.ts'
import type { NewEvent, NewPassage, Outbox } from './outbox.ts'
import { createRecords } from './record-store.ts'
import { createSequences } from './sequence-store.ts'
import { createOutboxSpace, type OutboxSpaceOptions } from './space-store.ts'
import { createAnalysisStateStore } from './state-store.ts'

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
  const addExtra = db.transaction((extra: NewExtra, picture: Buffer | null, stamp: Stamp | null | undefined) => {
    extras.insert(extra, picture, null, stamp)
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
      add: (extra, picture, stamp) => space.reportDropped(addExtra.immediate(extra, picture, stamp)),
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
