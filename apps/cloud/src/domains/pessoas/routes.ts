import type { RateLimits } from '../../adapters/rate-limits/interface.ts'
import type { Config } from '../../config.ts'
import { routesOfFeatures } from '../../http/feature-routes.ts'
import type { Route } from '../../http/route.ts'
import * as features from './features.ts'

type Deps = Omit<
  Parameters<typeof features.sessoesRoutes>[0],
  'cookieSecure' | 'renewalLimit' | 'sessaoMaxMs' | 'urlPublica'
> &
  Parameters<typeof features.empresasRoutes>[0] & {
    readonly config: Pick<Config, 'cookieSecure' | 'sessaoMaxMs' | 'urlPublica'>
    readonly limits: Pick<RateLimits, 'convite' | 'conviteErrado' | 'renovacao'>
  }

/** The routes of people and of their access: logins, Empresas, keys, invitations, quiosques, audit log. */
export function routesOfPessoas({ config, limits, ...deps }: Deps): Route[] {
  const { cookieSecure, sessaoMaxMs, urlPublica } = config
  const inviting = { urlPublica, limit: limits.convite, tokenLimit: limits.conviteErrado }
  const all = { ...deps, ...inviting, cookieSecure, sessaoMaxMs, renewalLimit: limits.renovacao }
  const first = [
    ...(['sessoesRoutes', 'segundoFatorRoutes', 'empresasRoutes', 'limitesRoutes', 'usuariosRoutes'] as const),
    ...(['chavesRoutes', 'convitesRoutes', 'quiosquesRoutes', 'auditoriaRoutes', 'autorizacoesRoutes'] as const),
  ]
  return routesOfFeatures(features, first, all)
}
