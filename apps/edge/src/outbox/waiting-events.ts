import { gravidades, ia } from '@vigia/contracts/ias'
import type { Loss, NewEvent } from './store.ts'

/** Events of one analysis of one camera in one frame, and its state afterwards. */
export interface WaitingBatch {
  readonly events: readonly NewEvent[]
  readonly state: unknown
}

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

const sizeOf = ({ candidate, media }: NewEvent): number =>
  EVENT_BYTES + BOX_BYTES * candidate.caixas.length + media.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
const batchSize = ({ events }: WaitingBatch): number => events.reduce((sum, event) => sum + sizeOf(event), 0)
const severityOf = ({ candidate }: NewEvent): number => gravidades.indexOf(ia(candidate.ia).gravidade)

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
    for (const { candidate } of batch.events) {
      const { camera_id: cameraId, ocorrido_em: at } = candidate
      const known = losses.get(cameraId)
      losses.set(cameraId, { cameraId, count: (known?.count ?? 0) + 1, de: known?.de ?? at, ate: at })
    }
  }

  function shift(): WaitingBatch | undefined {
    const batch = queue.shift()
    if (!batch) return undefined
    bytes -= batchSize(batch)
    count -= batch.events.length
    return batch
  }

  function withoutPictures(batch: WaitingBatch, severity: number): WaitingBatch {
    if (!batch.events.some((event) => event.media.length > 0 && severityOf(event) === severity)) return batch
    const events = batch.events.map((event) =>
      event.media.length > 0 && severityOf(event) === severity ? { ...event, media: [], mediaDropped: true } : event,
    )
    const bare = { ...batch, events }
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
      count += batch.events.length
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
