import { ultimoSeqDe } from '@vigia/contracts/candidate'
import type { Logger } from 'pino'
import type { Lane, LaneName } from './lane.ts'
import type { Outbox } from './outbox.ts'
import { type BatchLimits, createRecordBatches, type Taken } from './record-batches.ts'

export interface SentItem {
  readonly id: string
  readonly lane: Lane
  /** Trace of the event; undefined: none. */
  readonly traceparent: string | undefined
}

export interface OutgoingBatch {
  readonly payload: Buffer
  readonly items: readonly SentItem[]
}

export interface LanesOptions {
  readonly outbox: Pick<Outbox, 'serie' | 'cameras' | 'highest' | 'lowest' | 'read'>
  readonly log: Logger
  monotonic(): number
  /** Whether the cloud has the record but its removal from the disk has failed so far. */
  isConfirmed(id: string): boolean
}

export interface Lanes {
  /**
   * Called when the cloud is reachable again: existing records become back-fill, later ones are live. `keepSilences`:
   * the connection is the same, so records without an answer are still sent separately.
   */
  mark(options?: { readonly keepSilences: boolean }): void
  /** The next batch of that lane, in fair turns between cameras; its records count as sent. null: nothing fits. */
  next(name: LaneName, limits: BatchLimits): OutgoingBatch | null
  rewind(lane: Lane): void
  /** Monotonic ms at which the first pause ends after `since`; null: no pause. */
  nextPauseEnd(since: number): number | null
  /** Whether a lane pauses by itself: not because the cloud asked for it. */
  hasOwnPause(): boolean
}

export function createLanes(options: LanesOptions): Lanes {
  const { outbox, monotonic } = options
  const batches = createRecordBatches(options)
  const lanes: Record<LaneName, Map<number, Lane>> = { live: new Map(), backfill: new Map() }
  /** The last camera served: the next round starts behind it, so that a busy camera does not starve the others. */
  const lastServed: Record<LaneName, number> = { live: 0, backfill: 0 }

  function laneOf(name: LaneName, cameraId: number): Lane {
    const known = lanes[name].get(cameraId)
    if (known) return known
    // A camera without numbers at the start of the connection has only live records.
    const lane = newLane(name, cameraId, 0)
    lanes[name].set(cameraId, lane)
    return lane
  }

  const all = (): Lane[] => [...lanes.live.values(), ...lanes.backfill.values()]

  function round(name: LaneName): Lane[] {
    const cameras = name === 'live' ? outbox.cameras() : [...lanes.backfill.keys()]
    const last = lastServed[name]
    const turn = [...cameras.filter((id) => id > last), ...cameras.filter((id) => id <= last)]
    return turn.map((id) => laneOf(name, id)).filter(({ pausedUntil }) => pausedUntil <= monotonic())
  }

  /** Fills a batch with records of the cameras in turn. */
  function collect(name: LaneName, limits: BatchLimits): Taken[] {
    const taken: Taken[] = []
    let bytes = 0
    for (const lane of round(name)) {
      // Records without an answer are sent separately, finally one by one: a record that cannot be stored blocks only
      // its camera.
      const alone = lane.silences > 0
      if (alone && taken.length > 0) continue
      const found = batches.read(lane, {
        records: lane.silences > 1 ? 1 : limits.records - taken.length,
        bytes: limits.bytes - bytes,
        atLeastOne: limits.atLeastOne && taken.length === 0,
      })
      if (found.length === 0) continue
      if (taken.length === 0) lastServed[name] = lane.cameraId
      taken.push(...found)
      bytes += found.reduce((sum, { record }) => sum + record.bytes, 0)
      if (alone || taken.length >= limits.records || bytes >= limits.bytes) break
    }
    return taken
  }

  return {
    mark({ keepSilences } = { keepSilences: false }) {
      const silences = new Map<number, number>()
      for (const lane of keepSilences ? [...lanes.live.values(), ...lanes.backfill.values()] : [])
        silences.set(lane.cameraId, Math.max(lane.silences, silences.get(lane.cameraId) ?? 0))
      lanes.live.clear()
      lanes.backfill.clear()
      for (const cameraId of outbox.cameras()) {
        const mark = outbox.highest(cameraId)
        lanes.live.set(cameraId, newLane('live', cameraId, mark))
        if (outbox.lowest(cameraId) === null) continue
        const backfill = newLane('backfill', cameraId, mark)
        backfill.silences = silences.get(cameraId) ?? 0
        lanes.backfill.set(cameraId, backfill)
      }
    },
    next(name, limits) {
      const encoded = batches.encode(collect(name, limits))
      if (!encoded) return null
      for (const { lane, record } of encoded.taken) lane.after = ultimoSeqDe(record.registro)
      return {
        payload: encoded.payload,
        items: encoded.taken.map(({ lane, record: { registro } }) => ({
          id: registro.id,
          lane,
          traceparent: registro.tipo === 'candidato' ? registro.traceparent : undefined,
        })),
      }
    },
    rewind(lane) {
      lane.after = lane.from
    },
    nextPauseEnd(since) {
      const ends = all()
        .map(({ pausedUntil }) => pausedUntil)
        .filter((end) => end > since)
      return ends.length > 0 ? Math.min(...ends) : null
    },
    hasOwnPause() {
      const now = monotonic()
      return all().some(({ asked, pausedUntil }) => !asked && pausedUntil > now)
    },
  }
}

function newLane(name: LaneName, cameraId: number, mark: number): Lane {
  const numbers = name === 'live' ? { from: mark, upTo: Number.MAX_SAFE_INTEGER } : { from: 0, upTo: mark }
  return { cameraId, name, ...numbers, after: numbers.from, silences: 0, disorders: 0, pausedUntil: 0, asked: false }
}
