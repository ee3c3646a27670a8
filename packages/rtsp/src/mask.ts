import { encodeInPath } from './maker-urls.ts'
import { percentDecode, percentEncode } from './percent.ts'

/**
 * Hides and restores the password of an RTSP URL as typed by users. A raw password may contain any of `@ : / ? # &`.
 * Therefore the URL is not parsed strictly: all text that could belong to a password counts as password. Nothing here
 * throws.
 */
const MASK = '****'

type Kind = 'userinfo' | 'query' | 'underscore'

/** Position of a password in a URL: `url.slice(start, end)`. */
interface Secret {
  readonly kind: Kind
  /** Name of the parameter as written; '' for the userinfo. */
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Returns the URL with every password replaced by `****`; a URL without a password is unchanged. */
export const maskPassword = (url: string): string =>
  replaceSecrets(url, (secret) => (secret.start === secret.end ? '' : MASK))

/** True when the URL contains a real password: neither empty nor the mask. */
export const hasPassword = (url: string): boolean => findSecrets(url).some((secret) => isReal(textOf(url, secret)))

/** True when a password in the URL is the mask: the client sends back a masked URL. */
export const isMasked = (url: string): boolean => findSecrets(url).some((secret) => textOf(url, secret) === MASK)

/**
 * Replaces the mask in `maskedUrl` by the password of `storedUrl`; host, path and position of the password may differ.
 * A URL without the mask is unchanged. Null: the stored URL has no password.
 */
export function restorePassword(maskedUrl: string, storedUrl: string): string | null {
  if (!isMasked(maskedUrl)) return maskedUrl
  const stored = findSecrets(storedUrl).filter((secret) => isReal(textOf(storedUrl, secret)))
  const first = stored[0]
  if (!first) return null
  return replaceSecrets(maskedUrl, (secret) => {
    const own = textOf(maskedUrl, secret)
    if (own !== MASK) return own
    const alike = stored.filter(({ kind }) => kind === secret.kind)
    const source = alike.find(({ name }) => name === secret.name) ?? alike[0]
    if (source) return textOf(storedUrl, source)
    const plain = percentDecode(textOf(storedUrl, first))
    return secret.kind === 'underscore' ? encodeInPath(plain, '_') : percentEncode(plain)
  })
}

const textOf = (url: string, { start, end }: Secret): string => url.slice(start, end)
const isReal = (password: string): boolean => password !== '' && password !== MASK

function replaceSecrets(url: string, replacement: (secret: Secret) => string): string {
  let result = ''
  let from = 0
  for (const secret of findSecrets(url)) {
    result += url.slice(from, secret.start) + replacement(secret)
    from = secret.end
  }
  return result + url.slice(from)
}

/** Sorted by position. The parameters are found first: an `@` inside one of them does not end the userinfo. */
function findSecrets(url: string): Secret[] {
  const parameters = findParameters(url)
  const head = url.slice(0, parameters[0]?.start ?? url.length)
  const userinfo = findUserinfo(head)
  return userinfo ? [userinfo, ...parameters] : parameters
}

/** XM forms; their fixed tail marks the end of a raw password. */
const xmForm = /\/user=.*?([&_])(?<name>password)=(?<value>.*)[&_]channel=\d+[&_]stream=\d/dis
/**
 * The underscore form with another tail: the password ends at the last known part, else before an optional final
 * `.sdp`.
 */
const xmLoose =
  /_(?<name>password|pwd|pass)=(?:(?<value>.*)(?=_(?:channel|stream)=)|(?<rest>.*?)(?=\.sdp(?:\?.*)?$|$))/dis

/** Matches each letter also percent-encoded, because devices decode it. */
const spelled = (word: string): string =>
  word.replace(/[a-z]/g, (letter) => {
    const code = (at: string) => at.charCodeAt(0).toString(16)
    return `(?:${letter}|%${code(letter)}|%${code(letter.toUpperCase())})`
  })
const anyOf = (words: readonly string[]): string => words.map(spelled).join('|')
const suffixes = anyOf([
  'password',
  'passwd',
  'passwort',
  'pwd',
  'psw',
  'loginpas',
  'loginpass',
  'senha',
  'token',
  'secret',
])
const words = anyOf(['pass', 'pw', 'auth', 'authorization', 'apikey', 'api_key', 'key'])
/** Names of the user parameter: next to one of them, a bare `p` is the password. */
const withUser = '(?<=[?&/;](?:u|usr|user|username|login)=.*[?&/;])p'
/** Any parameter with the name of a password: up to the next `&name=` or the end. */
const parameter = new RegExp(
  `(?<=[?&/;])(?<name>[\\w.-]*(?:${suffixes})|${words}|${withUser})=(?<value>.*?)(?=[&;][\\w.%-]+=|$)`,
  'dgis',
)

function findParameters(url: string): Secret[] {
  const xm = xmForm.exec(url)
  if (xm) return spans(xm, xm[1] === '_' ? 'underscore' : 'query')
  const loose = /\/user=/i.test(url) ? xmLoose.exec(url) : null
  if (loose) return spans(loose, 'underscore')
  return [...url.matchAll(parameter)].flatMap((match) => spans(match, 'query'))
}

function spans({ groups, indices }: RegExpMatchArray, kind: Kind): Secret[] {
  const found = indices?.groups?.value ?? indices?.groups?.rest
  return found ? [{ kind, name: groups?.name ?? '', start: found[0], end: found[1] }] : []
}

/**
 * `user:password@` at the start. The last `@` of the text ends it, because a raw password may contain `/` and `@`.
 * Exception: if the authority is an IP address, a later `@` belongs to the path.
 */
function findUserinfo(head: string): Secret | null {
  const start = /^\s*[a-z][a-z0-9+.-]*:\/\//i.exec(head)?.[0].length ?? 0
  const rest = head.slice(start)
  const authority = rest.slice(0, nextOf(rest, /[/?#]/))
  const certain = ipHost.test(authority.slice(authority.lastIndexOf('@') + 1))
  const end = (certain ? authority : rest).lastIndexOf('@')
  if (end < 0) return null
  const colon = rest.indexOf(':')
  if (colon < 0 || colon > end) return null
  return { kind: 'userinfo', name: '', start: start + colon + 1, end: start + end }
}

const ipHost = /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.%\w-]+\])(:\d{1,5})?$/i

const nextOf = (text: string, pattern: RegExp): number => {
  const index = text.search(pattern)
  return index < 0 ? text.length : index
}
