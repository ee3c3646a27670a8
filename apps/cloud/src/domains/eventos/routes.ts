import type { Route } from '../../http/route.ts'
import { alertasRoutes } from './alertas/routes.ts'
import { buscaRoutes } from './busca/routes.ts'
import { eventosRoutes } from './eventos/routes.ts'
import { exportacaoRoutes } from './exportacao/routes.ts'
import { incidentesRoutes } from './incidentes/routes.ts'
import { relatoriosRoutes } from './relatorios/routes.ts'

type Deps = Parameters<typeof eventosRoutes>[0] &
  Parameters<typeof incidentesRoutes>[0] &
  Parameters<typeof exportacaoRoutes>[0] &
  Parameters<typeof alertasRoutes>[0]

/** The routes of events: lists and search, incidents, exports and reports, streams of alerts. */
export const routesOfEventos = (deps: Deps): Route[] => [
  ...eventosRoutes(deps),
  ...buscaRoutes(deps),
  ...incidentesRoutes(deps),
  ...exportacaoRoutes(deps),
  ...relatoriosRoutes(deps),
  ...alertasRoutes(deps),
]
