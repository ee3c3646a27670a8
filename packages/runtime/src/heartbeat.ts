import { setTimeout as delay } from 'node:timers/promises'
import { BEAT_SETTING, type LifeSign, START_MS } from './life-sign.ts'
import { notifySystemd } from './systemd-notify.ts'

/** Runs `run`, which may block the event loop for up to `longestMs` without being taken for a frozen process. */
export type LongStep = <T>(name: string, longestMs: number, run: () => T | Promise<T>) => Promise<T>

/** A step outside any supervision: in tests, and in programs that no supervisor watches. */
export const unwatchedStep: LongStep = async (_name, _longestMs, run) => await run()

export interface Heartbeat {
  /** A step of the start-up, or a long one later on. Steps may be nested. */
  readonly step: LongStep
  /**
   * Reports that the start-up is complete; beats follow. `check` resolves when the program works beyond its event loop; while it is
   * pending there are no beats. It never rejects: an error is an answer, too.
   */
  ready(options?: { readonly porta?: number; readonly check?: () => Promise<void> }): Promise<void>
}

export interface HeartbeatOptions {
  readonly env?: NodeJS.ProcessEnv
  /** A message that systemd did not take. */
  onProblem(error: unknown): void
}

/**
 * Reports to the supervisor of this process that it is alive: over the IPC channel to a parent that asks for it, or to systemd (`Type=notify`,
 * `WatchdogSec`). Everything is sent from the main thread, so that a blocked event loop is silent.
 */
export function createHeartbeat({ env = process.env, onProblem }: HeartbeatOptions): Heartbeat {
  const parentBeatMs = Number(env[BEAT_SETTING] ?? 0)
  const underSystemd = (env.NOTIFY_SOCKET ?? '') !== ''
  const systemdWatchdogUs = underSystemd ? Number(env.WATCHDOG_USEC ?? 0) : 0
  /** Three beats in the time after which systemd ends the process. */
  const systemdBeatMs = systemdWatchdogUs / 3_000
  const openLimitsMs: number[] = []
  let isReady = false

  const sendToParent = (sign: LifeSign) =>
    new Promise<void>((resolve) => {
      // The callback also gets the error of a channel that closes; the program ends on `disconnect`.
      if (process.connected) process.send?.(sign, undefined, {}, () => resolve())
      else resolve()
    })
  const sendToSystemd = (...assignments: string[]) =>
    underSystemd ? notifySystemd(assignments).catch(onProblem) : Promise.resolve()

  async function announce(name: string, limitMs: number): Promise<void> {
    const limitUs = Math.round(limitMs * 1_000)
    if (parentBeatMs > 0) await sendToParent({ etapa: name, limiteMs: limitMs })
    if (isReady) await sendToSystemd(`WATCHDOG_USEC=${limitUs}`, 'WATCHDOG=1')
    else await sendToSystemd(`EXTEND_TIMEOUT_USEC=${limitUs}`)
  }

  async function endStep(name: string): Promise<void> {
    if (openLimitsMs.length > 0) return announce(name, Math.max(...openLimitsMs))
    if (!isReady) return announce(name, START_MS)
    if (parentBeatMs > 0) await sendToParent({ batida: true })
    if (systemdWatchdogUs > 0) await sendToSystemd(`WATCHDOG_USEC=${systemdWatchdogUs}`, 'WATCHDOG=1')
  }

  async function beatForever(everyMs: number, check: () => Promise<void>, send: () => Promise<void>): Promise<void> {
    for (;;) {
      await delay(everyMs, undefined, { ref: false })
      if (openLimitsMs.length > 0) continue
      await check()
      // A step that began meanwhile has announced its own limit.
      if (openLimitsMs.length === 0) await send()
    }
  }

  return {
    async step(name, longestMs, run) {
      openLimitsMs.push(longestMs)
      try {
        // Sent before the step begins: afterwards the event loop may be blocked.
        await announce(name, Math.max(...openLimitsMs))
        return await run()
      } finally {
        openLimitsMs.splice(openLimitsMs.indexOf(longestMs), 1)
        await endStep(name)
      }
    },
    async ready({ porta, check = async () => {} } = {}) {
      isReady = true
      await sendToParent(porta === undefined ? { pronto: true } : { pronto: true, porta })
      await sendToSystemd('READY=1')
      if (parentBeatMs > 0) void beatForever(parentBeatMs, check, () => sendToParent({ batida: true }))
      if (systemdBeatMs > 0) void beatForever(systemdBeatMs, check, () => sendToSystemd('WATCHDOG=1'))
    },
  }
}
