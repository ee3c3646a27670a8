import type { Confirmacao, Confirmacoes } from '@vigia/contracts/candidate'
import { backoffMs } from '@vigia/runtime/backoff'
import type { Logger } from 'pino'
import { createFlights, type Flight } from './flights.ts'
import { createLanes, type Lane, type LaneName, type OutgoingBatch } from './lanes.ts'
import { createPace } from './pace.ts'
import { createReleases } from './releases.ts'
import type { Outbox } from './store.ts'

export interface Sender {
  /** Ids that the cloud may be storing at this moment, and those it has that could not be removed yet. */
  inFlight(): ReadonlySet<string>
  /** Something was added, or the limit changed. */
  wake(): void
  /** The link came up or went down. */
  connection(up: boolean): void
  /** The cloud said something of its own (a configuration, the echo of a report). When it had been away, what it left unanswered is back-fill now. */
  heard(): void
  /** The cloud's own answer: the only thing that empties the outbox. */
  confirm(confirmacoes: Confirmacoes): void
  stop(): void
}

export interface SenderOptions {
  readonly outbox: Pick<Outbox, 'serie' | 'cameras' | 'highest' | 'lowest' | 'read' | 'remove'>
  /** Resolves at PUBACK, which proves nothing past the broker; rejects when it did not get that far. */
  publish(payload: Buffer): Promise<void>
  readonly log: Logger
  /** Largest rate of what waited, kbit/s; null: none. Read at each batch. Live records are not held back by it. */
  limitKbps(): number | null
  /** Monotonic ms; default `performance.now`. */
  monotonic?(): number
  /** Wait for the cloud's answer before the records are sent again, ms: doubles up to the limit. */
  readonly confirmTimeout?: { readonly minMs: number; readonly maxMs: number }
}

const MIB = 1024 * 1024
const BATCH_RECORDS = 64
const LIVE = { batchBytes: MIB, batches: 16, bytes: 4 * MIB }
const BACKFILL = { batches: 3 }
/** Pause of a lane that was told again that a record is missing, ms; the first time it goes back at once. */
const DISORDER_PAUSE = { minMs: 25, maxMs: 5_000 }
/** Reports are echoed every few seconds: a cloud that said nothing for this long was away, ms, although the broker was there. */
const CLOUD_AWAY_MS = 12_000
/** A limit that is lifted meanwhile is noticed after this long. */
const LONGEST_WAIT_MS = 1_000

/**
 * Empties the outbox in two lanes: what waited when the connection came up (back-fill, strictly in order, no faster than the
 * line and the limit allow) and what happens now (live, at once, ahead of the back-fill). In each lane of each camera a window of
 * records is under way in order; when one is missing or nobody answers, the lane goes back to the first record still held
 * (go-back-N). A record is sent until the cloud says that it has it; sending twice is harmless, because its identity is its own.
 */
export function createSender(options: SenderOptions): Sender {
  const { outbox, log, limitKbps } = options
  const monotonic = options.monotonic ?? (() => performance.now())
  const confirmTimeout = options.confirmTimeout ?? { minMs: 10_000, maxMs: 120_000 }
  const flights = createFlights()
  const releases = createReleases({ outbox, log })
  const lanes = createLanes({ outbox, log, monotonic, isConfirmed: releases.isPending })
  const pace = createPace({ limitKbps, monotonic })
  /** Batches that the broker does not have yet; one object for each connection, so that late promises of an old one say nothing. */
  let line = newLine()
  let connected = false
  let stopped = false
  /** When the cloud last said something (monotonic, ms). */
  let heardAt = monotonic()
  let timer: { readonly handle: NodeJS.Timeout; readonly at: number } | null = null

  function send(name: LaneName, batch: OutgoingBatch) {
    const bytes = batch.payload.length
    const flight = flights.begin(name, batch.items, bytes)
    const sentOn = line
    const sentAt = monotonic()
    const isBackfill = name === 'backfill'
    sentOn[name] += bytes
    if (isBackfill) pace.sent(bytes)
    const out = (error: unknown) => {
      sentOn[name] -= bytes
      if (sentOn !== line || stopped) return
      if (error !== null) log.debug({ err: error, bytes }, 'batch not published')
      if (isBackfill) pace.took(error === null ? monotonic() - sentAt : null, bytes)
      waitForAnswer(flight)
      fill()
    }
    options.publish(batch.payload).then(
      () => out(null),
      (error: unknown) => out(error ?? new Error('not published')),
    )
  }

  /**
   * The wait begins when the bytes are out: on a narrow uplink a picture may need minutes. It doubles, and its upper half is
   * drawn by chance, or all sites would answer a cloud that comes back in one burst.
   */
  function waitForAnswer(flight: Flight) {
    if (flight.pending.size === 0) return
    const silences = Math.max(...[...flight.pending.values()].map((lane) => lane.silences))
    flight.timer = setTimeout(() => unanswered(flight), backoffMs(silences, confirmTimeout))
  }

  function unanswered(flight: Flight) {
    const silent = new Set(flight.pending.values())
    log.debug({ records: flight.pending.size }, 'no answer to a batch: sent again')
    for (const lane of silent) {
      lane.silences++
      goBack(lane)
    }
    fill()
  }

  function goBack(lane: Lane) {
    flights.forget(lane)
    lanes.rewind(lane)
  }

  function outOfOrder(lane: Lane) {
    lane.disorders++
    if (lane.disorders > 1) {
      lane.pausedUntil = monotonic() + backoffMs(lane.disorders - 2, DISORDER_PAUSE)
    }
    goBack(lane)
  }

  function settled({ id }: Confirmacao) {
    const lane = flights.settle(id)
    if (!lane) return
    lane.silences = 0
    lane.disorders = 0
    lane.pausedUntil = 0
  }

  const liveHasRoom = () =>
    flights.count('live') < LIVE.batches && flights.bytes('live') < LIVE.bytes && line.live < LIVE.bytes

  function sendLive(): boolean {
    if (!liveHasRoom()) return false
    const inWindow = Math.max(flights.bytes('live'), line.live)
    const batch = lanes.next('live', {
      records: BATCH_RECORDS,
      bytes: Math.min(LIVE.batchBytes, LIVE.bytes - inWindow),
      atLeastOne: inWindow === 0,
    })
    if (batch) send('live', batch)
    return batch !== null
  }

  function sendBackfill(): boolean {
    // One batch at a time is on the line, so that an event of this moment waits for one at most.
    if (line.backfill > 0 || flights.count('backfill') >= BACKFILL.batches) return false
    // Live records wait for the line: they go first.
    if (!liveHasRoom() && line.live > 0) return false
    const waitMs = pace.waitMs()
    if (waitMs > 0) {
      plan(waitMs)
      return false
    }
    const batch = lanes.next('backfill', { records: BATCH_RECORDS, bytes: pace.targetBytes, atLeastOne: true })
    if (batch) send('backfill', batch)
    return batch !== null
  }

  function fill() {
    if (!connected || stopped) return
    try {
      while (sendLive());
      while (sendBackfill());
    } catch (error) {
      log.error({ err: error }, 'the outbox can not be read')
      plan(LONGEST_WAIT_MS)
    }
    const pauseEnd = lanes.nextPauseEnd()
    if (pauseEnd !== null) plan(pauseEnd - monotonic())
  }

  /** Looks again after that long; the earliest look is the one that is kept, for it plans the others. */
  function plan(inMs: number) {
    const waitMs = Math.min(Math.max(1, Math.ceil(inMs)), LONGEST_WAIT_MS)
    const at = monotonic() + waitMs
    if (timer && timer.at <= at) return
    if (timer) clearTimeout(timer.handle)
    const handle = setTimeout(() => {
      timer = null
      fill()
    }, waitMs)
    timer = { handle, at }
  }

  return {
    inFlight: () => (releases.pending.size === 0 ? flights.ids : new Set([...flights.ids, ...releases.pending])),
    wake: fill,
    heard() {
      const wasAway = monotonic() - heardAt >= CLOUD_AWAY_MS
      heardAt = monotonic()
      if (!wasAway || !connected || stopped) return
      flights.clear()
      lanes.mark({ keepSilences: true })
      fill()
    },
    connection(up) {
      connected = up
      heardAt = monotonic()
      line = newLine()
      flights.clear()
      releases.retry()
      if (!up || stopped) return
      lanes.mark()
      fill()
    },
    confirm({ itens }) {
      heardAt = monotonic()
      const done = itens.filter(({ resultado }) => resultado !== 'fora_de_ordem')
      // A camera that was removed in the cloud may have had thousands: one line for each answer.
      const [refused, ...others] = itens.filter(({ resultado }) => resultado === 'recusado')
      if (refused) log.error({ ...refused, records: 1 + others.length }, 'the cloud refused records: they are dropped')
      for (const item of done) settled(item)
      releases.release(done.map(({ id }) => id))
      const disordered = itens.flatMap(({ id, resultado }) =>
        resultado === 'fora_de_ordem' ? (flights.laneOf(id) ?? []) : [],
      )
      // Several records of one lane say so in one answer: it goes back once.
      for (const lane of new Set(disordered)) outOfOrder(lane)
      fill()
    },
    stop() {
      stopped = true
      if (timer) clearTimeout(timer.handle)
      releases.stop()
      flights.clear()
    },
  }
}

const newLine = (): Record<LaneName, number> => ({ live: 0, backfill: 0 })
