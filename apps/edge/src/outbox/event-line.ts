import type { Logger } from 'pino'
import type { EventObserver } from '../telemetry/event-observer.ts'
import type { Flight, Flights } from './flights.ts'
import type { LaneName } from './lane.ts'
import type { LaneTurns } from './lane-turns.ts'
import type { Lanes, OutgoingBatch } from './lanes.ts'
import type { UploadRate } from './upload-rate.ts'

/** The batches of events that the line carries: their windows, and their bytes without a PUBACK. */
export interface EventLine {
  /** Sends a batch of live records. false: none waits, or the window is full. */
  sendLive(): boolean
  /** Sends a batch of the backlog. false: none waits, or the rate or a live record comes first. */
  sendBackfill(): boolean
  /** Whether no event waits for the line. A steady flow of events always has some that wait for an answer. */
  isFree(): boolean
  /** Called for another connection. */
  reset(): void
  stop(): void
}

export interface EventLineOptions {
  readonly lanes: Pick<Lanes, 'next' | 'nextPauseEnd' | 'hasOwnPause'>
  readonly flights: Flights
  readonly turns: LaneTurns
  readonly rate: UploadRate
  readonly log: Logger
  readonly observer?: Pick<EventObserver, 'sent'> | undefined
  /** Monotonic ms. */
  monotonic(): number
  /** Resolves at PUBACK, which proves only delivery to the broker; rejects if publishing fails. */
  publish(payload: Buffer): Promise<void>
  /** The backlog may send in this time at the earliest, in ms. */
  onWait(waitMs: number): void
  /** The bytes of a batch have left the line. */
  onOut(flight: Flight): void
}

const MIB = 1024 * 1024
const BATCH_RECORDS = 64
const LIVE = { batchBytes: MIB, batches: 16, bytes: 4 * MIB }
const BACKFILL = { batches: 3 }

export function createEventLine(options: EventLineOptions): EventLine {
  const { lanes, flights, turns, rate, log, monotonic } = options
  /** Bytes without a PUBACK; one object per connection, so that late promises of an old connection have no effect. */
  let line = newLine()
  let stopped = false

  function send(name: LaneName, batch: OutgoingBatch) {
    const bytes = batch.payload.length
    const flight = flights.begin(name, batch.items, bytes)
    const sentOn = line
    const sentAt = monotonic()
    const isBackfill = name === 'backfill'
    sentOn[name] += bytes
    options.observer?.sent(batch.items)
    turns.sent(name)
    if (isBackfill) rate.sent(bytes)
    const out = (error: unknown) => {
      sentOn[name] -= bytes
      if (sentOn !== line || stopped) return
      if (error !== null) log.debug({ err: error, bytes }, 'batch not published')
      if (isBackfill) rate.took(error === null ? monotonic() - sentAt : null, bytes)
      options.onOut(flight)
    }
    options.publish(batch.payload).then(
      () => out(null),
      (error: unknown) => out(error ?? new Error('not published')),
    )
  }

  const liveHasCapacity = () =>
    flights.count('live') < LIVE.batches && flights.bytes('live') < LIVE.bytes && line.live < LIVE.bytes

  return {
    sendLive() {
      if (!liveHasCapacity()) return false
      const inWindow = Math.max(flights.bytes('live'), line.live)
      const batch = lanes.next('live', {
        records: BATCH_RECORDS,
        bytes: Math.min(LIVE.batchBytes, LIVE.bytes - inWindow),
        atLeastOne: inWindow === 0,
      })
      if (batch) send('live', batch)
      return batch !== null
    },
    sendBackfill() {
      // One batch at a time is on the line, so that a live event waits for at most one.
      if (line.backfill > 0 || flights.count('backfill') >= BACKFILL.batches) return false
      // Live records that wait for the line are sent first, except in the turn of the backlog.
      if (!liveHasCapacity() && line.live > 0 && !turns.isDue('backfill')) return false
      const waitMs = rate.waitMs()
      if (waitMs > 0) {
        options.onWait(waitMs)
        return false
      }
      const batch = lanes.next('backfill', { records: BATCH_RECORDS, bytes: rate.targetBytes, atLeastOne: true })
      if (batch) send('backfill', batch)
      return batch !== null
    },
    isFree: () =>
      line.live === 0 &&
      line.backfill === 0 &&
      liveHasCapacity() &&
      flights.count('backfill') === 0 &&
      !lanes.hasOwnPause(),
    reset() {
      line = newLine()
    },
    stop() {
      stopped = true
    },
  }
}

const newLine = (): Record<LaneName, number> => ({ live: 0, backfill: 0 })
