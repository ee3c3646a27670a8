import { SESSAO_S } from '@vigia/contracts/sessoes'
import { requestHost } from '../../../http/client-address.ts'
import type { RequestInfo } from '../../../http/route.ts'
import type { Entrada } from './check-password.ts'
import { clearedCookie, sessionCookie } from './cookie.ts'
import { type LogInDeps, logIn } from './log-in.ts'

export interface EntranceDeps extends LogInDeps {
  /** VIGIA_COOKIE_SECURE: sets Secure also for requests without HTTPS. */
  readonly cookieSecure: boolean
}

/** Small, because the sender has no session yet: 1 MiB of small fields would cost a second of CPU time. */
export const FORM_BYTES = 64 * 1024

export type Entrance = ReturnType<typeof createEntrance>

/** The beginning and the end of a session over HTTP: the client of a request, and the cookies of its answer. */
export function createEntrance(deps: EntranceDeps) {
  const secure = (request: RequestInfo) => deps.cookieSecure || request.https
  const from = (request: RequestInfo) => ({
    address: request.remoteAddress,
    host: requestHost(request.header),
    agente: request.header('user-agent'),
  })
  return {
    from,
    cookieOf: (token: string, request: RequestInfo, maxAgeS: number = SESSAO_S) => ({
      'set-cookie': sessionCookie(token, maxAgeS, secure(request)),
    }),
    clearing: (request: RequestInfo) => ({ 'set-cookie': clearedCookie(secure(request)) }),
    start: (canal: 'painel' | 'api', entrada: Entrada, request: RequestInfo) =>
      logIn(deps, entrada, { ...from(request), pedido: request.id, canal }),
  }
}
