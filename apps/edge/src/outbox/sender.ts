import type { Confirmacao, Confirmacoes } from '@vigia/contracts/candidate'
import type { ConfirmacoesExtras } from '@vigia/contracts/extras'
import { backoffMs } from '@vigia/runtime/backoff'
import type { Logger } from 'pino'
import type { EventObserver } from '../telemetry/event-observer.ts'
import { createExtrasLane, type ExtrasLane, type ExtrasLaneOptions } from './extras-lane.ts'
import { createFlights, type Flight } from './flights.ts'
import { createLaneTurns } from './lane-turns.ts'
import { createLanes, type Lane, type LaneName, type OutgoingBatch } from './lanes.ts'
import { createPace, type Pace } from './pace.ts'
import { createReleases } from './releases.ts'
import type { Outbox } from './store.ts'

export interface Sender {
  /** Ids that the cloud may be storing now, and confirmed ids whose removal is pending. */
  inFlight(): ReadonlySet<string>
  /** Called after an addition or a change of the limit. */
  wake(): void
  /** Called when the link goes up or down. */
  connection(up: boolean): void
  /**
   * Called for other messages of the cloud (a configuration, the echo of a report). After an absence of the cloud,
   * unanswered records become back-fill.
   */
  heard(): void
  /** Called with the cloud's answers, the only messages that remove records from the outbox. */
  confirm(confirmacoes: Confirmacoes): void
  confirmExtras(confirmacoes: ConfirmacoesExtras): void
  /** Whether the link is up, and no event and no extra waits for the line. */
  isLineFree(): boolean
  /** Whether a chunk of a clip may be sent: the line is free, or clips are due. */
  hasTurnForClip(): boolean
  /** Called after a chunk of a clip. */
  clipSent(): void
  stop(): void
}

export interface SenderOptions {
  readonly outbox: Pick<Outbox, 'serie' | 'cameras' | 'highest' | 'lowest' | 'read' | 'remove'>
  /** Resolves at PUBACK, which proves only delivery to the broker; rejects if publishing fails. */
  publish(payload: Buffer): Promise<void>
  readonly log: Logger
  /** Largest rate of the backlog, in kbit/s; null: no limit. Read at each batch. Live records are exempt. */
  limitKbps(): number | null
  /** Rate of the backlog and of everything below it; default: one of its own within `limitKbps`. */
  readonly pace?: Pace
  /** The lane of extras; none when omitted. */
  readonly extras?: Pick<ExtrasLaneOptions, 'extras' | 'publish' | 'kinds'>
  readonly observer?: Pick<EventObserver, 'sent' | 'settled'> | undefined
  /** Monotonic ms; default `performance.now`. */
  monotonic?(): number
  /** Timeout of the cloud's answer before the records are sent again, in ms: doubles up to `maxMs`. */
  readonly confirmTimeout?: { readonly minMs: number; readonly maxMs: number }
}

const MIB = 1024 * 1024
const BATCH_RECORDS = 64
const LIVE = { batchBytes: MIB, batches: 16, bytes: 4 * MIB }
const BACKFILL = { batches: 3 }
/** Pause of a lane after repeated answers that a record is missing, in ms; the first time it rewinds at once. */
const DISORDER_PAUSE = { minMs: 25, maxMs: 5_000 }
/**
 * The cloud echoes reports every few seconds. Without any message for this time in ms, it was offline even if the
 * broker was not.
 */
const CLOUD_AWAY_MS = 12_000
/** Longest delay before a removed limit takes effect. */
const LONGEST_WAIT_MS = 1_000

/**
 * Drains the outbox in two lanes of events. Back-fill: the records from before the connection, strictly in order,
 * within the throughput of the line and the limit. Live: new records, at once, ahead of the back-fill. Each lane of
 * each camera has a window of records in flight, in order. When a record is missing or unanswered, the lane rewinds to
 * the first record still stored (go-back-N). A record is repeated until the cloud confirms it. Repetition is harmless,
 * because each record has its own identity. Extras are sent while no event waits for the line. Of eight messages one is
 * of the lowest lane that waits.
 */
export function createSender(options: SenderOptions): Sender {
  const { outbox, log, limitKbps } = options
  const monotonic = options.monotonic ?? (() => performance.now())
  const confirmTimeout = options.confirmTimeout ?? { minMs: 10_000, maxMs: 120_000 }
  const flights = createFlights()
  const releases = createReleases({ outbox, log })
  const lanes = createLanes({ outbox, log, monotonic, isConfirmed: releases.isPending })
  const turns = createLaneTurns()
  const pace = options.pace ?? createPace({ limitKbps, monotonic })
  const extras: ExtrasLane | null =
    options.extras === undefined
      ? null
      : createExtrasLane({ ...options.extras, log, pace, monotonic, confirmTimeout, plan, onSettled: fill })
  /** Bytes without a PUBACK; one object per connection, so that late promises of an old connection have no effect. */
  let line = newLine()
  let connected = false
  let stopped = false
  /** Time of the last message from the cloud (monotonic, in ms). */
  let heardAt = monotonic()
  let timer: { readonly handle: NodeJS.Timeout; readonly at: number } | null = null

  function send(name: LaneName, batch: OutgoingBatch) {
    const bytes = batch.payload.length
    const flight = flights.begin(name, batch.items, bytes)
    const sentOn = line
    const sentAt = monotonic()
    const isBackfill = name === 'backfill'
    sentOn[name] += bytes
    options.observer?.sent(batch.items)
    turns.sent(name)
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
   * The timeout starts when the bytes are sent: on a narrow uplink a picture may need minutes. The timeout doubles, and
   * its upper half is random, so that the sites do not repeat to a returning cloud in one burst.
   */
  function waitForAnswer(flight: Flight) {
    if (flight.pending.size === 0) return
    const silences = Math.max(...[...flight.pending.values()].map((lane) => lane.silences))
    flight.timer = setTimeout(() => unanswered(flight), backoffMs(silences, confirmTimeout))
  }

  function unanswered(flight: Flight) {
    const silent = new Set(flight.pending.values())
    log.debug({ records: flight.pending.size }, 'no answer to a batch: repeating it')
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
      lane.asked = false
    }
    goBack(lane)
  }

  /** The cloud cannot store the records of this camera now. */
  function waitAsked(lane: Lane, seconds: number) {
    lane.pausedUntil = monotonic() + seconds * 1_000
    lane.asked = true
    lane.silences = 0
    goBack(lane)
  }

  function settled({ id }: Confirmacao) {
    const lane = flights.settle(id)
    if (!lane) return
    lane.silences = 0
    lane.disorders = 0
    lane.pausedUntil = 0
    lane.asked = false
  }

  const liveHasCapacity = () =>
    flights.count('live') < LIVE.batches && flights.bytes('live') < LIVE.bytes && line.live < LIVE.bytes

  function sendLive(): boolean {
    if (!liveHasCapacity()) return false
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
    // One batch at a time is on the line, so that a live event waits for at most one.
    if (line.backfill > 0 || flights.count('backfill') >= BACKFILL.batches) return false
    // Live records that wait for the line are sent first, except in the turn of the backlog.
    if (!liveHasCapacity() && line.live > 0 && !turns.isDue('backfill')) return false
    const waitMs = pace.waitMs()
    if (waitMs > 0) {
      plan(waitMs)
      return false
    }
    const batch = lanes.next('backfill', { records: BATCH_RECORDS, bytes: pace.targetBytes, atLeastOne: true })
    if (batch) send('backfill', batch)
    return batch !== null
  }

  /** Whether no event waits for the line. A steady flow of events always has some that wait for an answer. */
  const isLineFree = () =>
    line.live === 0 &&
    line.backfill === 0 &&
    liveHasCapacity() &&
    flights.count('backfill') === 0 &&
    lanes.nextPauseEnd('own') === null

  function sendExtras() {
    if (extras?.fill() === true) turns.sent('extras')
  }

  /** Lanes below busy ones: of eight messages one. The window and the rate of the lane still apply. */
  function sendDue() {
    if (turns.isDue('backfill')) sendBackfill()
    if (turns.isDue('extras')) sendExtras()
  }

  function fill() {
    if (!connected || stopped) return
    try {
      do sendDue()
      while (sendLive())
      while (sendBackfill()) sendDue()
      if (isLineFree()) sendExtras()
    } catch (error) {
      log.error({ err: error }, 'the outbox is unreadable')
      plan(LONGEST_WAIT_MS)
    }
    const pauseEnd = lanes.nextPauseEnd()
    if (pauseEnd !== null) plan(pauseEnd - monotonic())
  }

  /** Schedules `fill`; only the earliest time is kept, because `fill` schedules the later ones. */
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

  const isFree = () => connected && isLineFree() && extras?.sending !== true

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
      extras?.reset()
      releases.retry()
      if (!up || stopped) return
      lanes.mark()
      fill()
    },
    confirm({ itens }) {
      heardAt = monotonic()
      const done = itens.filter(({ resultado }) => resultado !== 'fora_de_ordem')
      // A camera removed in the cloud may have thousands of records: one log line per answer.
      const [refused, ...others] = itens.filter(({ resultado }) => resultado === 'recusado')
      if (refused) log.error({ ...refused, records: 1 + others.length }, 'the cloud refused records: dropped')
      for (const item of done) {
        settled(item)
        options.observer?.settled(item)
      }
      releases.release(done.map(({ id }) => id))
      const notStored = itens.filter(({ resultado }) => resultado === 'fora_de_ordem')
      const asked = new Map(
        notStored.flatMap(({ id, espere_s }): [Lane, number][] => {
          const lane = espere_s === undefined ? null : flights.laneOf(id)
          return lane && espere_s !== undefined ? [[lane, espere_s]] : []
        }),
      )
      const disordered = notStored.flatMap(({ id }) => flights.laneOf(id) ?? []).filter((lane) => !asked.has(lane))
      for (const [lane, seconds] of asked) waitAsked(lane, seconds)
      // Several records of one lane may report this in one answer: the lane rewinds once.
      for (const lane of new Set(disordered)) outOfOrder(lane)
      fill()
    },
    confirmExtras(confirmacoes) {
      heardAt = monotonic()
      extras?.confirm(confirmacoes)
    },
    isLineFree: isFree,
    hasTurnForClip: () => isFree() || (connected && turns.isDue('clips')),
    clipSent: () => turns.sent('clips'),
    stop() {
      stopped = true
      extras?.stop()
      if (timer) clearTimeout(timer.handle)
      releases.stop()
      flights.clear()
    },
  }
}

const newLine = (): Record<LaneName, number> => ({ live: 0, backfill: 0 })
