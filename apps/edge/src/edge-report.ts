import type { EdgeLink } from '@vigia/link/edge-link'
import { hasVideoPackage } from '@vigia/video/video-package'
import type { Logger } from 'pino'
import type { Delivery } from './delivery.ts'
import type { DesiredState } from './link/desired.ts'
import { certificateOf, type HeldIdentity } from './link/identity.ts'
import type { Machine } from './status/machine.ts'
import { createReporter, type Reporter } from './status/reporter.ts'
import type { ClockOffset } from './time/clock-offset.ts'
import type { EdgeTime } from './time/edge-time.ts'
import type { WatchedCameras } from './watched-cameras.ts'

export interface EdgeReporterOptions {
  /** Version of this software. */
  readonly version: string
  /** Distinguishes two edges that use one identity. */
  readonly instancia: string
  readonly link: EdgeLink
  readonly identity: HeldIdentity
  readonly desired: Pick<DesiredState, 'applied'>
  readonly clock: ClockOffset
  readonly time: Pick<EdgeTime, 'state' | 'stateMs'>
  /** Wall clock, in epoch ms. */
  now(): number
  readonly machine: Machine
  readonly delivery: Delivery
  readonly cameras: WatchedCameras
  readonly inMemory: boolean
  readonly log: Logger
}

/** Reports the state of this edge to the cloud. */
export function createEdgeReporter(options: EdgeReporterOptions): Reporter {
  const { link, desired, clock, time, machine, delivery, cameras, log } = options
  return createReporter({
    log,
    isConnected: () => link.connected,
    publish: link.publishReport,
    build: async () => ({
      v: 1,
      config_versao: desired.applied.versao,
      versao: options.version,
      instancia: options.instancia,
      relogio: { desvio_ms: clock.offsetMs, sincronizado: await machine.clockSynchronised() },
      certificado: certificateOf(options.identity.current()),
      cameras: cameras.report(),
      fila: delivery.outbox.size(),
      fila_memoria: delivery.intake.waitingInMemory,
      disco_gravavel: !options.inMemory,
      disco: await machine.disk(),
      memoria: await machine.memory(),
      cpu: machine.cpu(),
      temperatura: await machine.temperature(),
      gravacao_continua: cameras.continuous.disk(),
      hora: { estado: time.state, ha_s: Math.round(time.stateMs() / 1000) },
      pacote_video: hasVideoPackage(),
      // The time is read last, so that the awaits above do not count as transport time.
      enviado_em: options.now(),
    }),
  })
}
