import type { RateLimits } from '../../adapters/rate-limits/interface.ts'
import type { Config } from '../../config.ts'
import { routesOfFeatures } from '../../http/feature-routes.ts'
import type { Route } from '../../http/route.ts'
import * as features from './features.ts'

type Deps = Omit<Parameters<typeof features.camerasRoutes>[0], 'probing'> &
  Omit<Parameters<typeof features.edgesRoutes>[0], 'activationLimit' | 'mqttUrl'> & {
    readonly config: Pick<Config, 'mqttUrlEdges' | 'sondagemPermitir'>
    readonly limits: Pick<RateLimits, 'ativacao' | 'imagemCanal' | 'sondagem'>
  }

/** The routes of sites: cameras, gravadores and edges. */
export function routesOfLocais(deps: Deps): Route[] {
  const { askEdge, config, limits } = deps
  const allowed = config.sondagemPermitir
  const probing = { askEdge, limit: limits.sondagem, pictureLimit: limits.imagemCanal, allowed }
  return routesOfFeatures(features, ['camerasRoutes', 'cadastroRoutes', 'gravadoresRoutes', 'edgesRoutes'], {
    ...deps,
    probing,
    activationLimit: limits.ativacao,
    mqttUrl: config.mqttUrlEdges,
  })
}
