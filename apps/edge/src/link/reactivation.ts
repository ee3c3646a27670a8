import type { EdgeLink } from '@vigia/link/edge-link'
import { type ActivationOptions, activate } from './activation.ts'
import type { EdgeIdentity, HeldIdentity } from './identity.ts'

export interface ReactivationOptions
  extends Pick<ActivationOptions, 'cloudUrl' | 'code' | 'file' | 'log' | 'pollMs' | 'backoff'> {
  readonly identity: HeldIdentity
  readonly link: Pick<EdgeLink, 'onConnection' | 'reconnect'>
  /** The new identity is in use: the outbox goes on from the cloud's count. */
  onActivated(identity: EdgeIdentity): void
  /** It is another edge's, or the broker is elsewhere: the link has to be made anew, by starting the program again. */
  onMoved(): void
  /** How long the box goes without a connection before it looks for a code, ms. */
  readonly afterMs?: number
}

export interface Reactivation {
  /** Before the link starts. */
  start(): void
  /** Waits for an attempt under way. */
  stop(): Promise<void>
}

const AFTER_MS = 15_000

/**
 * Looks for a new activation code while there is no connection: a box whose certificate was revoked, or has expired, comes back with a
 * code that a person leaves for it, and keeps its outbox and its configuration. The code that it was activated with is not
 * tried again, and while the link stands none is.
 */
export function createReactivation(options: ReactivationOptions): Reactivation {
  const { identity, link, log } = options
  const stopping = new AbortController()
  let connected = false
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | null = null

  function wait(): void {
    clearTimeout(timer)
    // Without a place where a code could come from there is nothing to look for.
    if (stopping.signal.aborted || (options.code === null && options.file === null)) return
    timer = setTimeout(begin, options.afterMs ?? AFTER_MS)
    timer.unref()
  }

  function begin(): void {
    if (working !== null) return
    working = work()
      .catch((err: unknown) => log.error({ err }, 'activation with a new code failed; it is tried again'))
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
