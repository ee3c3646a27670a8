import { gravidades, ia } from '@vigia/contracts/ias'
import { isSameClock, stampRow } from '../time/stamp.ts'
import type { Loss, NewEvent, NewPassage } from './outbox.ts'
import { PASSAGE_SEVERITY } from './record-store.ts'

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
  /** The next item: records, or dropped ones in their place. */
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

type Item = { readonly batch: WaitingBatch } | { readonly loss: Loss }

const isBatch = (item: Item): item is { readonly batch: WaitingBatch } => 'batch' in item

/** Records of a batch have one camera. */
function lossOf(batch: WaitingBatch): Loss {
  const about = recordsOf(batch).map(aboutOf)
  const times = about.map(({ ocorrido_em }) => ocorrido_em)
  const cameraId = about[0]?.camera_id ?? 0
  const stamp = recordsOf(batch)[0]?.stamp ?? null
  return { cameraId, count: about.length, de: Math.min(...times), ate: Math.max(...times), stamp }
}

/** Merges neighbouring losses of a camera, so that their number is bounded by that of its batches. */
function mergeLosses(items: readonly Item[]): Item[] {
  const merged: Item[] = []
  /** Position of the last item of each camera. */
  const last = new Map<number, number>()
  for (const item of items) {
    const { cameraId } = isBatch(item) ? lossOf(item.batch) : item.loss
    const at = last.get(cameraId)
    const before = at === undefined ? undefined : merged[at]
    const isMergeable = before && !isBatch(before) && !isBatch(item)
    if (at !== undefined && isMergeable && isSameClock(stampRow(before.loss.stamp), stampRow(item.loss.stamp))) {
      const { count, de, ate, stamp } = before.loss
      const both = { count: count + item.loss.count, de: Math.min(de, item.loss.de), ate: Math.max(ate, item.loss.ate) }
      merged[at] = { loss: { cameraId, ...both, stamp: stamp ?? null } }
    } else last.set(cameraId, merged.push(item) - 1)
  }
  return merged
}

/**
 * Keeps the limit like the quota of the disk (docs/link.md): pictures are dropped first, then events, the least severe
 * first, then the oldest. A loss takes the place of dropped events, so that the numbers keep the order of the camera.
 * The last batch stays.
 */
export function createWaitingEvents(maxBytes: number): WaitingEvents {
  let queue: Item[] = []
  let bytes = 0
  let count = 0

  const leave = (batch: WaitingBatch) => {
    bytes -= batchSize(batch)
    count -= recordsOf(batch).length
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

  /** Changes the batches from the lowest severity up, each from the oldest on, until the rest is small enough. */
  function inOrderOfLoss(change: (batch: WaitingBatch, severity: number) => Item) {
    const goal = maxBytes * LEAVE
    for (const severity of gravidades.keys())
      if (bytes > goal)
        queue = queue.map((item) => (bytes > goal && isBatch(item) ? change(item.batch, severity) : item))
  }

  function shrink() {
    inOrderOfLoss((batch, severity) => ({ batch: withoutPictures(batch, severity) }))
    let batches = queue.filter(isBatch).length
    inOrderOfLoss((batch, severity) => {
      if (batches === 1 || Math.max(...recordsOf(batch).map(severityOf)) !== severity) return { batch }
      batches--
      leave(batch)
      return { loss: lossOf(batch) }
    })
    queue = mergeLosses(queue)
  }

  return {
    get count() {
      return count
    },
    push(batch) {
      queue.push({ batch })
      bytes += batchSize(batch)
      count += recordsOf(batch).length
      if (bytes > maxBytes) shrink()
    },
    first: () => queue[0] ?? null,
    stored() {
      const item = queue.shift()
      if (item && isBatch(item)) leave(item.batch)
    },
    giveUp() {
      const item = queue[0]
      if (!item || !isBatch(item)) return
      leave(item.batch)
      queue[0] = { loss: lossOf(item.batch) }
    },
  }
}
