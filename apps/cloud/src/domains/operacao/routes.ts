import type { RateLimits } from '../../adapters/rate-limits/interface.ts'
import type { Config } from '../../config.ts'
import type { Route } from '../../http/route.ts'
import { calibracaoRoutes } from './calibracao/routes.ts'
import { lacunasRoutes } from './lacunas/routes.ts'
import { linhaDoTempoRoutes } from './linha-do-tempo/routes.ts'
import { pendenciasRoutes } from './pendencias/routes.ts'
import { quedasRoutes } from './quedas/routes.ts'
import { saudeRoutes } from './saude/routes.ts'
import { verificacaoRoutes } from './verificacao/routes.ts'
import { verificadorExternoRoutes } from './verificador-externo/routes.ts'

type Deps = Parameters<typeof saudeRoutes>[0] &
  Omit<Parameters<typeof calibracaoRoutes>[0], 'limit'> &
  Parameters<typeof pendenciasRoutes>[0] & {
    readonly config: Pick<Config, 'verificacaoAtrasoMs' | 'verificadores'>
    readonly limits: Pick<RateLimits, 'simulacao'>
    readonly retencao: { routes(): Route[] }
  }

/** The routes of the operation: health, calibration, outages and gaps, verification, retention. */
export const routesOfOperacao = ({ config, limits, retencao, ...deps }: Deps): Route[] => [
  ...saudeRoutes(deps),
  ...calibracaoRoutes({ ...deps, limit: limits.simulacao }),
  ...quedasRoutes(deps),
  ...lacunasRoutes(deps),
  ...retencao.routes(),
  ...linhaDoTempoRoutes(deps),
  ...pendenciasRoutes(deps),
  ...verificacaoRoutes({ ...deps, lateMs: config.verificacaoAtrasoMs }),
  ...verificadorExternoRoutes({ ...deps, settings: config.verificadores.vlm }),
]
