import type { Clock } from './adapters/clock.ts'
import type { DiskSpace } from './adapters/disk-space.ts'
import type { Config } from './config.ts'
import type { Database } from './db/open.ts'
import { createAuthenticateKey } from './domains/pessoas/chaves/authenticate-chave.ts'
import { createAuthenticate, createAuthenticateStream } from './domains/pessoas/sessoes/authenticate.ts'
import { type Authenticate, isKey } from './http/access.ts'

interface AccessDeps {
  readonly config: Pick<Config, 'dominioNeutro'>
  readonly db: Database
  readonly clock: Clock
  readonly disk: Pick<DiskSpace, 'tolerate'>
}

/** Creates the checks of tokens: sessions of people and quiosques, and integration keys. */
export function createAccess({ config, db, clock, disk }: AccessDeps) {
  const access = { db, clock, dominioNeutro: config.dominioNeutro, disk }
  const sessions = createAuthenticate(access)
  const streamSessions = createAuthenticateStream(access)
  const apiKeys = createAuthenticateKey(access)
  const authenticate: Authenticate = (token, host) => (isKey(token) ? apiKeys : sessions)(token, host)
  return {
    authenticate,
    // For a stream: the host was checked when it was opened, and a renewal of its session does not end it.
    async stillAuthenticated(token: string) {
      const login = await (isKey(token) ? apiKeys(token, null) : streamSessions(token))
      return login?.faltaSegundoFator ? null : login
    },
  }
}
