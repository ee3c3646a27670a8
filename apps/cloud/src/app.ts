import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CloudLinkOptions } from '@vigia/link/cloud-link'
import { newInstallationMark } from '@vigia/link/pki/authority'
import { createBallast } from '@vigia/runtime/ballast'
import { type LongStep, unwatchedStep } from '@vigia/runtime/heartbeat'
import { createBus } from './adapters/bus.ts'
import { type Clock, systemClock } from './adapters/clock.ts'
import { createDiskSpace } from './adapters/disk-space.ts'
import { keyFile, secretKeys } from './adapters/key-file.ts'
import { mediaFolder, openMediaStore } from './adapters/media-store/open-media-store.ts'
import { createPartialUploads } from './adapters/partial-uploads.ts'
import { openCounterStore } from './adapters/rate-limits/open-store.ts'
import { createRateLimits } from './adapters/rate-limits/rate-limits.ts'
import { createSecretBox } from './adapters/secret-box.ts'
import type { Verifier } from './adapters/verifier/interface.ts'
import { createVerifiers } from './adapters/verifier/verifiers.ts'
import type { Config } from './config.ts'
import { databaseFile } from './db/place.ts'
import { createPulse } from './db/pulse.ts'
import { createRoots } from './db/roots.ts'
import { withReference } from './domains/agentes/documentacao/routes.ts'
import { prompts } from './domains/agentes/mcp/prompts/prompts.ts'
import { resources } from './domains/agentes/mcp/resources/resources.ts'
import { mcpRoutes } from './domains/agentes/mcp/routes.ts'
import type { Extras } from './domains/agentes/mcp/server.ts'
import { tools } from './domains/agentes/mcp/tools/catalogue.ts'
import { createAuthenticateAgent } from './domains/agentes/oauth/authenticate-agent.ts'
import { authorizeRoutes } from './domains/agentes/oauth/authorize-routes.ts'
import { createPublicBase } from './domains/agentes/oauth/public-base.ts'
import { oauthRoutes } from './domains/agentes/oauth/routes.ts'
import { createSigningKeys } from './domains/agentes/oauth/signing-keys.ts'
import type { StreamDeps } from './domains/eventos/alertas/alerta-stream.ts'
import { alertasRoutes } from './domains/eventos/alertas/routes.ts'
import { createIndexFill } from './domains/eventos/busca/fill-index.ts'
import { buscaRoutes } from './domains/eventos/busca/routes.ts'
import { sweepFiles } from './domains/eventos/eventos/discard-files.ts'
import { eventosRoutes } from './domains/eventos/eventos/routes.ts'
import { exportacaoRoutes } from './domains/eventos/exportacao/routes.ts'
import { incidentesRoutes } from './domains/eventos/incidentes/routes.ts'
import { relatoriosRoutes } from './domains/eventos/relatorios/routes.ts'
import { cadastroRoutes } from './domains/locais/cadastro/routes.ts'
import { camerasRoutes } from './domains/locais/cameras/routes.ts'
import { createAskEdge } from './domains/locais/edges/ask/ask-edge.ts'
import { createAuthenticateEdge } from './domains/locais/edges/edge-credentials.ts'
import { createLocalEdge } from './domains/locais/edges/local-edge.ts'
import { recountSizes } from './domains/locais/edges/recount-sizes.ts'
import { edgesRoutes } from './domains/locais/edges/routes.ts'
import { gravadoresRoutes } from './domains/locais/gravadores/routes.ts'
import { describeRenewal, renewSeals } from './domains/locais/segredos/renew-seals.ts'
import { enqueueAviso } from './domains/mensagens/notificacoes/enqueue-aviso.ts'
import { notificacoesRoutes } from './domains/mensagens/notificacoes/routes.ts'
import { pushRoutes } from './domains/mensagens/push/routes.ts'
import { remetentesRoutes } from './domains/mensagens/remetentes/routes.ts'
import { calibracaoRoutes } from './domains/operacao/calibracao/routes.ts'
import { connectIntake } from './domains/operacao/ingestao/intake.ts'
import { lacunasRoutes } from './domains/operacao/lacunas/routes.ts'
import { createPresence } from './domains/operacao/linha-do-tempo/presence.ts'
import { linhaDoTempoRoutes } from './domains/operacao/linha-do-tempo/routes.ts'
import { loadPainelFiles } from './domains/operacao/painel/load-files.ts'
import { createPainel } from './domains/operacao/painel/serve-painel.ts'
import { pendenciasRoutes } from './domains/operacao/pendencias/routes.ts'
import { quedasRoutes } from './domains/operacao/quedas/routes.ts'
import { createStatusMonitor } from './domains/operacao/quedas/status-monitor.ts'
import { createRetencao } from './domains/operacao/retencao/create-retencao.ts'
import { createMediaSpace } from './domains/operacao/retencao/espaco/media-space.ts'
import { createMachineWarnings } from './domains/operacao/saude/machine-warnings.ts'
import { saudeRoutes } from './domains/operacao/saude/routes.ts'
import { verificacaoRoutes } from './domains/operacao/verificacao/routes.ts'
import { createVerification } from './domains/operacao/verificacao/verification.ts'
import { verificadorExternoRoutes } from './domains/operacao/verificador-externo/routes.ts'
import { createVlmAccount } from './domains/operacao/verificador-externo/vlm-account.ts'
import { auditoriaRoutes } from './domains/pessoas/auditoria/routes.ts'
import { autorizacoesRoutes } from './domains/pessoas/autorizacoes/routes.ts'
import { createAuthenticateKey } from './domains/pessoas/chaves/authenticate-chave.ts'
import { chavesRoutes } from './domains/pessoas/chaves/routes.ts'
import { convitesRoutes } from './domains/pessoas/convites/routes.ts'
import { createRemoval } from './domains/pessoas/empresas/removal.ts'
import { empresasRoutes } from './domains/pessoas/empresas/routes.ts'
import { quiosquesRoutes } from './domains/pessoas/quiosques/routes.ts'
import { limitesRoutes } from './domains/pessoas/quotas/routes.ts'
import { segundoFatorRoutes } from './domains/pessoas/segundo-fator/routes.ts'
import { createAuthenticate, createAuthenticateStream } from './domains/pessoas/sessoes/authenticate.ts'
import { sessoesRoutes } from './domains/pessoas/sessoes/routes.ts'
import { type Announce, ensureOperator } from './domains/pessoas/usuarios/ensure-operator.ts'
import { createPasswords, type PasswordCost } from './domains/pessoas/usuarios/passwords.ts'
import { usuariosRoutes } from './domains/pessoas/usuarios/routes.ts'
import { leituraPlacasRoutes } from './domains/placas/leitura-placas/routes.ts'
import { passagensRoutes } from './domains/placas/passagens/routes.ts'
import { placasRoutes } from './domains/placas/placas/routes.ts'
import { presencasRoutes } from './domains/placas/presencas/routes.ts'
import { createAoVivo } from './domains/video/aovivo/create-aovivo.ts'
import { createClipUploads } from './domains/video/clipes/clip-uploads.ts'
import { createGravacoes } from './domains/video/clipes/gravacoes/create-gravacoes.ts'
import { createTransmissoes } from './domains/video/transmissoes/create-transmissoes.ts'
import { type Authenticate, isKey } from './http/access.ts'
import { listen } from './http/listen.ts'
import { newApp } from './http/new-app.ts'
import { createReadiness } from './http/readiness.ts'
import type { Logger } from './http/request-log.ts'
import type { Route } from './http/route.ts'
import { createLinkServices } from './link-services.ts'
import { createMessages } from './message-services.ts'
import { openCloudDatabase } from './open-cloud-database.ts'
import { shareAuthority } from './replicas/share-authority.ts'
import { shareBus } from './replicas/share-bus.ts'
import { openTelemetry } from './telemetry/telemetry.ts'

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

/** A background service of the process. The services start in order and stop in reverse order. */
interface Service {
  start(): Promise<void> | void
  stop(): Promise<void> | void
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
/** Longest time of a start-up step that grows with the data. */
const LONGEST_STEP_MS = 3_600_000

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
  const undo: (() => Promise<void> | void)[] = []
  const pulse = createPulse()
  let alive = async () => {}
  let handOver = async () => {}

  async function run() {
    const onMalformed = (id: string, err: Error) => log.info({ id, err }, 'request without a valid address refused')
    const server = await listen({ ...config, onMalformed })
    undo.push(() => server.stop(GRACE_MS))
    const telemetry = await openTelemetry(config.telemetria, log)
    undo.push(telemetry.stop)
    mkdirSync(config.cloudDir, { recursive: true, mode: 0o700 })
    const media = await openMediaStore(config, (aviso) => log.warn({ aviso }, 'media store with a warning'))
    const mediaDir = mediaFolder(config)
    const disk = createDiskSpace({
      dirs: [config.cloudDir, ...(mediaDir === null ? [] : [mediaDir])],
      lowBytes: config.disco.avisoBytes,
      minimumBytes: config.disco.minimoBytes,
      ballast: createBallast(databaseFile(config.cloudDir)),
      log,
    })
    const { db, reads } = await openCloudDatabase({
      ...{ config, step, log, onError: disk.failed },
      onQuery: (ms, failed) => {
        pulse.onQuery()
        telemetry.metrics.query(ms, failed)
      },
    })
    alive = () => pulse.next(db)
    undo.push(() => db.destroy())
    undo.push(() => reads.stop())
    // The key file is created after the database, because a key file without a database means a lost database
    // (open-data-dir.ts).
    const [key, ...previousKeys] = secretKeys(config)
    const box = createSecretBox(key, previousKeys)
    if (config.banco) await shareAuthority({ db, box, dataDir: config.dataDir }, clock.now())
    rmSync(newInstallationMark(config.dataDir), { force: true })
    const seals = await step('cifragem das senhas', LONGEST_STEP_MS, () => renewSeals({ db, box, log }))
    const renewal = describeRenewal(seals, previousKeys.length, keyFile(config))
    if (renewal !== null) announce(renewal)
    await step('tamanho das configurações', LONGEST_STEP_MS, () => recountSizes({ db, box, log }))

    const limits = createRateLimits({ store: () => openCounterStore(config), log })
    undo.push(() => limits.stop())
    const passwords = createPasswords(given.passwordCost)
    await ensureOperator({ db, clock, passwords, config, announce })

    const edges = createLinkServices({ config, db, clock, monotonic, box, log, link: given.link })
    const { link, replica, desired, revocations, allowed, sign, ages } = edges
    await edges.lineages.start()
    handOver = () => replica.stop()
    const bus = shareBus(createBus(), replica)
    const { dominioNeutro } = config
    const sessionEnded = () => bus.publish({ tipo: 'sessoes' })
    const access = { db, clock, dominioNeutro, disk }
    const sessions = createAuthenticate(access)
    const streamSessions = createAuthenticateStream(access)
    const apiKeys = createAuthenticateKey(access)
    const authenticate: Authenticate = (token, host) => (isKey(token) ? apiKeys : sessions)(token, host)
    // For a stream: the host was checked when it was opened, and a renewal of its session does not end it.
    const stillAuthenticated = async (token: string) => {
      const login = await (isKey(token) ? apiKeys(token, null) : streamSessions(token))
      return login?.faltaSegundoFator ? null : login
    }
    await step('arquivos a apagar', LONGEST_STEP_MS, () => sweepFiles({ db, media, log }))
    const vlm = { db, clock, settings: config.verificadores.vlm }
    const verifiers = { log, values: config.verificadores, modelos: config.modelosDir, account: createVlmAccount(vlm) }
    const verifier = given.verifier ?? createVerifiers(verifiers)
    const verification = createVerification({ db, media, verifier, clock, bus, log, telemetry })
    const measure = mediaDir === null ? () => null : disk.measure
    const space = createMediaSpace({ db, media, clock: ages, log, measure })
    connectIntake({
      ...{ db, media, clock, ages, replica, link, bus, desired, allowed, verification, disk, space, log, telemetry },
      budget: config.orcamento,
    })
    telemetry.watch({ db, clock, replica, link, disk })
    const localEdge = createLocalEdge({ db, clock, link, file: join(config.cloudDir, 'edge-local.codigo'), log })
    const warnings = createMachineWarnings({ disk, link, monotonic, ages })
    const messages = { config, db, media, clock, ages, box, bus, log, limits, monotonic, telemetry }
    const { sending, push, delivery, gates, pushDelivery } = await createMessages(messages)
    const removal = createRemoval({ db, clock, media, log })
    const wake = () => {
      verification.wake()
      delivery.wake()
    }
    const askEdge = createAskEdge({ db, clock, link })
    const partial = createPartialUploads({ dir: join(config.cloudDir, 'envios') })
    const filed = { db, media, clock, log, disk, space, askEdge, cloudDir: config.cloudDir, partial, monotonic }
    const clips = [createClipUploads(filed), createGravacoes({ ...filed, listLimit: limits.listaGravacao })]
    const retencao = createRetencao({ db, reads, media, clock, ages, log, desired, measure })
    const presence = createPresence({ db, clock, ages, log, disk, warn: enqueueAviso })
    // The link is last and stops first, so that the other services run until its last records are stored and its
    // messages sent.
    const services: Service[] = [
      ...[disk, warnings, ages],
      ...(config.edgeLocal ? [localEdge] : []),
      verification,
      createStatusMonitor({ db, clock, bus, link, disk, replica, log, monotonic }),
      delivery,
      gates,
      removal,
      createIndexFill({ db, log }),
      ...retencao.services,
      ...clips.flatMap(({ services }) => services),
      presence,
      pushDelivery,
      ...[desired, allowed].map(({ stop }) => ({ start: () => {}, stop })),
      revocations,
      replica,
      link,
    ]

    const watching = { config, db, clock, box, link, replica, askEdge, authenticate: stillAuthenticated, log }
    const live = [createAoVivo(watching), createTransmissoes({ ...watching, monotonic })]
    for (const { stop } of live) undo.push(stop)
    const publicBase = createPublicBase({ db, urlPublica: config.urlPublica, dominioNeutro })
    const keys = createSigningKeys({ db, clock, box, disk, log })
    const authenticateAgent = createAuthenticateAgent({ db, clock, keys, disk })
    const allowedProbes = config.sondagemPermitir
    const probing = { askEdge, limit: limits.sondagem, pictureLimit: limits.imagemCanal, allowed: allowedProbes }
    const signIn = {
      ...{ db, clock, box, passwords, dominioNeutro },
      loginLimit: limits.login,
      codeLimit: limits.codigo,
      recoveryLimit: limits.recuperacao,
    }
    const routes: readonly Route[] = withReference([
      ...saudeRoutes({ db, warnings, readiness, clock, ages }),
      ...sessoesRoutes({
        ...signIn,
        cookieSecure: config.cookieSecure,
        sessaoMaxMs: config.sessaoMaxMs,
        renewalLimit: limits.renovacao,
        sessionEnded,
      }),
      ...segundoFatorRoutes({ ...signIn, sessionEnded }),
      ...empresasRoutes({ ...signIn, desired, allowed, sessionEnded, wakeRemoval: removal.wake, demonstrationEnded }),
      ...limitesRoutes({ db, clock }),
      ...usuariosRoutes({ db, clock, passwords, sessionEnded }),
      ...chavesRoutes({ db, clock, sessionEnded }),
      ...placasRoutes({ db, clock }),
      ...presencasRoutes({ db, clock }),
      ...leituraPlacasRoutes({ db }),
      ...passagensRoutes({ db, clock, media, log, bus, wake: verification.wake }),
      ...convitesRoutes({
        ...{ db, clock, passwords, dominioNeutro, urlPublica: config.urlPublica },
        limit: limits.convite,
        tokenLimit: limits.conviteErrado,
      }),
      ...quiosquesRoutes({ db, clock, cookieSecure: config.cookieSecure, sessionEnded }),
      ...camerasRoutes({ db, clock, box, desired, probing }),
      ...cadastroRoutes({ db, clock, box, desired, probing }),
      ...gravadoresRoutes({ db, clock, box, desired, probing }),
      ...live.flatMap((one) => one.routes()),
      ...calibracaoRoutes({ db, clock, box, limit: limits.simulacao }),
      ...edgesRoutes({
        ...{ db, clock, desired, allowed, askEdge, sign },
        activationLimit: limits.ativacao,
        mqttUrl: config.mqttUrlEdges,
      }),
      ...clips.flatMap((one) => one.routes()),
      ...eventosRoutes({ db, media, clock, log, box, partial }),
      ...buscaRoutes({ db }),
      ...incidentesRoutes({ db, media, clock, log, bus }),
      ...quedasRoutes({ db }),
      ...lacunasRoutes({ db }),
      ...exportacaoRoutes({ db, reads, media, clock, log }),
      ...retencao.routes(),
      ...relatoriosRoutes({ db, reads, clock }),
      ...linhaDoTempoRoutes({ db, clock }),
      ...pendenciasRoutes({ db, clock, wake }),
      ...verificacaoRoutes({ db, clock, lateMs: config.verificacaoAtrasoMs }),
      ...verificadorExternoRoutes(vlm),
      ...auditoriaRoutes({ db }),
      ...autorizacoesRoutes({ db, clock }),
      ...oauthRoutes({
        ...{ db, clock, log, keys, publicBase },
        registrationLimit: limits.registroOauth,
        grantLimit: limits.recusaOauth,
      }),
      ...authorizeRoutes({ ...signIn, publicBase, consentLimit: limits.consentimento, authenticate }),
      ...notificacoesRoutes({ ...sending, webhookPermitir: config.webhookPermitir, wake: delivery.wake }),
      ...remetentesRoutes({ ...sending, env: config.remetentes, urlPublica: config.urlPublica }),
      ...pushRoutes({ ...push, allowed: config.webhookPermitir, testLimit: limits.teste }),
      ...mcpRoutes({
        routes: () => routes,
        catalogue: { tools, resources, prompts },
        ...{ authenticateAgent, publicBase, limit: limits.agente, log, replica, checkAnswers },
        extras: given.mcpExtras,
      }),
      ...alertasRoutes({ db, bus, watching: presence.enter, authenticate: stillAuthenticated, log, ...given.streams }),
    ])

    for (const service of services) {
      undo.push(() => service.stop())
      await service.start()
    }
    const http = newApp({
      routes,
      authenticate,
      authenticateEdge: createAuthenticateEdge({ db, clock }),
      rootOf: createRoots(db),
      log,
      trustedProxies: config.trustedProxies,
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
