import { isLoopback } from '../../http/loopback-host.ts'

/**
 * Schemes that are no program's own: of browsers, systems and protocols (IANA, Uniform Resource Identifier Schemes). An answer
 * that is sent there runs, is shown, or goes to whoever handles mail and calls.
 */
const shared = new Set(
  (
    'about acct afp android-app apt blob callto cid content data dav dict dns facetime fax feed file filesystem finger ftp ' +
    'ftps geo git go gopher ham help http https iax icap imap imaps info intent ipp ipps irc irc6 ircs jar javascript jdbc ' +
    'ldap ldaps livescript magnet mailto maps market message mid mms mmsh mmst modem mqtt mqtts mumble news nfs nntp pop ' +
    'pop3 proxy res resource rlogin rmi rsync rtmp rtmps rtsp rtsps rtspu search search-ms secondlife service session sftp ' +
    'shell shortcuts shttp sip sips sms smsto smb snmp soap spotify ssh steam stun stuns svn tag tel telnet tftp tip tn3270 ' +
    'turn turns udp unreal urn vbscript view-source vnc wais webcal ws wss xmpp z39.50'
  ).split(' '),
)
const sharedFamily = /^(chrome|edge|itms|microsoft|moz|ms|opera|safari|web\+|windows|x-apple)/

interface Parts {
  readonly scheme: string
  /** Without a port, lower case. */
  readonly host: string
  /** As written, from the path on. */
  readonly rest: string
}

/**
 * Takes a URI apart as it is written. null: none, or one that two readers could read in two ways (dot segments, user
 * names, backslashes, invisible characters, addresses in unusual notation), or one with a fragment or a wildcard.
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
 * Schemes without the dot of RFC 8252 section 7.1 that agents in wide use register (docs/mcp.md): Cursor, Visual Studio Code
 * and its preview, Windsurf, Claude.
 */
const knownAgentSchemes: ReadonlySet<string> = new Set(['cursor', 'vscode', 'vscode-insiders', 'windsurf', 'claude'])

/**
 * Whether a client may register `uri`: https, http of the person's own computer, or the private scheme of a program. That
 * scheme is a domain name turned round (RFC 8252 section 7.1), which another program does not take by accident, or the one of
 * a known agent.
 */
export function registrableRedirect(uri: string): boolean {
  const scheme = partsOf(uri)?.scheme ?? ''
  return acceptableRedirect(uri) && (/^https?$/.test(scheme) || scheme.includes('.') || knownAgentSchemes.has(scheme))
}

/**
 * Whether an answer may be sent to `uri`: what may be registered, and private schemes without a dot, which clients have
 * registered before that was refused. PKCE keeps the code from another program that took the same scheme.
 */
export function acceptableRedirect(uri: string): boolean {
  const parts = partsOf(uri)
  if (!parts) return false
  if (parts.scheme === 'https') return parts.host !== ''
  if (parts.scheme === 'http') return isLoopback(parts.host)
  return !shared.has(parts.scheme) && !sharedFamily.test(parts.scheme)
}

/**
 * Whether `asked` is one of the registered URIs: letter by letter, but for the port of an http loopback URI, which the
 * system gives to the program each time anew (RFC 8252 section 7.3).
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
