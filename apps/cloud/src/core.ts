import type { CloudLinkOptions } from '@vigia/link/cloud-link'
import type { LongStep } from '@vigia/runtime/heartbeat'
import { type Bus, createBus } from './adapters/bus.ts'
import type { Clock } from './adapters/clock.ts'
import type { RateLimits } from './adapters/rate-limits/interface.ts'
import { openCounterStore } from './adapters/rate-limits/open-store.ts'
import { createRateLimits } from './adapters/rate-limits/rate-limits.ts'
import type { SecretBox } from './adapters/secret-box.ts'
import type { Config } from './config.ts'
import { type Announce, ensureOperator } from './domains/pessoas/usuarios/ensure-operator.ts'
import { createPasswords, type PasswordCost, type Passwords } from './domains/pessoas/usuarios/passwords.ts'
import type { Logger } from './http/request-log.ts'
import { createLinkServices, type LinkServices } from './link-services.ts'
import { openSecrets, type Stores, type Undo } from './open-stores.ts'
import { shareBus } from './replicas/share-bus.ts'

interface Settings {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  /** Monotonic clock in ms. */
  readonly monotonic: () => number
}

/** The parts that all domains build on. */
export interface Core extends Settings, Stores, LinkServices {
  readonly box: SecretBox
  readonly limits: RateLimits
  readonly passwords: Passwords
  readonly bus: Bus
}

interface OpenCoreDeps extends Settings {
  readonly stores: Stores
  readonly step: LongStep
  readonly announce: Announce
  readonly undo: Undo
  readonly link: Pick<CloudLinkOptions, 'backoff' | 'keepaliveS'> | undefined
  readonly passwordCost: PasswordCost | undefined
}

/** Opens secrets and limits, ensures the operator, and creates the link and the bus. */
export async function openCore({ stores, step, announce, undo, link, passwordCost, ...settings }: OpenCoreDeps) {
  const { config, log, clock } = settings
  const { db } = stores
  const box = await openSecrets({ config, db, clock, step, announce, log })
  const limits = createRateLimits({ store: () => openCounterStore(config), log })
  undo.push(() => limits.stop())
  const passwords = createPasswords(passwordCost)
  await ensureOperator({ db, clock, passwords, config, announce })
  const edges = createLinkServices({ ...settings, db, box, link })
  await edges.lineages.start()
  const core: Core = {
    ...settings,
    ...stores,
    ...edges,
    box,
    limits,
    passwords,
    bus: shareBus(createBus(), edges.replica),
  }
  return core
}
