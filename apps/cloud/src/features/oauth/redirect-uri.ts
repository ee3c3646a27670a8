/** Schemes of desktop programs without the dot that RFC 8252 section 7.1 asks for. */
const wellKnownSchemes = new Set([
  'chatgpt',
  'claude',
  'cursor',
  'goose',
  'jetbrains',
  'raycast',
  'vscode',
  'vscode-insiders',
  'windsurf',
  'zed',
])

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

/** @param host lower case, without a port */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)

/**
 * Whether a client may register `uri`: https, http of the person's own computer, or the private scheme of a program
 * (RFC 8252 section 7). Schemes that run or show what stands in them (`javascript:`, `data:`) have no dot and are in no list.
 */
export function acceptableRedirect(uri: string): boolean {
  const parts = partsOf(uri)
  if (!parts) return false
  if (parts.scheme === 'https') return parts.host !== ''
  if (parts.scheme === 'http') return isLoopback(parts.host)
  return parts.scheme.includes('.') || wellKnownSchemes.has(parts.scheme)
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
