import { SESSAO_S } from '@vigia/contracts/sessoes'
import { SESSION_COOKIE } from '../../http/access.ts'

/** The cookie is host-only (no Domain) and unreadable for scripts. Of other sites, only plain navigation sends it. */
const attributes = (secure: boolean) => `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

export const sessionCookie = (token: string, secure: boolean): string =>
  `${SESSION_COOKIE}=${token}; Max-Age=${SESSAO_S}; ${attributes(secure)}`

export const clearedCookie = (secure: boolean): string => `${SESSION_COOKIE}=; Max-Age=0; ${attributes(secure)}`
