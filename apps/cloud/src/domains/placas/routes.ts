import type { Route } from '../../http/route.ts'
import { leituraPlacasRoutes } from './leitura-placas/routes.ts'
import { passagensRoutes } from './passagens/routes.ts'
import { placasRoutes } from './placas/routes.ts'
import { presencasRoutes } from './presencas/routes.ts'

/** The routes of plates: lists, vehicles inside, settings of the reading, passages. */
export const routesOfPlacas = (deps: Parameters<typeof passagensRoutes>[0]): Route[] => [
  ...placasRoutes(deps),
  ...presencasRoutes(deps),
  ...leituraPlacasRoutes(deps),
  ...passagensRoutes(deps),
]
