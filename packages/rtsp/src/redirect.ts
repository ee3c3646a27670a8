import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { canonicalHost } from './address-policy.ts'
import { type RtspUrl, readRtspUrl } from './rtsp-url.ts'

/** Statuses that name another address (RFC 2326 11.3, RFC 7826 17.3); 307 and 308 as in HTTP. */
const REDIRECTIONS: ReadonlySet<number> = new Set([301, 302, 303, 305, 307, 308])
/** The address is a proxy, which gets the request unchanged (RFC 2326 11.3.6). */
const USE_PROXY = 305

export interface Redirection {
  /** The device that answered, at another port or path; null: another device, or the same one without its TLS. */
  readonly target: RtspUrl | null
  /** Scheme, host and port of the new address: no user, no password, and no path, which may hold a password. */
  readonly address: string
}

/** Longest host that is repeated. */
const MAX_HOST = 50
const RESOLVE_MS = 2000

/**
 * Judges the answer of `target`, whose connection goes to the IP address `connected`. Null: no redirection, or without
 * a readable address. A name is the same device if one of its addresses is `connected`.
 */
export async function judgeRedirection(
  status: number,
  location: string | undefined,
  target: RtspUrl,
  connected: string,
): Promise<Redirection | null> {
  if (!REDIRECTIONS.has(status) || location === undefined) return null
  const next = readLocation(location, target)
  if (!next) return null
  const address = plainAddress(next)
  const isSame = (!target.tls || next.tls) && (await isSameHost(next.host, target.host, connected))
  if (!isSame) return { target: null, address }
  const uri = status === USE_PROXY ? target.uri : next.uri
  return { target: { ...next, uri, credentials: target.credentials }, address }
}

/** An absolute URL, or a path of the same server. Null: neither. */
function readLocation(location: string, { uri }: RtspUrl): RtspUrl | null {
  const server = /^[^:]*:\/\/[^/?]*/.exec(uri)?.[0] ?? ''
  try {
    const next = readRtspUrl(location.startsWith('/') ? server + location : location)
    return next.host !== '' && next.porta > 0 && next.porta <= 65_535 ? next : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

async function isSameHost(host: string, asked: string, connected: string): Promise<boolean> {
  const [named, own] = [canonicalHost(host), canonicalHost(connected)]
  if (named === own || named === canonicalHost(asked)) return true
  if (isIP(named) !== 0) return false
  const late = new Promise<[]>((resolve) => setTimeout(resolve, RESOLVE_MS, []).unref())
  const found = lookup(named, { all: true }).catch((error: NodeJS.ErrnoException) => {
    if (typeof error.code === 'string') return []
    throw error
  })
  // The resolver cannot be interrupted; its late result is ignored.
  return (await Promise.race([found, late])).some(({ address }) => canonicalHost(address) === own)
}

function plainAddress({ host, porta, tls }: RtspUrl): string {
  const plain = canonicalHost(host).replace(/[^\w.:-]/g, '')
  return `${tls ? 'rtsps' : 'rtsp'}://${(plain.includes(':') ? `[${plain}]` : plain).slice(0, MAX_HOST)}:${porta}`
}
