import type { Credentials } from './digest.ts'
import { percentDecode, percentEncode } from './percent.ts'

/** Ports of RTSP and of RTSP over TLS (IANA). */
const DEFAULT_PORTS = { rtsp: 554, rtsps: 322 } as const

export interface RtspUrl {
  /** The URL without its userinfo, as written in a request. */
  readonly uri: string
  /** Name or address, without the brackets of IPv6. */
  readonly host: string
  readonly porta: number
  readonly tls: boolean
  /** From the userinfo, percent-decoded; null without one. */
  readonly credentials: Credentials | null
}

/**
 * Reads an `rtsp:` or `rtsps:` URL; userinfo ends at the last `@` before the path. @throws RangeError for an invalid
 * URL.
 */
export function readRtspUrl(url: string): RtspUrl {
  const match = /^(rtsps?):\/\/(?:([^/?]*)@)?(\[[^\]/?]*\]|[^:/?]*)(?::(\d{1,5}))?([/?].*)?$/i.exec(url)
  const scheme = match?.[1]?.toLowerCase()
  // A blank or a control character would end the request line.
  if (!match || (scheme !== 'rtsp' && scheme !== 'rtsps') || /[\s\p{Cc}]/u.test(url))
    throw new RangeError('not an RTSP URL')
  const [, , userinfo, host = '', port, path = '/'] = match
  return {
    // The zone of an address is valid only on this machine (RFC 6874 4).
    uri: `${scheme}://${host.replace(/%.*\]$/, ']')}${port === undefined ? '' : `:${port}`}${path}`,
    host: host.replace(/^\[(.*)\]$/, '$1'),
    porta: port === undefined ? DEFAULT_PORTS[scheme] : Number(port),
    tls: scheme === 'rtsps',
    credentials: userinfo === undefined ? null : readCredentials(userinfo),
  }
}

/** Encodes the userinfo anew, for a client that decodes a bare percent sign. An invalid URL is returned unchanged. */
export function withEncodedLogin(url: string): string {
  const match = /^(rtsps?:\/\/)([^/?]*)@(.*)$/is.exec(url)
  if (!match) return url
  const [, scheme = '', userinfo = '', rest = ''] = match
  const { usuario, senha } = readCredentials(userinfo)
  return `${scheme}${percentEncode(usuario)}${userinfo.includes(':') ? `:${percentEncode(senha)}` : ''}@${rest}`
}

function readCredentials(userinfo: string): Credentials {
  const colon = userinfo.indexOf(':')
  const usuario = colon < 0 ? userinfo : userinfo.slice(0, colon)
  return { usuario: percentDecode(usuario), senha: colon < 0 ? '' : percentDecode(userinfo.slice(colon + 1)) }
}
