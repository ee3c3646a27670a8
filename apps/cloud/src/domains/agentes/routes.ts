import type { RateLimits } from '../../adapters/rate-limits/interface.ts'
import { countingRecords } from '../../audit/record-rate.ts'
import type { Config } from '../../config.ts'
import { createRoots } from '../../db/roots.ts'
import type { Route } from '../../http/route.ts'
import { prompts } from './mcp/prompts/prompts.ts'
import { resources } from './mcp/resources/resources.ts'
import { mcpRoutes } from './mcp/routes.ts'
import type { Extras } from './mcp/server.ts'
import { tools } from './mcp/tools/catalogue.ts'
import { createAuthenticateAgent } from './oauth/authenticate-agent.ts'
import { authorizeRoutes } from './oauth/authorize-routes.ts'
import { createClientDocuments } from './oauth/client-documents.ts'
import { createPublicBase } from './oauth/public-base.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { createSigningKeys } from './oauth/signing-keys.ts'

type Deps = Omit<Parameters<typeof authorizeRoutes>[0], 'consentLimit' | 'documents' | 'publicBase'> &
  Parameters<typeof createSigningKeys>[0] &
  Pick<Parameters<typeof mcpRoutes>[0], 'checkAnswers' | 'draw' | 'replica' | 'routes'> & {
    readonly config: Pick<Config, 'basePath' | 'urlPublica' | 'webhookPermitir'>
    readonly limits: Pick<RateLimits, 'agente' | 'consentimento' | 'mudanca' | 'recusaOauth' | 'registroOauth'>
    readonly mcpExtras: Extras | undefined
  }

/** The routes of agents: their authorization by a person, and `/mcp`. */
export function routesOfAgentes({ config, limits, mcpExtras: extras, ...deps }: Deps): Route[] {
  const publicBase = createPublicBase({ ...deps, urlPublica: config.urlPublica })
  const keys = createSigningKeys(deps)
  const authenticateAgent = createAuthenticateAgent({ ...deps, keys })
  const catalogue = { tools, resources, prompts }
  const { registroOauth: registrationLimit, recusaOauth: grantLimit, consentimento: consentLimit } = limits
  const rootOf = createRoots(deps.db)
  const counted = async <T>(empresaId: number, run: () => Promise<T>): Promise<T> => {
    // Read before: within a transaction of SQLite no other query runs.
    const root = await rootOf(empresaId)
    return await countingRecords(() => limits.mudanca.consume(`raiz:${root}`), run)
  }
  const exchanging = { catalogue, authenticateAgent, publicBase, counted }
  const documents = createClientDocuments({ ...deps, allowed: config.webhookPermitir, registrationLimit })
  return [
    ...oauthRoutes({ ...deps, keys, publicBase, registrationLimit, grantLimit }),
    ...authorizeRoutes({ ...deps, publicBase, documents, consentLimit }),
    ...mcpRoutes({ ...deps, ...exchanging, basePath: config.basePath, limit: limits.agente, extras }),
  ]
}
