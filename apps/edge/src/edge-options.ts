import type { EdgeLinkOptions } from '@vigia/link/edge-link'
import type { Logger } from 'pino'
import type { EdgeConfig } from './config.ts'
import type { RecentWarnings } from './status/recent-warnings.ts'
import type { createSupervisor } from './supervisor/supervisor.ts'
import type { EdgeTelemetry } from './telemetry/telemetry.ts'
import type { Boot } from './time/boot.ts'

export interface EdgeAppOptions {
  readonly config: EdgeConfig
  /** Version of this software. */
  readonly version: string
  readonly log: Logger
  readonly warnings: RecentWarnings
  /** Called when activation or start failed and only a manual repair or a restart can help. */
  onFatal(error: unknown): void
  /** Replaces the clocks of the machine in tests. */
  readonly clocks?: { readonly boot: Boot; now(): number; clockSynchronised(): Promise<boolean> }
  /** Replaces the supervisor in tests. */
  readonly supervise?: typeof createSupervisor
  /** Options of the link; each defaults to the link's own value. */
  readonly link?: Pick<EdgeLinkOptions, 'backoff' | 'keepaliveS'>
  /** Default: neither metrics nor traces. */
  readonly telemetry?: EdgeTelemetry
}
