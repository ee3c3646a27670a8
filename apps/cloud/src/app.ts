import type { CloudLinkOptions } from '@vigia/link/cloud-link'
import { type LongStep, unwatchedStep } from '@vigia/runtime/heartbeat'
import { createAccess } from './access-services.ts'
import { type Clock, systemClock } from './adapters/clock.ts'
import type { Verifier } from './adapters/verifier/interface.ts'
import { countingRecords } from './audit/record-rate.ts'
import type { Config } from './config.ts'
import { openCore } from './core.ts'
import { createPulse } from './db/pulse.ts'
import { createRoots } from './db/roots.ts'
import type { Extras } from './domains/agentes/mcp/server.ts'
import type { StreamDeps } from './domains/eventos/alertas/alerta-stream.ts'
import { sweepFiles } from './domains/eventos/eventos/discard-files.ts'
import { createAuthenticateEdge } from './domains/locais/edges/edge-credentials.ts'
import { loadPainelFiles } from './domains/operacao/painel/load-files.ts'
import { createPainel } from './domains/operacao/painel/serve-painel.ts'
import type { Announce } from './domains/pessoas/usuarios/ensure-operator.ts'
import type { PasswordCost } from './domains/pessoas/usuarios/passwords.ts'
import { listen } from './http/listen.ts'
import { newApp } from './http/new-app.ts'
import { createReadiness } from './http/readiness.ts'
import type { Logger } from './http/request-log.ts'
import type { Route } from './http/route.ts'
import { LONGEST_STEP_MS, openStores, type Undo } from './open-stores.ts'
import { createRoutes } from './routes.ts'
import { createServices } from './services.ts'

export interface AppDeps {
  readonly config: Config
  readonly log: Logger
  readonly announce: Announce
  readonly clock?: Clock
  /** Monotonic clock in ms; default: that of the process. */
  readonly monotonic?: () => number
  /** Announces a step that may block the event loop to the supervisor. */
  readonly step?: LongStep
  /** Replaces the local second-stage model. */
  readonly verifier?: Verifier
  /** Settings of the link; default: the defaults of packages/link. */
  readonly link?: Pick<CloudLinkOptions, 'backoff' | 'keepaliveS'>
  /** Settings of the alert streams; default: those of domains/eventos/alertas. */
  readonly streams?: Pick<StreamDeps, 'heartbeatMs'>
  /** Checks answers against their schemas (tests). */
  readonly checkAnswers?: boolean
  /** Additional tools for /mcp, for a public conformance suite (tests). */
  readonly mcpExtras?: Extras
  /** Called when a demonstration was ended. */
  readonly demonstrationEnded?: () => void
  /** A lower cost for fast tests; the program does not set it (passwords.test.ts). */
  readonly passwordCost?: PasswordCost
}

export interface App {
  /** When a part fails to start, stops all others and rejects. */
  start(): Promise<{ port: number; routes: readonly Route[] }>
  stop(): Promise<void>
  /** Resolves when the database answers; stays pending while it does not. */
  alive(): Promise<void>
}

/** Time that running answers have to end when the server stops. */
const GRACE_MS = 1_000

/** The composition root: only `start` creates and connects the parts. */
export function createApp({
  config,
  log,
  announce,
  clock = systemClock,
  monotonic = () => performance.now(),
  checkAnswers = false,
  step = unwatchedStep,
  demonstrationEnded = () => {},
  ...given
}: AppDeps): App {
  const stopping = new AbortController()
  const readiness = createReadiness()
  const undo: Undo = []
  const pulse = createPulse()
  let alive = async () => {}
  let handOver = async () => {}

  async function run() {
    const onMalformed = (id: string, err: Error) => log.info({ id, err }, 'request without a valid address refused')
    const server = await listen({ ...config, onMalformed })
    undo.push(() => server.stop(GRACE_MS))
    const stores = await openStores({ config, step, pulse, undo, log })
    const { db, telemetry } = stores
    alive = () => pulse.next(db)
    const { link, passwordCost } = given
    const core = await openCore({ config, log, clock, monotonic, stores, step, announce, undo, link, passwordCost })
    handOver = () => core.replica.stop()
    const access = createAccess(core)
    await step('arquivos a apagar', LONGEST_STEP_MS, () => sweepFiles(core))
    const services = await createServices(core, access.stillAuthenticated, given.verifier)
    for (const { stop } of services.video.live) undo.push(stop)
    const { streams, mcpExtras } = given
    const asked = { streams, mcpExtras, checkAnswers, demonstrationEnded }
    const routes = createRoutes({ core, services, access, readiness, ...asked })
    for (const service of services.inOrder) {
      undo.push(() => service.stop())
      await service.start()
    }
    const http = newApp({
      routes,
      authenticate: access.authenticate,
      authenticateEdge: createAuthenticateEdge({ db, clock }),
      rootOf: createRoots(db),
      runOfRoot: (root, run) => countingRecords(() => core.limits.mudanca.consume(`raiz:${root}`), run),
      log,
      trustedProxies: config.trustedProxies,
      basePath: config.basePath,
      stopping: stopping.signal,
      readiness,
      metrics: telemetry.metrics,
      fallback: createPainel(loadPainelFiles(config.painelDir)),
      checkAnswers,
    })
    server.serve(http.fetch)
    undo.push(() => server.stop(GRACE_MS))
    return { port: server.port, routes }
  }

  async function stop() {
    stopping.abort()
    for (let step = undo.pop(); step; step = undo.pop()) await step()
  }

  return {
    start: () =>
      run().catch(async (error) => {
        await stop()
        throw error
      }),
    async stop() {
      await handOver()
      await readiness.drain(config.drenagemMs)
      await stop()
    },
    alive: () => alive(),
  }
}
