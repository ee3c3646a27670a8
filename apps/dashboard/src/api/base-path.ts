/**
 * The path below which the cloud serves this page (`/vigia`; empty: none). One build serves every path: the cloud puts
 * it before the addresses in index.html, and the manifest lies directly below it.
 */
const manifest = globalThis.document?.querySelector<HTMLLinkElement>('link[rel="manifest"]')?.href
export const BASE_PATH = manifest === undefined ? '' : new URL('.', manifest).pathname.slice(0, -1)

/** Address of a path of this installation, which begins with `/`. Addresses in answers are complete. */
export const ownAddress = (path: string): string => BASE_PATH + path

/** The path that the router and the cloud know. */
export const ownPath = (pathname: string): string =>
  pathname === BASE_PATH || pathname.startsWith(`${BASE_PATH}/`) ? pathname.slice(BASE_PATH.length) || '/' : pathname
