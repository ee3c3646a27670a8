import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { createEdgeLink } from '@vigia/link/edge-link'
import type { Logger } from 'pino'
import type { EdgeConfig } from './config.ts'
import { openEdgeDb } from './db/edge-db.ts'
import { activate } from './link/activation.ts'
import { createDesiredState } from './link/desired.ts'
import { createDesiredStore } from './link/desired-store.ts'
import { createIdentityStore, type EdgeIdentity } from './link/identity.ts'
import { createClockOffset } from './outbox/clock-offset.ts'
import { createIntake } from './outbox/intake.ts'
import { createSender, type Sender } from './outbox/sender.ts'
import { createOutbox } from './outbox/store.ts'
import { createPictureHandler } from './pedidos/capture-picture.ts'
import { createCommandHandler } from './pedidos/handle-command.ts'
import { createProbeHandlers } from './pedidos/probe-recorder.ts'
import { reportCamera } from './status/camera-report.ts'
import { createMachine } from './status/machine.ts'
import { createReporter } from './status/reporter.ts'
import { createHostPermits, createOwnPermits } from './supervisor/host-permits.ts'
import { createSupervisor } from './supervisor/supervisor.ts'

export interface EdgeApp {
  /** Opens the data and begins; resolves before activation, which may take as long as a person takes. */
  start(): Promise<void>
  stop(): Promise<void>
}

export interface EdgeAppOptions {
  readonly config: EdgeConfig
  /** Of this software. */
  readonly version: string
  readonly log: Logger
  /** Activation or start failed in a way that only a person can mend. */
  onFatal(error: unknown): void
}

/** Connection attempts to one recorder at once, of streams and probes together. */
const ATTEMPTS_PER_HOST = 2

/** The edge's main process: link, outbox, configuration, supervision. No native video or inference code is loaded here. */
export function createEdgeApp({ config, version, log, onFatal }: EdgeAppOptions): EdgeApp {
  const stopping = new AbortController()
  const identities = createIdentityStore(config.dataDir)
  const ends: (() => void | Promise<void>)[] = []

  async function run(identity: EdgeIdentity) {
    const opened = openEdgeDb(join(config.dataDir, 'edge.db'))
    if (!opened.ok) {
      throw new VigiaError('conflito', { detalhe: `Já há um edge em execução com os dados de ${config.dataDir}.` })
    }
    if (opened.damaged) log.error({ arquivo: opened.damaged }, 'edge.db was damaged: put aside and begun anew')
    const { db } = opened
    const clock = createClockOffset()
    const machine = createMachine(config.dataDir)
    const link = createEdgeLink({
      url: identity.mqtt.url,
      edgeId: identity.edge_id,
      tls: { ca: identity.ca, cert: identity.certificado, key: identity.chave_tls },
      log,
    })
    const outbox = createOutbox(db, {
      maxBytes: config.outboxMaxBytes,
      inFlight: () => sender.inFlight(),
      onDropped: (dropped) => log.error(dropped, 'the disk quota took waiting events'),
    })
    const sender: Sender = createSender({ outbox, publish: link.publishRecord, clock, log, now: Date.now })
    const intake = createIntake({ outbox, clock, machine, log, onAdded: sender.wake })
    const permits = createHostPermits(ATTEMPTS_PER_HOST)
    const supervisor = createSupervisor({
      log,
      permits,
      states: outbox.states,
      onEvents: intake.events,
      onStates: intake.states,
      onChange: () => reporter.changed(),
    })
    const desired = createDesiredState({
      store: createDesiredStore(db),
      key: identity.chave_cifra,
      log,
      onApplied({ cameras }) {
        supervisor.apply(cameras.flatMap(({ task }) => task ?? []))
        outbox.keepStatesOf(cameras.map(({ desejada }) => desejada.id))
        reporter.changed()
      },
    })
    const reporter = createReporter({
      log,
      isConnected: () => link.connected,
      publish: link.publishReport,
      build: async () => ({
        v: 1,
        config_versao: desired.applied.versao,
        versao: version,
        enviado_em: Date.now(),
        relogio: { desvio_ms: clock.offsetMs, sincronizado: await machine.clockSynchronised() },
        cameras: desired.applied.cameras.map((camera) => {
          const known = supervisor.status(camera.desejada.id)
          const seen = known && { stream: known.stream, ageMs: performance.now() - known.at }
          return reportCamera(camera, seen)
        }),
        fila: outbox.size(),
        disco: await machine.disk(),
        cpu: machine.cpu(),
        temperatura: await machine.temperature(),
      }),
    })
    const handlers = {
      ...createProbeHandlers({ allowed: config.probeAllowed, permits: createOwnPermits(permits) }),
      capturar_quadro: createPictureHandler({
        isKnown: (id) => desired.applied.cameras.some(({ desejada }) => desejada.id === id),
        picture: supervisor.picture,
      }),
    }
    link.onRequest(createCommandHandler({ key: identity.chave_cifra, handlers, log }))
    link.onDesired(desired.receive)
    link.onAck(sender.acknowledge)
    link.onConnection((connected) => {
      sender.connection(connected)
      if (connected) reporter.changed()
    })
    ends.push(
      async () => {
        reporter.stop()
        await Promise.all([supervisor.stop(), link.stop()])
      },
      () => {
        intake.stop()
        sender.stop()
        db.close()
      },
    )
    await desired.restore()
    link.start()
    reporter.start()
    log.info({ edge: identity.edge_id, fila: outbox.size() }, 'edge running')
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
    await run(identity)
  }

  let beginning: Promise<void> = Promise.resolve()

  return {
    async start() {
      await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
      const identity = await identities.load()
      if (identity) await run(identity)
      else beginning = activateAndRun().catch(onFatal)
    },
    async stop() {
      stopping.abort()
      await beginning
      for (const end of ends) await end()
    },
  }
}
