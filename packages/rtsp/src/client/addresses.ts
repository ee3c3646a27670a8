/** Headers of SETUP and its reply, and the URLs for the requests after DESCRIBE. */

/**
 * URL of a track (RFC 2326 C.1.1): absolute as written, else appended to the whole base. The rules for relative URLs
 * (RFC 3986 5) would cut off the query of a recorder's base.
 */
export function resolveControl(base: string, control: string | null): string {
  if (control === null || control === '' || control === '*') return base
  if (/^rtsps?:\/\//i.test(control)) return isSafe(control) ? withoutUserinfo(control) : base
  if (!isSafe(control)) return base
  if (control.startsWith('?')) return base + control
  return `${base.replace(/\/$/, '')}/${control.replace(/^\//, '')}`
}

/** Content-Base, Content-Location or the URL of the request. A header without an RTSP URL is ignored. */
export function baseUrl(uri: string, headers: ReadonlyMap<string, readonly string[]>): string {
  const given = headers.get('content-base')?.[0] ?? headers.get('content-location')?.[0]
  return given !== undefined && /^rtsps?:\/\/./i.test(given) && isSafe(given) ? withoutUserinfo(given) : uri
}

/**
 * Candidate URLs for PLAY and later requests, best first. The URL of the request precedes a base without the query: the
 * query of an archive's URL holds the requested time.
 */
export function sessionUrls(uri: string, base: string, track: string): string[] {
  const lostQuery = uri.includes('?') && !base.includes('?')
  return [...new Set(lostQuery ? [uri, base, track] : [base, uri, track])]
}

const MAX_URL = 2048
const isSafe = (url: string): boolean => url.length <= MAX_URL && !/[\s\p{Cc}]/u.test(url)
const withoutUserinfo = (url: string): string => url.replace(/^(rtsps?:\/\/)[^/?]*@/i, '$1')

export interface Channels {
  readonly rtp: number
  readonly rtcp: number
}

/** Returns the channels chosen by the server (RFC 2326 12.39), else the requested pair, which begins at `wanted`. */
export function readChannels(transport: string | undefined, wanted = 0): Channels {
  const match = /interleaved\s*=\s*(\d{1,3})(?:\s*-\s*(\d{1,3}))?/i.exec(transport ?? '')
  const rtp = Number(match?.[1] ?? wanted)
  const rtcp = Number(match?.[2] ?? rtp + 1)
  return rtp <= 255 && rtcp <= 255 ? { rtp, rtcp } : { rtp: wanted, rtcp: wanted + 1 }
}

export interface SessionHeader {
  readonly id: string
  readonly timeoutS: number
}

/** RFC 2326 12.37. */
const DEFAULT_TIMEOUT_S = 60

/** Null for a header that is absent or cannot be repeated in a request. */
export function readSession(header: string | undefined): SessionHeader | null {
  const [id = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim())
  if (id === '' || id.length > 256 || !/^[\x21-\x7e]+$/.test(id)) return null
  const timeout = parameters
    .map((part) => /^timeout\s*=\s*(\d{1,6})/i.exec(part)?.[1])
    .find((value) => value !== undefined)
  return { id, timeoutS: Math.max(1, Number(timeout ?? DEFAULT_TIMEOUT_S)) }
}
