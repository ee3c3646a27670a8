import { encodeInPath } from './maker-urls.ts'
import { percentDecode, percentEncode } from './percent.ts'

/**
 * Hiding and restoring the password of an RTSP URL as people type them. A password written raw may hold any of `@ : / ? # &`,
 * so the URL is not parsed by the book: whatever could belong to a password counts as password. Nothing here throws.
 */
const MASK = '****'

type Kind = 'userinfo' | 'query' | 'underscore'

/** Where a password stands in a URL: `url.slice(start, end)`. */
interface Secret {
  readonly kind: Kind
  /** Of the parameter, as written; '' for the userinfo. */
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The URL with every password in it as `****`; a URL without one comes back unchanged. */
export const maskPassword = (url: string): string =>
  replaceSecrets(url, (secret) => (secret.start === secret.end ? '' : MASK))

/** True when the URL carries a real password: neither empty nor the mask. */
export const hasPassword = (url: string): boolean => findSecrets(url).some((secret) => isReal(textOf(url, secret)))

/** True when a password in the URL is the mask: it was returned by us and comes back. */
export const isMasked = (url: string): boolean => findSecrets(url).some((secret) => textOf(url, secret) === MASK)

/**
 * Puts the password of `storedUrl` where `maskedUrl` has the mask; host, path and even the place of the password may differ.
 * A URL that is not masked comes back unchanged. Null: the stored URL has no password to put there.
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

/** In order of their position. The parameters are found first: an `@` inside one of them does not end the userinfo. */
function findSecrets(url: string): Secret[] {
  const parameters = findParameters(url)
  const head = url.slice(0, parameters[0]?.start ?? url.length)
  const userinfo = findUserinfo(head)
  return userinfo ? [userinfo, ...parameters] : parameters
}

/** XM forms; their fixed tail tells where a raw password ends. */
const xmForm = /\/user=.*?([&_])(?<name>password)=(?<value>.*)[&_]channel=\d+[&_]stream=\d/dis
/** The underscore form with another tail: to its last known part, else to the end, less the `.sdp` that may stand there. */
const xmLoose =
  /_(?<name>password|pwd|pass)=(?:(?<value>.*)(?=_(?:channel|stream)=)|(?<rest>.*?)(?=\.sdp(?:\?.*)?$|$))/dis

/** Each letter also percent-encoded, which devices decode. */
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
/** Names that say "user": beside one of them, a bare `p` is the password. */
const withUser = '(?<=[?&/;](?:u|usr|user|username|login)=.*[?&/;])p'
/** Any parameter that is called a password: up to the next `&name=` or the end. */
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
 * `user:password@` at the start. The last `@` of the text ends it, because a raw password may hold `/` and `@`; only when
 * the authority as a parser sees it is an IP address for certain, an `@` behind it belongs to the path.
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
