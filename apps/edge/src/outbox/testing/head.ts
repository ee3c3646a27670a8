import type { StoredRecord } from '../lane-store.ts'
import type { Outbox } from '../outbox.ts'

/** Oldest record of one camera. */
export const head = (outbox: Outbox, cameraId: number): StoredRecord | null =>
  outbox.read(
    cameraId,
    { after: 0, upTo: Number.MAX_SAFE_INTEGER },
    { records: 1, bytes: Number.MAX_SAFE_INTEGER, atLeastOne: true },
  )[0] ?? null
