import type { EstadoHora } from '@vigia/contracts/hora-incerta'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import type { Logger } from 'pino'
import type { Boot } from './boot.ts'
import type { BootStore } from './boot-store.ts'
import type { ClockOffset } from './clock-offset.ts'
import { type ClockReading, JUMP_MS } from './clock-reading.ts'
import { createClockSettings } from './clock-settings.ts'
import type { Stamp } from './stamp.ts'

export type TimeState = EstadoHora

/** The time of this edge. A machine without a battery clock starts with a wrong one. */
export interface EdgeTime {
  readonly state: TimeState
  /** Time for which this state has lasted, in ms of the monotonic clock. */
  stateMs(): number
  /**
   * Time of an instant that the wall clock of this edge gave since the program started. With a stamp, the time may
   * still be corrected (record-times.ts).
   */
  place(wallMs: number): { readonly at: number; readonly stamp: Stamp | null }
  /** Right time in epoch ms; null: not known. */
  now(): number | null
  /** State of the clock for the records of an edge: of their times, not of the wall clock. */
  relogio(): { desvio_ms: number | null; sincronizado: boolean }
  /** Reads the clocks. Called after each echo of the cloud. */
  check(): void
  start(): Promise<void>
  stop(): void
}

export interface EdgeTimeOptions {
  readonly boot: Boot
  readonly store: BootStore
  readonly clock: Pick<ClockOffset, 'offsetMs'>
  readonly machine: { clockSynchronised(): Promise<boolean> }
  /** No instant of this edge is earlier: its certificate did not exist. Epoch ms. */
  readonly notBefore: number
  readonly log: Logger
  onState(state: TimeState): void
  /** Wall clock, in epoch ms. */
  now(): number
}

/** A wall clock that differs more from the cloud, and that no time server has set, is corrected in the records. */
const OFF_MS = 60_000
const CHECK_MS = 10_000
const SAVE_MS = 60_000

/**
 * The time is known when a time server has set the clock, or somebody sets it while the program runs. An echo of the
 * cloud makes it known, too. The monotonic clock then carries it. It is never before the last known time, which is on
 * the disk.
 */
export function createEdgeTime(options: EdgeTimeOptions): EdgeTime {
  const { boot, store, clock, machine, log } = options
  const settings = createClockSettings({ now: options.now, monotonic: boot.monotonic }, (ms) =>
    log.info({ ms: Math.round(ms) }, 'the clock was set'),
  )
  let reading = settings.read()
  const floor = Math.max(options.notBefore, store.lastKnown() ?? 0)
  /** The program may run again within one start of the machine. */
  const former = store.list().find(({ id }) => id === boot.id)
  const earliest = former?.earliest ?? floor
  /** Right time minus monotonic clock; null: not known. */
  let right = former?.ahead ?? null
  let state: TimeState = 'desconhecida'
  let synchronised = false
  let savedAt = Number.NEGATIVE_INFINITY
  /** Monotonic clock, which begins with the machine. */
  let changedAt = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  function check() {
    reading = settings.read()
    const before = right
    right = rightAhead(reading)
    const isAssumed = boot.hasBatteryClock && isPlausible(reading)
    const next = right !== null ? 'conhecida' : isAssumed ? 'suposta' : 'desconhecida'
    const isChanged = next !== state || Math.abs((right ?? 0) - (before ?? 0)) > JUMP_MS
    if (isChanged || reading.mono - savedAt >= SAVE_MS) save(next)
    if (next === state) return
    state = next
    changedAt = reading.mono
    log.info({ estado: state }, 'state of the time')
    options.onState(state)
  }

  const isPlausible = ({ wall }: ClockReading) => wall >= floor - OFF_MS

  function rightAhead(now: ClockReading): number | null {
    const { ahead: measured } = now
    const offset = clock.offsetMs
    if (offset !== null) return synchronised || Math.abs(offset) <= OFF_MS ? measured : measured - offset
    if ((synchronised || settings.wasSet) && isPlausible(now)) return measured
    if (right === null) return null
    return Math.abs(measured - right) <= OFF_MS ? measured : right
  }

  function save(next: TimeState) {
    savedAt = reading.mono
    const { mono } = reading
    // A start whose clock is not known is at least as long after the last known time as it lasts.
    const lastKnown = right === null ? Math.max(floor, earliest + mono) : right + mono
    const ahead = right === null ? null : Math.round(right)
    const lastMono = Math.round(mono)
    try {
      store.save({ id: boot.id, earliest, lastMono, assumed: next === 'suposta', ahead }, lastKnown)
    } catch (error) {
      if (!isDiskFailure(error)) throw error
      log.error({ err: error }, 'the time cannot be written to the disk')
    }
  }

  async function checkMachine() {
    synchronised = await machine.clockSynchronised()
    if (!isStopped) check()
  }

  return {
    get state() {
      return state
    },
    stateMs: () => Math.max(0, boot.monotonic() - changedAt),
    place(wallMs) {
      check()
      const own = settings.aheadAt(wallMs)
      if (right === null) return { at: wallMs, stamp: { boot: boot.id, ahead: Math.round(own) } }
      const shiftMs = right - own
      return { at: Math.abs(shiftMs) < JUMP_MS ? wallMs : Math.max(0, Math.round(wallMs + shiftMs)), stamp: null }
    },
    now() {
      check()
      return right === null ? null : right + reading.mono
    },
    relogio() {
      const offset = clock.offsetMs
      const corrected = right === null ? 0 : reading.ahead - right
      return {
        desvio_ms: offset === null ? null : Math.round(offset - corrected),
        sincronizado: synchronised || right !== null,
      }
    },
    check,
    async start() {
      await checkMachine()
      timer = setInterval(() => void checkMachine(), CHECK_MS)
    },
    stop() {
      isStopped = true
      clearInterval(timer)
      check()
      save(state)
    },
  }
}
