import { routesOfFeatures } from '../../http/feature-routes.ts'
import type { Route } from '../../http/route.ts'
import * as features from './features.ts'

type Deps = Parameters<typeof features.eventosRoutes>[0] &
  Parameters<typeof features.incidentesRoutes>[0] &
  Parameters<typeof features.exportacaoRoutes>[0] &
  Parameters<typeof features.alertasRoutes>[0]

/** The routes of events: lists and search, incidents, exports and reports, streams of alerts. */
export const routesOfEventos = (deps: Deps): Route[] =>
  routesOfFeatures(
    features,
    ['eventosRoutes', 'buscaRoutes', 'incidentesRoutes', 'exportacaoRoutes', 'relatoriosRoutes', 'alertasRoutes'],
    deps,
  )
