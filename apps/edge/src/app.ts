import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { createEdgeLink, type EdgeLinkOptions } from '@vigia/link/edge-link'
import { createPtzClient } from '@vigia/rtsp/onvif-ptz'
import type { Logger } from 'pino'
import { createProbePermits } from './capture/connection-permits.ts'
import { createLoadMeter } from './capture/load-meter.ts'
import { createClipFiles } from './clips/clip-files.ts'
import { createClipKeeper } from './clips/clip-keeper.ts'
import { createClipNotices } from './clips/clip-notices.ts'
import { createClipStore } from './clips/clip-store.ts'
import { createClipUploader } from './clips/clip-uploader.ts'
import { createDropReport } from './clips/drop-report.ts'
import type { EdgeConfig } from './config.ts'
import { createContinuous } from './continuous/continuous.ts'
import { toRecord } from './continuous/recorded-cameras.ts'
import { type OpenedSomewhere, openEdgeDbSomewhere } from './db/spare-db.ts'
import { activate } from './link/activation.ts'
import { createDesiredState } from './link/desired.ts'
import { createDesiredStore } from './link/desired-store.ts'
import {
  certificateOf,
  createIdentityStore,
  type EdgeIdentity,
  holdIdentity,
  nameOfEdge,
  sequencesOf,
  tlsOf,
} from './link/identity.ts'
import { createReactivation } from './link/reactivation.ts'
import { createRenewal } from './link/renewal.ts'
import { createClockOffset } from './outbox/clock-offset.ts'
import { createDiskMonitor, MEMORY_BYTES } from './outbox/disk-monitor.ts'
import { createExtras } from './outbox/extra-store.ts'
import { createIntake } from './outbox/intake.ts'
import { createPace } from './outbox/pace.ts'
import { createSender, type Sender } from './outbox/sender.ts'
import { createOutbox } from './outbox/store.ts'
import { createCanalPictureHandler } from './pedidos/capture-canal.ts'
import { createPictureHandler } from './pedidos/capture-picture.ts'
import { createClipHandlers } from './pedidos/clip-handlers.ts'
import { createCommandStore } from './pedidos/command-store.ts'
import { createCommandHandler } from './pedidos/handle-command.ts'
import { createLive } from './pedidos/live.ts'
import { createMiniaturas } from './pedidos/miniaturas.ts'
import { createProbeHandlers } from './pedidos/probe-recorder.ts'
import { createPtzHandlers } from './pedidos/ptz.ts'
import { createRestartHandler } from './pedidos/restart-camera.ts'
import { createScanHandlers } from './pedidos/scan-network.ts'
import { createArchive } from './recordings/create-archive.ts'
import { createRecorderStates } from './recordings/recorder-states.ts'
import { reportCamera } from './status/camera-report.ts'
import { createDiagnosticsHandler } from './status/diagnostics.ts'
import { createMachine, freeBytes } from './status/machine.ts'
import type { RecentWarnings } from './status/recent-warnings.ts'
import { createReporter } from './status/reporter.ts'
import { createStillTaker } from './stills/still-taker.ts'
import { createLiveStreams } from './streams/live-streams.ts'
import { createAwayCameras } from './supervisor/away-cameras.ts'
import { awayTask } from './supervisor/away-task.ts'
import { connectionLimits } from './supervisor/connection-limits.ts'
import { createHostPermits, createOwnPermits } from './supervisor/host-permits.ts'
import { createSupervisor } from './supervisor/supervisor.ts'
import { type EdgeTelemetry, noEdgeTelemetry } from './telemetry/telemetry.ts'

export interface EdgeApp {
  /** Opens the database and starts the edge. Resolves before activation, which may wait for a person. */
  start(): Promise<void>
  stop(): Promise<void>
}

export interface EdgeAppOptions {
  readonly config: EdgeConfig
  /** Of this software. */
  readonly version: string
  readonly log: Logger
  readonly warnings: RecentWarnings
  /** Called when activation or start failed and only a manual repair or a restart can help. */
  onFatal(error: unknown): void
  /** Replaces the supervisor in tests. */
  readonly supervise?: typeof createSupervisor
  /** Options of the link; each defaults to the link's own value. */
  readonly link?: Pick<EdgeLinkOptions, 'backoff' | 'keepaliveS'>
  /** Default: neither metrics nor traces. */
  readonly telemetry?: EdgeTelemetry
}

/** Largest number of simultaneous connection attempts to one recorder, of streams and probes together. */
const ATTEMPTS_PER_HOST = 2

/** The edge's main process: link, outbox, configuration and supervision. Loads no native video or inference code. */
export function createEdgeApp(options: EdgeAppOptions): EdgeApp {
  const { config, version, log, warnings, onFatal, telemetry = noEdgeTelemetry } = options
  const stopping = new AbortController()
  const identities = createIdentityStore(config.dataDir)
  const ends: (() => void | Promise<void>)[] = []
  const dbFile = join(config.dataDir, 'edge.db')
  /** Distinguishes two edges that use one identity. */
  const instancia = randomUUID()

  async function run(identity: EdgeIdentity, { db, inMemory }: Extract<OpenedSomewhere, { ok: true }>) {
    const held = holdIdentity(identities, identity)
    const clock = createClockOffset({ now: Date.now, monotonic: () => performance.now() })
    const machine = createMachine(config.dataDir)
    const link = createEdgeLink({
      url: identity.mqtt.url,
      edgeId: identity.edge_id,
      tls: () => tlsOf(held.current()),
      log,
      ...options.link,
    })
    const clipFiles = createClipFiles(join(config.dataDir, 'clipes'))
    const clipStore = createClipStore(db, { now: Date.now })
    const outbox = createOutbox(db, {
      expectClip: clipStore.expect,
      quota: {
        maxBytes: inMemory ? Math.min(MEMORY_BYTES, config.outboxMaxBytes) : config.outboxMaxBytes,
        reserveBytes: inMemory ? 0 : Math.max(LEAST_RESERVE_BYTES, config.outboxReserveBytes),
        freeBytes: () => freeBytes(dirname(db.name)),
      },
      inFlight: () => sender.inFlight(),
      onDropped: createDropReport({ telemetry, log, files: clipFiles }),
    })
    const goOnFrom = (counts: ReadonlyMap<number, number>) => {
      for (const [cameraId, seq] of counts) outbox.raiseTo(cameraId, seq)
    }
    goOnFrom(sequencesOf(identity))
    const limitKbps = () => desired.applied.limiteReenvioKbps
    const pace = createPace({ limitKbps, monotonic: () => performance.now() })
    const sender: Sender = createSender({
      ...{ outbox, pace, limitKbps, observer: telemetry.events },
      publish: link.publishBatch,
      log,
      extras: { extras: outbox.extras, publish: link.publishExtras, kinds: () => desired.applied.recursos },
    })
    const intake = createIntake({
      ...{ outbox, clock, machine, log, observer: telemetry.events },
      kinds: () => desired.applied.recursos,
      onAdded: sender.wake,
    })
    const clips = createClipKeeper({
      ...{ store: clipStore, files: clipFiles, log },
      notices: createClipNotices(createExtras(db), { now: Date.now }),
      quota: {
        maxBytes: inMemory ? 0 : config.clipsMaxBytes,
        reserveBytes: 2 * Math.max(LEAST_RESERVE_BYTES, config.outboxReserveBytes),
        freeBytes: () => freeBytes(config.dataDir),
      },
      eventOf: intake.idOf,
      onChanged: sender.wake,
    })
    const uploader = createClipUploader({
      ...{ store: clipStore, files: clipFiles, cloudUrl: config.cloudUrl, log, pace },
      ...{ hasTurn: sender.hasTurnForClip, onChunk: sender.clipSent },
      onSettled: clips.discard,
    })
    const permits = createHostPermits(ATTEMPTS_PER_HOST)
    const supervisor = (options.supervise ?? createSupervisor)({
      log,
      modelFolder: config.modelFolder,
      ownRtspClient: config.ownRtspClient,
      permits,
      states: outbox.states,
      ...{ onEvents: intake.events, onStates: intake.states, onPassage: intake.passage },
      ...{ onEvidence: intake.evidence, onDiscard: intake.discard },
      onClip: clips.clip,
      onNoClip: clips.missing,
      onInterrupted(cameraIds) {
        clips.interrupted(cameraIds)
        intake.endPassages(cameraIds)
      },
      onChange: () => reporter.changed(),
    })
    const recordingFolder = config.recordingFolder ?? join(config.dataDir, 'continua')
    const continuous = createContinuous({
      ...{ folder: recordingFolder, owner: nameOfEdge(identity), stream: supervisor.stream, log },
      reserveBytes: 3 * Math.max(LEAST_RESERVE_BYTES, config.outboxReserveBytes),
      freeBytes: () => freeBytes(recordingFolder),
    })
    const applyTasks = () =>
      supervisor.apply(
        desired.applied.cameras.flatMap(({ task }) => (task && away.has(task.id) ? awayTask(task) : (task ?? []))),
      )
    const away = createAwayCameras(db, { log, onChange: applyTasks })
    const desired = createDesiredState({
      store: createDesiredStore(db),
      key: identity.chave_cifra,
      log,
      mainPictures: config.mainPictures,
      onSequence: outbox.raiseTo,
      onApplied(applied) {
        const { cameras } = applied
        permits.limit(connectionLimits(cameras))
        applyTasks()
        continuous.apply(...toRecord(applied))
        outbox.keepStatesOf(cameras.map(({ desejada }) => desejada.id))
        sender.wake()
        reporter.changed()
      },
    })
    const cameras = () =>
      desired.applied.cameras.map((camera) => {
        const known = supervisor.status(camera.desejada.id)
        const report = reportCamera(
          camera,
          known && { ...known, ageMs: performance.now() - known.at },
          desired.applied.recursos,
        )
        const gravacao = continuous.report(camera.desejada.id)
        return { ...report, ...(gravacao && { gravacao }) }
      })
    const reporter = createReporter({
      ...{ log, isConnected: () => link.connected, publish: link.publishReport },
      build: async () => ({
        v: 1,
        config_versao: desired.applied.versao,
        versao: version,
        instancia,
        relogio: { desvio_ms: clock.offsetMs, sincronizado: await machine.clockSynchronised() },
        certificado: certificateOf(held.current()),
        cameras: cameras(),
        fila: outbox.size(),
        fila_memoria: intake.waitingInMemory,
        disco_gravavel: !inMemory,
        disco: await machine.disk(),
        memoria: await machine.memory(),
        cpu: machine.cpu(),
        temperatura: await machine.temperature(),
        gravacao_continua: continuous.disk(),
        // The time is read last, so that the awaits above do not count as transport time.
        enviado_em: Date.now(),
      }),
    })
    telemetry.watch({
      ...{ records: outbox.size, oldestAt: outbox.oldestAt, cameras, freeBytes: () => freeBytes(dirname(db.name)) },
      waitingInMemory: () => intake.waitingInMemory,
      isConnected: () => link.connected,
      ...{ clockOffsetMs: () => clock.offsetMs, roundTripMs: () => clock.roundTripMs },
    })
    const isKnown = (id: number) => desired.applied.cameras.some(({ desejada }) => desejada.id === id)
    const { picture } = supervisor
    const live = createLive({ isKnown, picture, publish: link.publishLiveFrame })
    const miniaturas = createMiniaturas({ isKnown, picture, publish: link.publishLiveFrame, waiting: outbox.size })
    const { stream } = supervisor
    const streams = createLiveStreams({
      ...{ cloudUrl: config.cloudUrl, isKnown, stream, log },
      uplinkMbits: config.uplinkMbits,
      isLineFree: sender.isLineFree,
      onNoConnection: (id) => recordings.giveWay(id),
    })
    const stills = createStillTaker({ log })
    const connections = createOwnPermits(permits)
    const probing = { allowed: config.probeAllowed, permits: createProbePermits(connections) }
    const recorders = createRecorderStates({ cameras: () => desired.applied.cameras, status: supervisor.status })
    const recordings = createArchive({
      ...{ permits: connections, files: clipFiles, keeper: clips, held: continuous.files, log, now: Date.now },
      ...{ ...recorders, allowed: config.probeAllowed, httpPorts: config.recorderPorts },
    })
    const { stop: stopPtz, ...ptz } = createPtzHandlers({ ...probing, ptz: createPtzClient(), away, isKnown })
    const handlers = {
      ...createProbeHandlers(probing),
      ...createScanHandlers({ ...probing, enabled: config.networkScan }),
      ...createCanalPictureHandler({ ...probing, stills }),
      ...streams.handlers,
      ...createClipHandlers({ uploader, keeper: clips, recordings }),
      ...recordings.handlers,
      ...ptz,
      ...live.handlers,
      ...miniaturas.handlers,
      capturar_quadro: createPictureHandler({ isKnown, picture }),
      reiniciar_camera: createRestartHandler(supervisor),
      diagnosticar: createDiagnosticsHandler({
        version,
        machine,
        offsetMs: () => clock.offsetMs,
        queue: outbox.summary,
        link: () => link.status,
        processes: supervisor.processes,
        cameras,
        warnings: warnings.list,
      }),
    }
    const meter = createLoadMeter(log, () => ({ fila: outbox.size(), fila_memoria: intake.waitingInMemory }))
    const restart = (detalhe: string) => onFatal(new VigiaError('indisponivel', { detalhe }))
    const diskMonitor = createDiskMonitor({ file: dbFile, inMemory, intake, onMoved: restart })
    const renewal = createRenewal({ identity: held, link, log, now: Date.now, offsetMs: () => clock.offsetMs })
    const reactivation = createReactivation({
      ...config.activation,
      cloudUrl: config.cloudUrl,
      identity: held,
      link,
      log,
      onActivated: (next) => goOnFrom(sequencesOf(next)),
      onMoved: () => restart(MOVED),
    })

    link.onRequest(
      createCommandHandler({ key: identity.chave_cifra, commands: createCommandStore(db, log), handlers, log }),
    )
    link.onDesired((desejado) => {
      sender.heard()
      return desired.receive(desejado)
    })
    link.onConfirmations(sender.confirm)
    link.onExtrasConfirmed(sender.confirmExtras)
    link.onEcho((eco) => {
      clock.echo(eco)
      sender.heard()
    })
    link.onConnection((connected) => {
      sender.connection(connected)
      if (connected) reporter.changed()
    })
    ends.push(
      async () => {
        meter.stop()
        reporter.stop()
        diskMonitor.stop()
        renewal.stop()
        live.stop()
        miniaturas.stop()
        streams.stop()
        stills.stop()
        stopPtz()
        await Promise.all([reactivation.stop(), supervisor.stop(), uploader.stop(), recordings.stop(), link.stop()])
        await continuous.stop()
      },
      async () => {
        intake.stop()
        await clips.stop()
        sender.stop()
        db.close()
      },
    )
    await clips.start()
    // Reading the index of a slow disk takes a while.
    continuous.start().catch((err: unknown) => log.error({ err }, 'continuous recording not started'))
    await desired.restore()
    intake.endPassages(outbox.cameras())
    diskMonitor.start()
    renewal.start()
    reactivation.start()
    uploader.start()
    link.start()
    reporter.start()
    log.info({ edge: identity.edge_id, fila: outbox.size() }, 'edge running')
  }

  async function openAndRun(identity: EdgeIdentity) {
    const opened = await openEdgeDbSomewhere(dbFile, { signal: stopping.signal, log })
    if (opened === null) return
    if (!opened.ok) {
      throw new VigiaError('conflito', { detalhe: `Já há um edge em execução com os dados de ${config.dataDir}.` })
    }
    if (opened.damaged) {
      const { file, salvaged } = opened.damaged
      log.error(
        { arquivo: file, ...salvaged },
        'edge.db was damaged: the file was renamed, and its readable content is in a new file',
      )
    }
    if (opened.inMemory) log.error('O disco da caixa não grava: os eventos ficam só na memória até que ele volte.')
    await run(identity, opened)
  }

  async function activateAndRun() {
    const identity = await activate({
      cloudUrl: config.cloudUrl,
      ...config.activation,
      log,
      signal: stopping.signal,
    })
    if (!identity) return
    await identities.save(identity)
    log.info({ edge: identity.edge_id }, 'Edge ativado.')
    await openAndRun(identity)
  }

  let beginning: Promise<void> = Promise.resolve()

  return {
    async start() {
      await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
      const identity = await identities.load()
      if (identity) await openAndRun(identity)
      else beginning = activateAndRun().catch(onFatal)
    },
    async stop() {
      stopping.abort()
      await beginning
      for (const end of ends) await end()
    },
  }
}

/** SQLite writes before it deletes, so an outbox on a completely full disk could not delete any record. */
const LEAST_RESERVE_BYTES = 8 * 1024 * 1024
const MOVED = 'Este edge foi ativado em outro cadastro. O programa reinicia com a identidade nova.'
