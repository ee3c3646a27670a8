import { routesOfFeatures } from '../../http/feature-routes.ts'
import type { Route } from '../../http/route.ts'
import * as features from './features.ts'

/** The routes of plates: lists, vehicles inside, settings of the reading, passages. */
export const routesOfPlacas = (deps: Parameters<typeof features.passagensRoutes>[0]): Route[] =>
  routesOfFeatures(features, ['placasRoutes', 'presencasRoutes', 'leituraPlacasRoutes', 'passagensRoutes'], deps)
