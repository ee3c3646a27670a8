import { isLoopback } from '../../../http/loopback-host.ts'

/**
 * Schemes of browsers, systems and protocols, which belong to no single program (IANA, Uniform Resource Identifier
 * Schemes). A redirect there would execute, display or mail the answer.
 */
const shared = new Set(
  (
    'about acct afp android-app apt blob callto cid content data dav dict dns facetime fax feed file filesystem ' +
    'finger ftp ' +
    'ftps geo git go gopher ham help http https iax icap imap imaps info intent ipp ipps irc irc6 ircs jar ' +
    'javascript jdbc ' +
    'ldap ldaps livescript magnet mailto maps market message mid mms mmsh mmst modem mqtt mqtts mumble news nfs ' +
    'nntp pop ' +
    'pop3 proxy res resource rlogin rmi rsync rtmp rtmps rtsp rtsps rtspu search search-ms secondlife service ' +
    'session sftp ' +
    'shell shortcuts shttp sip sips sms smsto smb snmp soap spotify ssh steam stun stuns svn tag tel telnet ' +
    'tftp tip tn3270 ' +
    'turn turns udp unreal urn vbscript view-source vnc wais webcal ws wss xmpp z39.50'
  ).split(' '),
)
const sharedFamily = /^(chrome|edge|itms|microsoft|moz|ms|opera|safari|web\+|windows|x-apple)/

interface Parts {
  readonly scheme: string
  /** Lower case, without a port. */
  readonly host: string
  /** Path and query, as written. */
  readonly rest: string
}

/**
 * Parts of a URI as written. null: invalid, with a fragment or wildcard, or ambiguous between parsers. Dot segments,
 * user names, backslashes, invisible characters and unusual notations of addresses are ambiguous.
 */
function partsOf(uri: string): Parts | null {
  const written = /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?]*))?([^?]*)(\?.*)?$/i.exec(uri)
  const url = URL.parse(uri)
  if (!written || !url || /[^\x21-\x7e]|[\\#*"<>^`{|}]/.test(uri)) return null
  const [, scheme = '', authority = '', path = '', query = ''] = written
  if (/[@%]/.test(authority) || (path !== '' && path !== url.pathname)) return null
  const host = authority.toLowerCase().replace(/:\d*$/, '')
  if (host !== url.hostname.toLowerCase()) return null
  return { scheme: scheme.toLowerCase(), host, rest: `${path}${query}` }
}

/**
 * Whether a client may register `uri`: https, http of a loopback address, or a private scheme. Many programs have one
 * without the dot of RFC 8252 section 7.1 (`zed:`), which another program may have too. PKCE protects the code from
 * that one, and the consent page names the scheme.
 */
export function acceptableRedirect(uri: string): boolean {
  const parts = partsOf(uri)
  if (!parts) return false
  if (parts.scheme === 'https') return parts.host !== ''
  if (parts.scheme === 'http') return isLoopback(parts.host)
  return !shared.has(parts.scheme) && !sharedFamily.test(parts.scheme)
}

/**
 * Whether `asked` exactly equals a registered URI. Only the port of an http loopback URI may differ, because the system
 * assigns it at each start (RFC 8252 section 7.3).
 */
export function matchesRegistered(registered: readonly string[], asked: string): boolean {
  if (!acceptableRedirect(asked)) return false
  const wanted = withoutPort(asked)
  return registered.some((uri) => uri === asked || (wanted !== null && withoutPort(uri) === wanted))
}

/** null: not an http loopback URI. */
function withoutPort(uri: string): string | null {
  const parts = partsOf(uri)
  return parts?.scheme === 'http' && isLoopback(parts.host) ? `${parts.host}${parts.rest}` : null
}
