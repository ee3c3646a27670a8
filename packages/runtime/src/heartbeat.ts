import { setTimeout as delay } from 'node:timers/promises'
import { BEAT_SETTING, type LifeSign, START_MS } from './life-sign.ts'
import { notifySystemd } from './systemd-notify.ts'

/** Runs `run`, which may block the event loop for up to `longestMs` before the process counts as frozen. */
export type LongStep = <T>(name: string, longestMs: number, run: () => T | Promise<T>) => Promise<T>

/** Heartbeat of a program without a supervisor: it only runs the steps. */
export const unwatchedStep: LongStep = async (_name, _longestMs, run) => await run()

export interface Heartbeat {
  /** Runs a step of the start-up, or a long step after it. Steps may be nested. */
  readonly step: LongStep
  /**
   * Reports that the start-up is complete; beats follow. No beat is sent while `check` is pending. `check` must not
   * reject.
   */
  ready(options?: { readonly porta?: number; readonly check?: () => Promise<void> }): Promise<void>
  /** Sends another sign to the parent that requests them. */
  report(sign: LifeSign): void
}

export interface HeartbeatOptions {
  readonly env?: NodeJS.ProcessEnv
  /** Called when systemd does not accept a message. */
  onProblem(error: unknown): void
}

/**
 * Sends life signs to the supervisor: over the IPC channel to a parent that requests them, or to systemd
 * (`Type=notify`, `WatchdogSec`). The main thread sends all of them, so that a blocked event loop sends none.
 */
export function createHeartbeat({ env = process.env, onProblem }: HeartbeatOptions): Heartbeat {
  const parentBeatMs = Number(env[BEAT_SETTING] ?? 0)
  const underSystemd = (env.NOTIFY_SOCKET ?? '') !== ''
  const systemdWatchdogUs = underSystemd ? Number(env.WATCHDOG_USEC ?? 0) : 0
  /** A third of systemd's time limit. */
  const systemdBeatMs = systemdWatchdogUs / 3_000
  const openLimitsMs: number[] = []
  let isReady = false

  const sendToParent = (sign: LifeSign) =>
    new Promise<void>((resolve) => {
      // On a closing channel the callback gets an error, which is ignored: the program ends on `disconnect`.
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
      // A step that began during `check` has announced its own limit.
      if (openLimitsMs.length === 0) await send()
    }
  }

  return {
    async step(name, longestMs, run) {
      openLimitsMs.push(longestMs)
      try {
        // The limit is sent before the step, which may block the event loop.
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
    report(sign) {
      if (parentBeatMs > 0) void sendToParent(sign)
    },
  }
}
