import type { EdgeLink } from '@vigia/link/edge-link'
import type { Logger } from 'pino'
import type { EdgeConfig } from './config.ts'
import type { HeldIdentity } from './link/identity.ts'
import { createReactivation, type ReactivationOptions } from './link/reactivation.ts'
import { createRenewal } from './link/renewal.ts'
import type { ClockOffset } from './time/clock-offset.ts'

/** Keeps the identity of the edge usable: renews its certificate, and takes a new activation code. */
export interface IdentityUpkeep {
  /** Call before the link starts. */
  start(): void
  stopRenewal(): void
  /** Waits for a running activation. */
  stop(): Promise<void>
}

interface IdentityUpkeepOptions extends Pick<ReactivationOptions, 'onActivated' | 'onMoved'> {
  readonly config: EdgeConfig
  readonly identity: HeldIdentity
  readonly link: EdgeLink
  readonly clock: ClockOffset
  readonly log: Logger
}

export function createIdentityUpkeep(options: IdentityUpkeepOptions): IdentityUpkeep {
  const { config, identity, link, clock, log, onActivated, onMoved } = options
  const renewal = createRenewal({ identity, link, log, now: Date.now, offsetMs: () => clock.offsetMs })
  const { activation, cloudUrl } = config
  const reactivation = createReactivation({ ...activation, cloudUrl, identity, link, log, onActivated, onMoved })
  return {
    start() {
      renewal.start()
      reactivation.start()
    },
    stopRenewal: renewal.stop,
    stop: reactivation.stop,
  }
}
