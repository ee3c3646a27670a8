import type { SavedState, SeenEvent } from '@vigia/analysis/model'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import type { Logger } from 'pino'
import { uuidV7 } from '../db/uuid-v7.ts'
import type { ClockOffset } from './clock-offset.ts'
import type { Outbox } from './store.ts'
import { createWaitingEvents, type WaitingBatch } from './waiting-events.ts'

/** The way from the capture processes into the outbox. */
export interface Intake {
  events(events: readonly SeenEvent[], state: unknown): void
  states(states: readonly SavedState[]): void
  /** Events that wait in memory because the disk can not be written; 0 when all is well. */
  readonly waitingInMemory: number
  /** For how long nothing could be written, ms; 0 when all is well. */
  readonly stuckMs: number
  /** Puts what waits in memory into another outbox. Throws when that can not be written either; what it took by then is there. */
  handOver(outbox: Pick<Outbox, 'add' | 'addLost'>): void
  stop(): void
}

export interface IntakeOptions {
  readonly outbox: Pick<Outbox, 'add' | 'addLost' | 'saveStates' | 'keepRoom'>
  readonly clock: ClockOffset
  readonly machine: { clockSynchronised(): Promise<boolean> }
  readonly log: Logger
  /** Something is new in the outbox. */
  onAdded(): void
  /** Edge clock, epoch ms; default `Date.now`. */
  now?(): number
  readonly retryMs?: number
  /** Memory for events that wait; default 64 MiB. */
  readonly maxWaitingBytes?: number
}

const MAX_WAITING_BYTES = 64 * 1024 * 1024
/** The clock's state is looked at, and the outbox asked to keep its room, this often. */
const LOOK_MS = 10_000
/** While the disk can not be written, this is said again so often. */
const COMPLAIN_MS = 60_000

/**
 * Gives each event identity and clock and puts it on the disk. When the disk can not be written (full, read-only, failing)
 * events wait in memory, in order, and are tried again; detection goes on. What the memory can not hold leaves a gap record.
 */
export function createIntake(options: IntakeOptions): Intake {
  const { outbox, clock, log } = options
  const now = options.now ?? Date.now
  const waiting = createWaitingEvents(options.maxWaitingBytes ?? MAX_WAITING_BYTES)
  let synchronised = false
  let timer: NodeJS.Timeout | null = null
  let complainedAt = Number.NEGATIVE_INFINITY
  /** Since when nothing can be written, monotonic ms. */
  let stuckSince: number | null = null

  function lookAround() {
    void options.machine.clockSynchronised().then((value) => {
      synchronised = value
    })
    try {
      outbox.keepRoom()
    } catch (error) {
      complain(error, 'the quota of the outbox can not be kept')
    }
  }
  lookAround()
  const lookTimer = setInterval(lookAround, LOOK_MS)

  function complain(error: unknown, what: string) {
    const at = performance.now()
    if (at - complainedAt < COMPLAIN_MS) return
    complainedAt = at
    log.error({ err: error, waiting: waiting.count }, what)
  }

  function keep(batch: WaitingBatch) {
    const seqs = outbox.add(batch.events, batch.state)
    waiting.stored()
    const about = batch.events[0]?.candidate
    log.info({ camera: about?.camera_id, ia: about?.ia, seqs }, 'event kept')
  }

  function store() {
    timer = null
    for (let next = waiting.first(); next; next = waiting.first()) {
      try {
        if ('loss' in next) {
          outbox.addLost(next.loss)
          waiting.stored()
          log.error(next.loss, 'events were lost while the disk could not be written')
        } else keep(next.batch)
      } catch (error) {
        if (isDiskFailure(error) || 'loss' in next) {
          stuckSince ??= performance.now()
          complain(error, 'event can not be written to the disk yet')
          timer = setTimeout(store, options.retryMs ?? 1_000)
          return
        }
        // Tried again it would fail again, and every camera's events would queue up behind it.
        log.error(
          { err: error, camera: next.batch.events[0]?.candidate.camera_id },
          'an event can not be stored and is lost',
        )
        waiting.giveUp()
        continue
      }
      complainedAt = Number.NEGATIVE_INFINITY
      stuckSince = null
      options.onAdded()
    }
  }

  return {
    events(seen, state) {
      const relogio = { desvio_ms: clock.offsetMs, sincronizado: synchronised }
      const events = seen.map(({ candidate, media }) => ({
        candidate: { ...candidate, id: uuidV7(now()), relogio },
        // Bytes that came over IPC are views into one large buffer.
        media: media.map(({ papel, bytes }) => ({ papel, bytes: Buffer.from(bytes) })),
      }))
      waiting.push({ events, state })
      if (!timer) store()
    },
    states(states) {
      // Behind an event that still waits, an older state would be saved over a newer one, or say more than was kept.
      if (waiting.first() !== null) return
      try {
        outbox.saveStates(states)
      } catch (error) {
        complain(error, 'states of the analyses can not be written to the disk')
      }
    },
    get waitingInMemory() {
      return waiting.count
    },
    get stuckMs() {
      return stuckSince === null ? 0 : performance.now() - stuckSince
    },
    handOver(other) {
      for (let next = waiting.first(); next; next = waiting.first()) {
        if ('loss' in next) other.addLost(next.loss)
        else other.add(next.batch.events, next.batch.state)
        waiting.stored()
      }
    },
    stop() {
      clearInterval(lookTimer)
      if (timer) clearTimeout(timer)
      // The last chance of what still waits.
      if (waiting.first()) store()
      if (timer) clearTimeout(timer)
      if (waiting.count > 0)
        log.error({ events: waiting.count }, 'events in memory are lost with the end of the program')
    },
  }
}
