import { join } from 'node:path'
import { createBoxDrawer } from './adapters/box-drawer/box-drawer.ts'
import { createPartialUploads } from './adapters/partial-uploads.ts'
import type { Verifier } from './adapters/verifier/interface.ts'
import { createVerifiers } from './adapters/verifier/verifiers.ts'
import type { Core } from './core.ts'
import { createIndexFill } from './domains/eventos/busca/fill-index.ts'
import { createAskEdge } from './domains/locais/edges/ask/ask-edge.ts'
import { createLocalEdge } from './domains/locais/edges/local-edge.ts'
import { createKeyframeRequests } from './domains/locais/public.ts'
import { enqueueAviso } from './domains/mensagens/notificacoes/enqueue-aviso.ts'
import { connectIntake } from './domains/operacao/ingestao/intake.ts'
import { createPresence } from './domains/operacao/linha-do-tempo/presence.ts'
import { createStatusMonitor } from './domains/operacao/quedas/status-monitor.ts'
import { createRetencao } from './domains/operacao/retencao/create-retencao.ts'
import { createMediaSpace } from './domains/operacao/retencao/espaco/media-space.ts'
import { createMachineWarnings } from './domains/operacao/saude/machine-warnings.ts'
import { createVerification } from './domains/operacao/verificacao/verification.ts'
import { createVlmAccount } from './domains/operacao/verificador-externo/vlm-account.ts'
import { createRemoval } from './domains/pessoas/empresas/removal.ts'
import { createVideo } from './domains/video/create-video.ts'
import type { Login } from './http/caller.ts'
import { createMessages } from './message-services.ts'

/** A background service of the process. The services start in order and stop in reverse order. */
interface Service {
  start(): Promise<void> | void
  stop(): Promise<void> | void
}

/**
 * Creates the background services of all domains.
 * @param stillAuthenticated whether the session of an open stream is still valid
 * @param given replaces the configured verifier
 */
export async function createServices(
  core: Core,
  stillAuthenticated: (token: string) => Promise<Login | null>,
  given: Verifier | undefined,
) {
  const { config, db, clock, ages, disk, link, desired, allowed, revocations, replica, log, telemetry } = core
  const vlm = { db, clock, settings: config.verificadores.vlm }
  const verifiers = { log, values: config.verificadores, modelos: config.modelosDir, account: createVlmAccount(vlm) }
  const verification = createVerification({ ...core, verifier: given ?? createVerifiers(verifiers) })
  const space = createMediaSpace({ ...core, clock: ages })
  const askEdge = createAskEdge({ db, clock, link })
  const keyframes = createKeyframeRequests({ ...core, askEdge })
  connectIntake({ ...core, verification, keyframes, space, budget: config.orcamento })
  telemetry.watch({ db, clock, replica, link, disk })
  const localEdge = createLocalEdge({ db, clock, link, file: join(config.cloudDir, 'edge-local.codigo'), log })
  const warnings = createMachineWarnings(core)
  const messages = await createMessages(core)
  // Its own, so that the calls of agents delay no message.
  const agentDrawer = createBoxDrawer({ log })
  const removal = createRemoval(core)
  const partial = createPartialUploads({ dir: join(config.cloudDir, 'envios') })
  const video = createVideo({
    ...core,
    space,
    askEdge,
    partial,
    cloudDir: config.cloudDir,
    listLimit: core.limits.listaGravacao,
    authenticate: stillAuthenticated,
  })
  const retencao = createRetencao(core)
  const presence = createPresence({ ...core, warn: enqueueAviso })
  // The link is last and stops first, so that the other services run until its last records are stored and its
  // messages sent.
  const inOrder: readonly Service[] = [
    disk,
    warnings,
    ages,
    ...(config.edgeLocal ? [localEdge] : []),
    verification,
    createStatusMonitor(core),
    messages.delivery,
    messages.gates,
    messages.back,
    removal,
    createIndexFill({ db, log }),
    ...retencao.services,
    ...video.services,
    presence,
    messages.pushDelivery,
    ...[messages.drawer, agentDrawer, keyframes, desired, allowed].map(({ stop }) => ({ start: () => {}, stop })),
    revocations,
    replica,
    link,
  ]
  return {
    inOrder,
    ...messages,
    agentDrawer,
    verification,
    warnings,
    removal,
    askEdge,
    partial,
    video,
    retencao,
    presence,
  }
}

export type Services = Awaited<ReturnType<typeof createServices>>
