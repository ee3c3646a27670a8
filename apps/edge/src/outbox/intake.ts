import type { Logger } from 'pino'
import type { SavedState, SeenEvent } from '../capture/protocol.ts'
import type { ClockOffset } from './clock-offset.ts'
import type { NewEvent, Outbox } from './store.ts'
import { uuidV7 } from './uuid-v7.ts'

/** The way from the capture processes into the outbox. */
export interface Intake {
  events(events: readonly SeenEvent[], state: unknown): void
  states(states: readonly SavedState[]): void
  stop(): void
}

export interface IntakeOptions {
  readonly outbox: Outbox
  readonly clock: ClockOffset
  readonly machine: { clockSynchronised(): Promise<boolean> }
  readonly log: Logger
  onAdded(): void
  readonly retryMs?: number
}

/** Batches that wait for a disk that can not be written; some 100 MB of pictures at most. */
const MAX_WAITING = 200

/** Whether the failure is of the disk and may pass: full, read-only, busy, failing (SQLite's result codes). */
const passes = (error: unknown): boolean =>
  /^SQLITE_(FULL|IOERR|READONLY|BUSY|LOCKED|CANTOPEN|NOMEM|PROTOCOL)/.test(
    String((error as { code?: unknown } | null)?.code),
  )

/**
 * Gives each event identity and clock and puts it on the disk. When the disk can not be written (full, read-only for a moment)
 * events wait in memory, in order, and are tried again.
 */
export function createIntake(options: IntakeOptions): Intake {
  const { outbox, clock, log } = options
  const waiting: { events: readonly NewEvent[]; state: unknown }[] = []
  let synchronised = false
  let timer: NodeJS.Timeout | null = null

  const lookAtClock = () => {
    void options.machine.clockSynchronised().then((value) => {
      synchronised = value
    })
  }
  lookAtClock()
  const clockTimer = setInterval(lookAtClock, 10_000)

  function store() {
    timer = null
    for (let batch = waiting[0]; batch; batch = waiting[0]) {
      try {
        const seqs = outbox.add(batch.events, batch.state)
        waiting.shift()
        const about = batch.events[0]?.candidate
        log.info({ camera: about?.camera_id, ia: about?.ia, seqs }, 'event kept')
      } catch (error) {
        if (!passes(error)) {
          // Tried again it would fail again, and every camera's events would queue up behind it.
          waiting.shift()
          log.error(
            { err: error, camera: batch.events[0]?.candidate.camera_id },
            'an event can not be stored and is lost',
          )
          continue
        }
        log.error({ err: error, waiting: waiting.length }, 'event can not be written to the disk yet')
        timer = setTimeout(store, options.retryMs ?? 1_000)
        return
      }
      options.onAdded()
    }
  }

  return {
    events(seen, state) {
      const relogio = { desvio_ms: clock.offsetMs, sincronizado: synchronised }
      const events = seen.map(({ candidate, media }) => ({
        candidate: { ...candidate, id: uuidV7(Date.now()), relogio },
        // Bytes that came over IPC are views into one large buffer.
        media: media.map(({ papel, bytes }) => ({ papel, bytes: Buffer.from(bytes) })),
      }))
      if (waiting.length >= MAX_WAITING) {
        waiting.shift()
        log.error('the disk can not be written for long: the oldest waiting event is lost')
      }
      waiting.push({ events, state })
      if (!timer) store()
    },
    states(states) {
      // Behind an event that still waits, an older state would be saved over a newer one, or say more than was kept.
      if (waiting.length > 0) return
      try {
        outbox.saveStates(states)
      } catch (error) {
        log.error({ err: error }, 'states of the analyses can not be written to the disk')
      }
    },
    stop() {
      clearInterval(clockTimer)
      if (timer) clearTimeout(timer)
    },
  }
}
