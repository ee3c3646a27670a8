import { SESSION_COOKIE } from '../../../http/access.ts'

/** The cookie is host-only (no Domain) and unreadable for scripts. From other sites, only plain navigation sends it. */
const attributes = (secure: boolean) => `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`

export const sessionCookie = (token: string, maxAgeS: number, secure: boolean): string =>
  `${SESSION_COOKIE}=${token}; Max-Age=${maxAgeS}; ${attributes(secure)}`

export const clearedCookie = (secure: boolean): string => `${SESSION_COOKIE}=; Max-Age=0; ${attributes(secure)}`
