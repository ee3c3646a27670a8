import type { Caller } from './caller.ts'
import type { ClientAddress } from './client-address.ts'
import type { OauthErrors } from './oauth-errors.ts'

/** Values of one request. */
export interface HttpEnv {
  Bindings: object
  Variables: {
    requestId: string
    address: ClientAddress
    caller: Caller | null
    /** Path pattern of the matching route; null: no route. */
    route: string | null
    failure: Error | undefined
    /** OAuth error codes of the matching route; null: not an OAuth endpoint. */
    oauth: OauthErrors | null
    /** The answer is a WebSocket (status 101, which a `Response` cannot have). */
    upgraded: boolean
  }
}
