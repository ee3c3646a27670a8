import type { ConfirmacoesExtras } from '@vigia/contracts/extras'
import { createEarliestTimer } from './earliest-timer.ts'
import { createEventLine, type EventLineOptions } from './event-line.ts'
import { createExtrasLane, type ExtrasLane, type ExtrasLaneOptions } from './extras-lane.ts'
import { createLaneTurns } from './lane-turns.ts'

/** The order in which the lanes use the connection. */
export interface Dispatch {
  /** Whether the link is up, and this has not stopped. */
  readonly isOpen: boolean
  /** Sends until each lane is empty or must wait. */
  fill(): void
  /** Another connection, or none. Sends nothing. */
  connection(up: boolean): void
  confirmExtras(confirmacoes: ConfirmacoesExtras): void
  /** Whether the link is up, and no event and no extra waits for the line. */
  isLineFree(): boolean
  /** Whether a chunk of a clip may be sent: the line is free, or clips are due. */
  hasTurnForClip(): boolean
  /** Called after a chunk of a clip. */
  clipSent(): void
  stop(): void
}

interface DispatchOptions extends Omit<EventLineOptions, 'turns' | 'onWait'> {
  /** The lane of extras; none when omitted. */
  readonly extras: Pick<ExtrasLaneOptions, 'extras' | 'publish' | 'kinds'> | undefined
  readonly confirmTimeout: ExtrasLaneOptions['confirmTimeout']
}

/** Longest delay before a removed limit takes effect. */
const LONGEST_WAIT_MS = 1_000

/** Live records first, then the backlog, extras and clips. One of eight messages is of the lowest lane that waits. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const { lanes, rate, log, monotonic, confirmTimeout } = options
  const turns = createLaneTurns()
  /** The next call of `fill` without an event. */
  const next = createEarliestTimer({ run: fill, longestMs: LONGEST_WAIT_MS, monotonic })
  const line = createEventLine({
    ...options,
    turns,
    onWait: next.plan,
    onOut(flight) {
      options.onOut(flight)
      fill()
    },
  })
  const extras: ExtrasLane | null =
    options.extras === undefined
      ? null
      : createExtrasLane({ ...options.extras, log, rate, monotonic, confirmTimeout, plan: next.plan, onSettled: fill })
  let connected = false
  let stopped = false

  function sendExtras() {
    if (extras?.fill() === true) turns.sent('extras')
  }

  /** Lanes below busy ones: of eight messages one. The window and the rate of the lane still apply. */
  function sendDue() {
    if (turns.isDue('backfill')) line.sendBackfill()
    if (turns.isDue('extras')) sendExtras()
  }

  function fill() {
    if (!connected || stopped) return
    const since = monotonic()
    try {
      do sendDue()
      while (line.sendLive())
      while (line.sendBackfill()) sendDue()
      if (line.isFree()) sendExtras()
    } catch (error) {
      log.error({ err: error }, 'the outbox is unreadable')
      next.plan(LONGEST_WAIT_MS)
    }
    // A pause that ended since the lanes were read is planned too: nothing else would wake its lane.
    const pauseEnd = lanes.nextPauseEnd(since)
    if (pauseEnd !== null) next.plan(pauseEnd - monotonic())
  }

  const isLineFree = () => connected && line.isFree() && extras?.sending !== true

  return {
    get isOpen() {
      return connected && !stopped
    },
    fill,
    connection(up) {
      connected = up
      line.reset()
      extras?.reset()
    },
    confirmExtras: (confirmacoes) => extras?.confirm(confirmacoes),
    isLineFree,
    hasTurnForClip: () => isLineFree() || (connected && turns.isDue('clips')),
    clipSent: () => turns.sent('clips'),
    stop() {
      stopped = true
      line.stop()
      extras?.stop()
      next.stop()
    },
  }
}
