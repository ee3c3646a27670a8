import type { RateLimits } from '../../adapters/rate-limits/interface.ts'
import type { Config } from '../../config.ts'
import type { Route } from '../../http/route.ts'
import { notificacoesRoutes } from './notificacoes/routes.ts'
import { pushRoutes } from './push/routes.ts'
import { remetentesRoutes } from './remetentes/routes.ts'

interface Deps {
  readonly config: Pick<Config, 'remetentes' | 'urlPublica' | 'webhookPermitir'>
  readonly limits: Pick<RateLimits, 'teste'>
  readonly sending: Omit<Parameters<typeof notificacoesRoutes>[0], 'webhookPermitir' | 'wake'>
  readonly push: Omit<Parameters<typeof pushRoutes>[0], 'allowed' | 'testLimit'>
  /** There are new deliveries. */
  readonly delivery: { wake(): void }
}

/** The routes of messages: canais and their deliveries, senders, browsers with notifications. */
export const routesOfMensagens = ({ config, limits, sending, push, delivery }: Deps): Route[] => [
  ...notificacoesRoutes({ ...sending, webhookPermitir: config.webhookPermitir, wake: delivery.wake }),
  ...remetentesRoutes({ ...sending, env: config.remetentes, urlPublica: config.urlPublica }),
  ...pushRoutes({ ...push, allowed: config.webhookPermitir, testLimit: limits.teste }),
]
