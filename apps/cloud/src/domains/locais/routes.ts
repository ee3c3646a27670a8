import type { RateLimits } from '../../adapters/rate-limits/interface.ts'
import type { Config } from '../../config.ts'
import type { Route } from '../../http/route.ts'
import { cadastroRoutes } from './cadastro/routes.ts'
import { camerasRoutes } from './cameras/routes.ts'
import { edgesRoutes } from './edges/routes.ts'
import { gravadoresRoutes } from './gravadores/routes.ts'

type Deps = Omit<Parameters<typeof camerasRoutes>[0], 'probing'> &
  Omit<Parameters<typeof edgesRoutes>[0], 'activationLimit' | 'mqttUrl'> & {
    readonly config: Pick<Config, 'mqttUrlEdges' | 'sondagemPermitir'>
    readonly limits: Pick<RateLimits, 'ativacao' | 'imagemCanal' | 'sondagem'>
  }

/** The routes of sites: cameras, gravadores and edges. */
export function routesOfLocais(deps: Deps): Route[] {
  const { askEdge, config, limits } = deps
  const allowed = config.sondagemPermitir
  const probing = { askEdge, limit: limits.sondagem, pictureLimit: limits.imagemCanal, allowed }
  return [
    ...camerasRoutes({ ...deps, probing }),
    ...cadastroRoutes({ ...deps, probing }),
    ...gravadoresRoutes({ ...deps, probing }),
    ...edgesRoutes({ ...deps, activationLimit: limits.ativacao, mqttUrl: config.mqttUrlEdges }),
  ]
}
