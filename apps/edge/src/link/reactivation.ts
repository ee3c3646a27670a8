import type { EdgeLink } from '@vigia/link/edge-link'
import { type ActivationOptions, activate } from './activation.ts'
import type { EdgeIdentity, HeldIdentity } from './identity.ts'

export interface ReactivationOptions
  extends Pick<ActivationOptions, 'cloudUrl' | 'code' | 'file' | 'log' | 'pollMs' | 'backoff'> {
  readonly identity: HeldIdentity
  readonly link: Pick<EdgeLink, 'onConnection' | 'reconnect'>
  /** The new identity is in use: the outbox continues from the cloud's count. */
  onActivated(identity: EdgeIdentity): void
  /** The identity belongs to another edge or broker: the program must restart to rebuild the link. */
  onMoved(): void
  /** Time without a connection before the edge checks for a code. */
  readonly afterMs?: number
}

export interface Reactivation {
  /** Call before the link starts. */
  start(): void
  /** Waits for a running attempt. */
  stop(): Promise<void>
}

const AFTER_MS = 15_000

/**
 * Checks for a new activation code while there is no connection. An edge with a revoked or expired certificate recovers
 * with a new code and keeps its outbox and configuration. The code of the current identity is not tried again, and no
 * code is tried while connected.
 */
export function createReactivation(options: ReactivationOptions): Reactivation {
  const { identity, link, log } = options
  const stopping = new AbortController()
  let connected = false
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | null = null

  function wait(): void {
    clearTimeout(timer)
    // Without a source of codes there is nothing to check.
    if (stopping.signal.aborted || (options.code === null && options.file === null)) return
    timer = setTimeout(begin, options.afterMs ?? AFTER_MS)
    timer.unref()
  }

  function begin(): void {
    if (working !== null) return
    working = work()
      .catch((err: unknown) => log.error({ err }, 'activation with a new code failed; retrying'))
      .finally(() => {
        working = null
        if (!connected) wait()
      })
  }

  async function work(): Promise<void> {
    const before = identity.current()
    const next = await activate({
      ...options,
      previous: before,
      wanted: () => !connected,
      signal: stopping.signal,
    })
    if (next === null) return
    await identity.replace(next)
    log.info({ edge: next.edge_id }, 'Edge ativado de novo.')
    if (next.edge_id !== before.edge_id || next.mqtt.url !== before.mqtt.url) return options.onMoved()
    options.onActivated(next)
    link.reconnect()
  }

  link.onConnection((up) => {
    connected = up
    if (!up) wait()
  })

  return {
    start: wait,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await working
    },
  }
}
