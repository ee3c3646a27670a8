import { gravidades, ia } from '@vigia/contracts/ias'
import { type Loss, type NewEvent, type NewPassage, PASSAGE_SEVERITY } from './store.ts'

/** Events of one analysis of one camera in one frame, and its state afterwards. */
interface EventBatch {
  readonly events: readonly NewEvent[]
  readonly state: unknown
}

/** Records that are stored in one transaction. */
export type WaitingBatch = EventBatch | { readonly passage: NewPassage }

/** Events that wait in memory in order, within a limit of bytes. */
export interface WaitingEvents {
  /** Number of waiting events, without the dropped ones. */
  readonly count: number
  push(batch: WaitingBatch): void
  /** The next item: losses of all cameras before any event, because the oldest events are dropped. */
  first(): { readonly loss: Loss } | { readonly batch: WaitingBatch } | null
  /** Removes the first item, which is on the disk. */
  stored(): void
  /** Turns the first item, a batch that can never be stored, into a loss. */
  giveUp(): void
}

/** Upper estimate of the size of an event without its pictures. */
const EVENT_BYTES = 2_048
const BOX_BYTES = 128
/** Share of the limit left after dropping, so that not each of the next events causes a search. */
const LEAVE = 7 / 8

type NewRecord = NewEvent | NewPassage

const recordsOf = (batch: WaitingBatch): readonly NewRecord[] => ('events' in batch ? batch.events : [batch.passage])
/** Camera and time of a waiting record. */
const aboutOf = (record: NewRecord) => ('candidate' in record ? record.candidate : record.passage)
const sizeOf = (record: NewRecord): number =>
  EVENT_BYTES +
  BOX_BYTES * ('candidate' in record ? record.candidate.caixas.length : 1) +
  record.media.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
const batchSize = (batch: WaitingBatch): number => recordsOf(batch).reduce((sum, record) => sum + sizeOf(record), 0)
const severityOf = (record: NewRecord): number =>
  gravidades.indexOf('candidate' in record ? ia(record.candidate.ia).gravidade : PASSAGE_SEVERITY)

/**
 * Keeps the limit like the quota of the disk. The pictures of the oldest, least severe events are dropped first, then
 * the oldest events, each counted as a loss of its camera.
 */
export function createWaitingEvents(maxBytes: number): WaitingEvents {
  let queue: WaitingBatch[] = []
  const losses = new Map<number, Loss>()
  let bytes = 0
  let count = 0

  function lose(batch: WaitingBatch) {
    for (const record of recordsOf(batch)) {
      const { camera_id: cameraId, ocorrido_em: at } = aboutOf(record)
      const known = losses.get(cameraId)
      losses.set(cameraId, { cameraId, count: (known?.count ?? 0) + 1, de: known?.de ?? at, ate: at })
    }
  }

  function shift(): WaitingBatch | undefined {
    const batch = queue.shift()
    if (!batch) return undefined
    bytes -= batchSize(batch)
    count -= recordsOf(batch).length
    return batch
  }

  function withoutPictures(batch: WaitingBatch, severity: number): WaitingBatch {
    const isConcerned = (record: NewRecord) => record.media.length > 0 && severityOf(record) === severity
    if (!recordsOf(batch).some(isConcerned)) return batch
    const strip = <T extends NewRecord>(record: T): T =>
      isConcerned(record) ? { ...record, media: [], mediaDropped: true } : record
    const bare = 'events' in batch ? { ...batch, events: batch.events.map(strip) } : { passage: strip(batch.passage) }
    bytes -= batchSize(batch) - batchSize(bare)
    return bare
  }

  function shrink() {
    const goal = maxBytes * LEAVE
    for (const severity of gravidades.keys()) {
      if (bytes <= goal) return
      queue = queue.map((batch) => (bytes > goal ? withoutPictures(batch, severity) : batch))
    }
    while (bytes > goal && queue.length > 1) {
      const batch = shift()
      if (batch) lose(batch)
    }
  }

  const firstLoss = () => losses.values().next().value

  return {
    get count() {
      return count
    },
    push(batch) {
      queue.push(batch)
      bytes += batchSize(batch)
      count += recordsOf(batch).length
      if (bytes > maxBytes) shrink()
    },
    first() {
      const loss = firstLoss()
      if (loss) return { loss }
      const batch = queue[0]
      return batch ? { batch } : null
    },
    stored() {
      const loss = firstLoss()
      if (loss) losses.delete(loss.cameraId)
      else shift()
    },
    giveUp() {
      const batch = shift()
      if (batch) lose(batch)
    },
  }
}
