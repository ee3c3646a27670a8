import type { Clock } from '../../../adapters/clock.ts'
import type { RateLimit } from '../../../adapters/rate-limits/interface.ts'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { PublicBase } from './public-base.ts'
import type { SigningKeys } from './signing-keys.ts'

export interface OauthDeps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly keys: SigningKeys
  readonly publicBase: PublicBase
  /** Limits the registrations of one network. */
  readonly registrationLimit: RateLimit
  /** Limits the wrong codes and tokens of one network. */
  readonly grantLimit: RateLimit
}

/** Origin of a request, for the audit record. */
export interface From {
  readonly endereco: string
  readonly pedido: string
}
