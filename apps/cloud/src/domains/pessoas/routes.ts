import type { RateLimits } from '../../adapters/rate-limits/interface.ts'
import type { Config } from '../../config.ts'
import type { Route } from '../../http/route.ts'
import { auditoriaRoutes } from './auditoria/routes.ts'
import { autorizacoesRoutes } from './autorizacoes/routes.ts'
import { chavesRoutes } from './chaves/routes.ts'
import { convitesRoutes } from './convites/routes.ts'
import { empresasRoutes } from './empresas/routes.ts'
import { quiosquesRoutes } from './quiosques/routes.ts'
import { limitesRoutes } from './quotas/routes.ts'
import { segundoFatorRoutes } from './segundo-fator/routes.ts'
import { sessoesRoutes } from './sessoes/routes.ts'
import { usuariosRoutes } from './usuarios/routes.ts'

type Deps = Omit<Parameters<typeof sessoesRoutes>[0], 'cookieSecure' | 'renewalLimit' | 'sessaoMaxMs'> &
  Parameters<typeof empresasRoutes>[0] & {
    readonly config: Pick<Config, 'cookieSecure' | 'sessaoMaxMs' | 'urlPublica'>
    readonly limits: Pick<RateLimits, 'convite' | 'conviteErrado' | 'renovacao'>
  }

/** The routes of people and of their access: logins, Empresas, keys, invitations, quiosques, audit log. */
export function routesOfPessoas({ config, limits, ...deps }: Deps): Route[] {
  const { cookieSecure, sessaoMaxMs, urlPublica } = config
  const inviting = { ...deps, urlPublica, limit: limits.convite, tokenLimit: limits.conviteErrado }
  return [
    ...sessoesRoutes({ ...deps, cookieSecure, sessaoMaxMs, renewalLimit: limits.renovacao }),
    ...segundoFatorRoutes(deps),
    ...empresasRoutes(deps),
    ...limitesRoutes(deps),
    ...usuariosRoutes(deps),
    ...chavesRoutes(deps),
    ...convitesRoutes(inviting),
    ...quiosquesRoutes({ ...deps, cookieSecure }),
    ...auditoriaRoutes(deps),
    ...autorizacoesRoutes(deps),
  ]
}
