import type { createAccess } from './access-services.ts'
import type { Core } from './core.ts'
import { withReference } from './domains/agentes/documentacao/routes.ts'
import type { Extras } from './domains/agentes/mcp/server.ts'
import { routesOfAgentes } from './domains/agentes/routes.ts'
import type { StreamDeps } from './domains/eventos/alertas/alerta-stream.ts'
import { routesOfEventos } from './domains/eventos/routes.ts'
import { routesOfLocais } from './domains/locais/routes.ts'
import { routesOfMensagens } from './domains/mensagens/routes.ts'
import { routesOfOperacao } from './domains/operacao/routes.ts'
import { routesOfPessoas } from './domains/pessoas/routes.ts'
import { routesOfPlacas } from './domains/placas/routes.ts'
import type { Readiness } from './http/readiness.ts'
import type { Route } from './http/route.ts'
import type { Services } from './services.ts'

interface RoutesDeps {
  readonly core: Core
  readonly services: Services
  readonly access: ReturnType<typeof createAccess>
  readonly readiness: Readiness
  readonly streams: Pick<StreamDeps, 'heartbeatMs'> | undefined
  readonly checkAnswers: boolean
  readonly mcpExtras: Extras | undefined
  readonly demonstrationEnded: () => void
}

/** The routes of all domains, and those of their reference. */
export function createRoutes({ core, services, access, readiness, streams, ...given }: RoutesDeps): readonly Route[] {
  const { bus, config, limits } = core
  const { verification, delivery, removal, presence } = services
  const { authenticate, stillAuthenticated } = access
  const wake = () => {
    verification.wake()
    delivery.wake()
  }
  const signIn = {
    ...core,
    dominioNeutro: config.dominioNeutro,
    loginLimit: limits.login,
    codeLimit: limits.codigo,
    recoveryLimit: limits.recuperacao,
    sessionEnded: () => bus.publish({ tipo: 'sessoes' }),
  }
  const { basePath } = config
  const watching = { watching: presence.enter, authenticate: stillAuthenticated, basePath, ...streams }
  const own = [
    ...routesOfPessoas({
      ...signIn,
      wakeRemoval: removal.wake,
      demonstrationEnded: given.demonstrationEnded,
    }),
    ...routesOfPlacas({ ...core, wake: verification.wake }),
    ...routesOfLocais({ ...core, askEdge: services.askEdge }),
    ...services.video.routes(),
    ...routesOfEventos({ ...core, ...watching, partial: services.partial }),
    ...routesOfOperacao({ ...core, ...services, readiness, wake }),
    ...routesOfMensagens({ ...core, ...services }),
    ...routesOfAgentes({ ...signIn, authenticate, draw: services.agentDrawer.draw, routes: () => routes, ...given }),
  ]
  const routes: readonly Route[] = withReference(own, basePath)
  return routes
}
