import type { RateLimits } from '../../adapters/rate-limits/interface.ts'
import type { Config } from '../../config.ts'
import { routesOfFeatures } from '../../http/feature-routes.ts'
import type { Route } from '../../http/route.ts'
import * as features from './features.ts'

type Deps = Parameters<typeof features.saudeRoutes>[0] &
  Omit<Parameters<typeof features.calibracaoRoutes>[0], 'limit'> &
  Parameters<typeof features.pendenciasRoutes>[0] & {
    readonly config: Pick<Config, 'verificacaoAtrasoMs' | 'verificadores'>
    readonly limits: Pick<RateLimits, 'simulacao'>
    readonly retencao: { routes(): Route[] }
  }

/** The routes of the operation: health, calibration, outages and gaps, verification, retention. */
export function routesOfOperacao({ config, limits, retencao, ...deps }: Deps): Route[] {
  const settings = { lateMs: config.verificacaoAtrasoMs, settings: config.verificadores.vlm }
  const first = [
    ...(['saudeRoutes', 'calibracaoRoutes', 'quedasRoutes', 'lacunasRoutes', 'retencaoRoutes'] as const),
    ...(['linhaDoTempoRoutes', 'pendenciasRoutes', 'verificacaoRoutes', 'verificadorExternoRoutes'] as const),
  ]
  const all = { ...features, retencaoRoutes: () => retencao.routes() }
  return routesOfFeatures(all, first, { ...deps, ...settings, limit: limits.simulacao })
}
