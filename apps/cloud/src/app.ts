import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createCloudLink } from '@vigia/link/cloud-link'
import { loadAuthority } from '@vigia/link/pki/authority'
import { issueEdgeCertificate } from '@vigia/link/pki/edge-certificate'
import { type Clock, systemClock } from './adapters/clock.ts'
import { loadOrCreateKey } from './adapters/key-file.ts'
import { readLinkTls } from './adapters/link-tls.ts'
import { createFileMediaStore } from './adapters/media-store/file-media-store.ts'
import { createSecretBox } from './adapters/secret-box.ts'
import { createLocalVerifier } from './adapters/verifier/local-verifier.ts'
import type { Config } from './config.ts'
import { openDatabase } from './db/open.ts'
import { createBus } from './features/alertas/bus.ts'
import { createCameraWatch } from './features/alertas/camera-watch.ts'
import { alertasRoutes } from './features/alertas/routes.ts'
import { calibracaoRoutes } from './features/calibracao/routes.ts'
import { checkCameraKey } from './features/cameras/check-key.ts'
import { camerasRoutes } from './features/cameras/routes.ts'
import { openSources } from './features/cameras/sources.ts'
import { createLocalEdge } from './features/edges/local-edge.ts'
import { createAllowedPublisher } from './features/edges/publish-allowed.ts'
import { createDesiredPublisher } from './features/edges/publish-desired.ts'
import { edgesRoutes } from './features/edges/routes.ts'
import { empresasRoutes } from './features/empresas/routes.ts'
import { eventosRoutes } from './features/eventos/routes.ts'
import { connectIntake } from './features/ingestao/intake.ts'
import { loadPainelFiles } from './features/painel/load-files.ts'
import { createPainel } from './features/painel/serve-painel.ts'
import { saudeRoutes } from './features/saude/routes.ts'
import { createAuthenticate } from './features/sessoes/authenticate.ts'
import { createLoginLimit } from './features/sessoes/login-limit.ts'
import { sessoesRoutes } from './features/sessoes/routes.ts'
import { type Announce, ensureOperator } from './features/usuarios/ensure-operator.ts'
import { createPasswords } from './features/usuarios/passwords.ts'
import { usuariosRoutes } from './features/usuarios/routes.ts'
import { createVerification } from './features/verificacao/verification.ts'
import { listen } from './http/listen.ts'
import { newApp } from './http/new-app.ts'
import type { Logger } from './http/request-log.ts'
import type { Route } from './http/route.ts'

export interface AppDeps {
  readonly config: Config
  readonly log: Logger
  readonly announce: Announce
  readonly clock?: Clock
  /** Checks answers against their schemas (tests). */
  readonly checkAnswers?: boolean
}

/** Something that runs beside the HTTP server. Started in order, stopped in reverse. */
interface Service {
  start(): Promise<void> | void
  stop(): Promise<void> | void
}

export interface App {
  /** Rejects, with everything stopped again, when a part does not start. */
  start(): Promise<{ port: number; routes: readonly Route[] }>
  stop(): Promise<void>
}

/** Milliseconds that running answers have to end when the server stops. */
const GRACE_MS = 1_000

/** The composition root: everything is made and wired in `start`, nowhere else. */
export function createApp({ config, log, announce, clock = systemClock, checkAnswers = false }: AppDeps): App {
  const stopping = new AbortController()
  const undo: (() => Promise<void> | void)[] = []

  async function run() {
    // First of all: a second process on the same data ends here, before it touches database or broker.
    const server = await listen(config)
    undo.push(() => server.stop(GRACE_MS))
    mkdirSync(config.cloudDir, { recursive: true, mode: 0o700 })
    const key = config.chave
      ? Buffer.from(config.chave.reveal(), 'base64')
      : loadOrCreateKey(join(config.cloudDir, 'chave'))
    const box = createSecretBox(key)
    const db = await openDatabase(join(config.cloudDir, 'vigia.db'))
    undo.push(() => db.destroy())
    await checkCameraKey(db, box)

    const passwords = createPasswords()
    await ensureOperator({ db, clock, passwords, config, announce })

    const bus = createBus()
    const authenticate = createAuthenticate({ db, clock })
    const media = createFileMediaStore({ dir: join(config.cloudDir, 'media') })
    const link = createCloudLink({ url: config.mqttUrl, tls: readLinkTls(config.cloudDir), log })
    const desired = createDesiredPublisher({ db, link, sources: (camera) => openSources(box, camera), log })
    const allowed = createAllowedPublisher({ db, link, log })
    const verifier = createLocalVerifier({ log })
    const verification = createVerification({ db, media, verifier, clock, bus, log })
    connectIntake({ db, media, clock, link, bus, desired, verification, log })
    const localEdge = createLocalEdge({ db, clock, file: join(config.cloudDir, 'edge-local.codigo'), log })
    // Stopped in reverse: what the link still brings is stored, and what it publishes is sent, while all else stands.
    const services: Service[] = [
      ...(config.edgeLocal ? [localEdge] : []),
      verification,
      createCameraWatch({ db, clock, bus, log }),
      { start: () => {}, stop: desired.stop },
      { start: () => {}, stop: allowed.stop },
      link,
    ]

    const routes: Route[] = [
      ...saudeRoutes(),
      ...sessoesRoutes({
        db,
        clock,
        passwords,
        loginLimit: createLoginLimit(),
        cookieSecure: config.cookieSecure,
        sessionEnded: () => bus.publish({ tipo: 'sessoes' }),
      }),
      ...empresasRoutes({ db, clock }),
      ...usuariosRoutes({ db, clock, passwords }),
      ...camerasRoutes({ db, clock, box, desired }),
      ...calibracaoRoutes(),
      ...edgesRoutes({
        db,
        clock,
        desired,
        allowed,
        activationLimit: createLoginLimit(),
        sign: async (edgeId, csrPem) => {
          const ca = await loadAuthority(config.dataDir)
          return { certificado: await issueEdgeCertificate({ ca, edgeId, csrPem }), ca: ca.certificatePem }
        },
        mqttUrl: config.mqttUrlEdges,
      }),
      ...eventosRoutes({ db, media }),
      ...alertasRoutes({ db, bus, authenticate }),
    ]

    for (const service of services) {
      undo.push(() => service.stop())
      await service.start()
    }
    const http = newApp({
      routes,
      authenticate,
      log,
      trustedProxies: config.trustedProxies,
      stopping: stopping.signal,
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
    stop,
  }
}
