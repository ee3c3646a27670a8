import { SESSAO_S } from '@vigia/contracts/sessoes'
import { SESSION_COOKIE } from '../../http/access.ts'

/** Host-only (no Domain), not readable by scripts, not sent with requests of other sites except plain navigation. */
const attributes = (secure: boolean) => `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

export const sessionCookie = (token: string, secure: boolean): string =>
  `${SESSION_COOKIE}=${token}; Max-Age=${SESSAO_S}; ${attributes(secure)}`

export const clearedCookie = (secure: boolean): string => `${SESSION_COOKIE}=; Max-Age=0; ${attributes(secure)}`
