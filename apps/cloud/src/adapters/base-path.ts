/**
 * The path of `VIGIA_URL_PUBLICA` (`/vigia`; empty without one). Routes, pages and views know nothing of it: they write
 * addresses from `/`. The functions here take the path away from requests, and put it before addresses in answers.
 */

/** First segments of addresses of the cloud. A base path that begins with one would hide it. */
const OWN = /^\/(api|oauth|mcp|assets|icons|login|logout|healthz|readyz|pki|docs)(\/|$)/
const SEGMENTS = /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/

/** Whether the path of a public address can be a base path. */
export const canBeBasePath = (path: string): boolean => SEGMENTS.test(path) && !OWN.test(path)

/**
 * The path for the routes. A proxy passes the base path on. A path without it comes from this machine, or from a proxy
 * that takes it away. RFC 8414 (3.1) and RFC 9728 (3.1) insert the path of an issuer or resource after the well-known
 * name.
 */
export function withoutBasePath(base: string, path: string): string {
  if (base === '') return path
  if (path === base || path.startsWith(`${base}/`)) return path.slice(base.length) || '/'
  const [, name, rest = ''] = /^(\/\.well-known\/[^/]+)(\/.*)$/.exec(path) ?? []
  const inserted = name !== undefined && (rest === base || rest.startsWith(`${base}/`))
  return inserted ? name + rest.slice(base.length) : path
}

/** JSON text of a value. Fields that end in `url` hold addresses of the API from `/`, which get the base path. */
export function jsonBelow(base: string): (value: unknown, space?: number) => string {
  if (base === '') return (value, space) => JSON.stringify(value, null, space)
  const isAddress = (key: string, value: unknown): value is string =>
    typeof value === 'string' && /(^|_)url$/.test(key) && value.startsWith('/api/v1/')
  const below = (key: string, value: unknown) => (isAddress(key, value) ? base + value : value)
  return (value, space) => JSON.stringify(value, below, space)
}

/** The value of a header `Location` or `Link` below the base path. Absolute addresses stay. */
export const headerBelow = (base: string, value: string): string => value.replace(/^(<?)\/(?!\/)/, `$1${base}/`)

/** Links, forms, styles and scripts of a page below the base path. Text of others is escaped and has no `"`. */
export const pageBelow = (base: string, page: string): string =>
  page.replaceAll(/ (href|src|action)="\/(?!\/)/g, ` $1="${base}/`)
