import { dirname } from 'node:path'
import { cameraFailureText } from '@vigia/contracts/camera-failures'
import { VigiaError } from '@vigia/contracts/errors'
import { createEdgeLink } from '@vigia/link/edge-link'
import { hasVideoPackage } from '@vigia/video/video-package'
import { createLoadMeter } from './capture/load-meter.ts'
import { createCommandHandlers } from './command-handlers.ts'
import type { EdgeDb } from './db/edge-db.ts'
import type { OpenedSomewhere } from './db/spare-db.ts'
import { createDelivery } from './delivery.ts'
import { createClocks } from './edge-clocks.ts'
import type { EdgeAppOptions } from './edge-options.ts'
import { createEdgeReporter, type EdgeReporterOptions } from './edge-report.ts'
import { createIdentityUpkeep } from './identity-upkeep.ts'
import { createDesiredState, type DesiredState } from './link/desired.ts'
import { createDesiredStore } from './link/desired-store.ts'
import { type EdgeIdentity, holdIdentity, type IdentityStore, nameOfEdge, sequencesOf, tlsOf } from './link/identity.ts'
import { createDiskMonitor } from './outbox/disk-monitor.ts'
import { createCommandStore } from './pedidos/command-store.ts'
import { createCommandHandler } from './pedidos/handle-command.ts'
import { createDiagnosticsHandler } from './status/diagnostics.ts'
import { freeBytes } from './status/machine.ts'
import type { RecentWarnings } from './status/recent-warnings.ts'
import type { Reporter } from './status/reporter.ts'
import { createSupervisor } from './supervisor/supervisor.ts'
import { type EdgeTelemetry, noEdgeTelemetry } from './telemetry/telemetry.ts'
import type { EdgeTime } from './time/edge-time.ts'
import { createTimedConnection, type TimedConnection } from './time/timed-connection.ts'
import { createWatchedCameras } from './watched-cameras.ts'

/** An activated edge with an open database. */
export interface RunningEdge {
  start(): Promise<void>
  stop(): Promise<void>
}

/** Parts that exist once in a running edge. */
interface EdgeParts extends EdgeReporterOptions {
  readonly desired: DesiredState
  readonly time: EdgeTime
  readonly connection: TimedConnection
}

export interface RunningEdgeOptions extends EdgeAppOptions {
  /** `edge.db` on the disk. */
  readonly dbFile: string
  /** Distinguishes two edges that use one identity. */
  readonly instancia: string
  readonly identities: IdentityStore
}

export function createRunningEdge(
  identity: EdgeIdentity,
  { db, inMemory }: Extract<OpenedSomewhere, { ok: true }>,
  options: RunningEdgeOptions,
): RunningEdge {
  const { config, log, telemetry = noEdgeTelemetry } = options
  const held = holdIdentity(options.identities, identity)
  const onState = () => {
    cameras.timeChanged()
    connection.timeChanged()
  }
  const { machine, clock, time, now } = createClocks({ ...options, db, identity, onState })
  const { edge_id: edgeId } = identity
  const tls = () => tlsOf(held.current())
  const link = createEdgeLink({ url: identity.mqtt.url, edgeId, tls, now: time.now, log, ...options.link })
  const desired: DesiredState = createDesiredState({
    store: createDesiredStore(db),
    key: identity.chave_cifra,
    log,
    mainPictures: config.mainPictures,
    onSequence: (cameraId, seq) => delivery.outbox.raiseTo(cameraId, seq),
    onApplied(applied) {
      cameras.apply(applied)
      delivery.outbox.keepStatesOf(applied.cameras.map(({ desejada }) => desejada.id))
      delivery.sender.wake()
      reporter.changed()
    },
  })
  const delivery = createDelivery({ config, db, inMemory, link, desired, time, telemetry, log })
  const connection = createTimedConnection(delivery.sender, time)
  const { outbox, sender, intake, clips, uploader } = delivery
  delivery.goOnFrom(sequencesOf(identity))
  const cameras = createWatchedCameras({
    config,
    db,
    owner: nameOfEdge(identity),
    desired,
    delivery,
    time,
    supervise: options.supervise ?? createSupervisor,
    log,
    onChange: () => reporter.changed(),
  })
  const site = { link, identity: held, desired, clock, now, time, connection, machine, delivery, cameras, inMemory }
  const parts: EdgeParts = { ...options, ...site }
  const reporter = createEdgeReporter(parts)
  observe(telemetry, parts, () => freeBytes(dirname(db.name)))
  const commands = hearCommands(identity, db, parts, options)
  const meter = createLoadMeter(log, () => ({ fila: outbox.size(), fila_memoria: intake.waitingInMemory }))
  const restart = (detalhe: string) => options.onFatal(new VigiaError('indisponivel', { detalhe }))
  const diskMonitor = createDiskMonitor({ file: options.dbFile, inMemory, intake, onMoved: restart })
  const upkeep = createIdentityUpkeep({
    config,
    identity: held,
    link,
    clock,
    log,
    onActivated: (next) => delivery.goOnFrom(sequencesOf(next)),
    onMoved: () => restart(MOVED),
  })
  hearCloud(parts, reporter)

  return {
    async start() {
      await time.start()
      await clips.start()
      // Reading the index of a slow disk takes a while.
      cameras.continuous.start().catch((err: unknown) => log.error({ err }, 'continuous recording not started'))
      await desired.restore()
      intake.endPassages(outbox.cameras())
      diskMonitor.start()
      upkeep.start()
      uploader.start()
      link.start()
      reporter.start()
      if (!hasVideoPackage()) log.warn(cameraFailureText('sem_pacote_video'))
      log.info({ edge: edgeId, fila: outbox.size() }, 'edge running')
    },
    async stop() {
      meter.stop()
      reporter.stop()
      diskMonitor.stop()
      upkeep.stopRenewal()
      commands.stop()
      const { recordings } = commands
      await Promise.all([upkeep.stop(), cameras.supervisor.stop(), uploader.stop(), recordings.stop(), link.stop()])
      await cameras.continuous.stop()
      intake.stop()
      await clips.stop()
      connection.stop()
      sender.stop()
      time.stop()
      db.close()
    },
  }
}

/** Reports the state of the edge to its metrics. */
function observe(telemetry: EdgeTelemetry, { link, clock, delivery, cameras }: EdgeParts, free: () => number | null) {
  telemetry.watch({
    records: delivery.outbox.size,
    oldestAt: delivery.outbox.oldestAt,
    cameras: cameras.report,
    freeBytes: free,
    waitingInMemory: () => delivery.intake.waitingInMemory,
    isConnected: () => link.connected,
    clockOffsetMs: () => clock.offsetMs,
    roundTripMs: () => clock.roundTripMs,
  })
}

/** Carries out the commands of the cloud. */
function hearCommands(identity: EdgeIdentity, db: EdgeDb, parts: EdgeParts, { config, warnings }: RunningEdgeOptions) {
  const { link, log } = parts
  const commands = createCommandHandlers({ ...parts, config })
  const handlers = { ...commands.handlers, diagnosticar: diagnose(parts, warnings) }
  const store = createCommandStore(db, log)
  link.onRequest(createCommandHandler({ key: identity.chave_cifra, commands: store, handlers, log }))
  return commands
}

/** Answers `diagnosticar`. */
const diagnose = ({ version, machine, clock, link, delivery, cameras }: EdgeParts, warnings: RecentWarnings) =>
  createDiagnosticsHandler({
    version,
    machine,
    offsetMs: () => clock.offsetMs,
    queue: delivery.outbox.summary,
    link: () => link.status,
    processes: cameras.supervisor.processes,
    cameras: cameras.report,
    warnings: warnings.list,
  })

/** Gives the other messages of the cloud to their receivers. */
function hearCloud(parts: EdgeParts, reporter: Reporter): void {
  const { link, desired, clock, time, connection } = parts
  const { sender } = parts.delivery
  link.onDesired((desejado) => {
    sender.heard()
    return desired.receive(desejado)
  })
  link.onConfirmations(sender.confirm)
  link.onExtrasConfirmed(sender.confirmExtras)
  link.onEcho((eco) => {
    clock.echo(eco)
    time.check()
    sender.heard()
  })
  link.onConnection((connected) => {
    connection.connection(connected)
    if (connected) reporter.changed()
  })
}

const MOVED = 'Este edge foi ativado em outro cadastro. O programa reinicia com a identidade nova.'
