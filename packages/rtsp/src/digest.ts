import { createHash, timingSafeEqual } from 'node:crypto'
import { type AuthHeader, parseAuthHeader, quote } from './auth-header.ts'

export type Algorithm = 'MD5' | 'SHA-256'

export interface Credentials {
  readonly usuario: string
  readonly senha: string
}

/** The request to sign; `uri` as written in the request line. */
export interface AuthRequest {
  readonly method: string
  readonly uri: string
}

const hashes = { MD5: 'md5', 'SHA-256': 'sha256' } as const
const digest = (algorithm: Algorithm, text: string): string =>
  createHash(hashes[algorithm]).update(text, 'utf8').digest('hex')

interface DigestInput extends Credentials, AuthRequest {
  readonly algorithm: Algorithm
  /** The `-sess` variants mix the nonces into the first hash. */
  readonly session: boolean
  readonly realm: string
  readonly nonce: string
  /** Absent for the form of RFC 2069, used by old recorders. */
  readonly auth?: { readonly nc: string; readonly cnonce: string }
}

/** The `response` of RFC 7616 3.4.1 (qop `auth` or none), lower-case hex. */
function digestResponse(input: DigestInput): string {
  const { algorithm, nonce, auth } = input
  const plain = digest(algorithm, `${input.usuario}:${input.realm}:${input.senha}`)
  const first = input.session ? digest(algorithm, `${plain}:${nonce}:${auth?.cnonce ?? ''}`) : plain
  const second = digest(algorithm, `${input.method}:${input.uri}`)
  return digest(
    algorithm,
    auth ? `${first}:${nonce}:${auth.nc}:${auth.cnonce}:auth:${second}` : `${first}:${nonce}:${second}`,
  )
}

/** Null for an unsupported algorithm. */
function algorithmOf(header: AuthHeader): { algorithm: Algorithm; session: boolean } | null {
  const match = /^(MD5|SHA-256)(-sess)?$/i.exec(header.params.get('algorithm') || 'MD5')
  if (!match) return null
  return { algorithm: match[1]?.toUpperCase() === 'MD5' ? 'MD5' : 'SHA-256', session: match[2] !== undefined }
}

/** Whether the challenge requests `auth`; null when it offers only unsupported values (`auth-int`). Blank: none. */
function wantsAuth(header: AuthHeader): boolean | null {
  const offered = header.params.get('qop')
  if (offered === undefined || offered.trim() === '') return false
  return offered.split(',').some((qop) => qop.trim().toLowerCase() === 'auth') || null
}

/**
 * Client side: returns the Authorization value for the strongest challenge (SHA-256, MD5, Basic); null when none is
 * supported. `nonceCount` counts the uses of one nonce from 1; the caller chooses a fresh random `cnonce`.
 */
export function respond(
  challenges: readonly string[],
  credentials: Credentials,
  request: AuthRequest,
  { nonceCount, cnonce }: { readonly nonceCount: number; readonly cnonce: string },
): string | null {
  const headers = challenges.flatMap(parseAuthHeader)
  const usable = headers.flatMap((header) => {
    const kind = header.scheme === 'digest' ? algorithmOf(header) : null
    const auth = wantsAuth(header)
    const [realm, nonce] = [header.params.get('realm'), header.params.get('nonce')]
    return kind && auth !== null && realm !== undefined && nonce !== undefined
      ? [{ header, kind, auth, realm, nonce }]
      : []
  })
  const best = usable.find(({ kind }) => kind.algorithm === 'SHA-256') ?? usable[0]
  if (!best)
    return headers.some(({ scheme }) => scheme === 'basic')
      ? `Basic ${Buffer.from(`${credentials.usuario}:${credentials.senha}`, 'utf8').toString('base64')}`
      : null
  const { header, kind, realm, nonce } = best
  const nc = nonceCount.toString(16).padStart(8, '0')
  const response = digestResponse({
    ...credentials,
    ...request,
    ...kind,
    realm,
    nonce,
    ...(best.auth || kind.session ? { auth: { nc, cnonce } } : {}),
  })
  const opaque = header.params.get('opaque')
  return `Digest ${[
    `username=${quote(credentials.usuario)}`,
    `realm=${quote(realm)}`,
    `nonce=${quote(nonce)}`,
    `uri=${quote(request.uri)}`,
    `response="${response}"`,
    ...(header.params.get('algorithm') ? [`algorithm=${kind.algorithm}${kind.session ? '-sess' : ''}`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quote(opaque)}`]),
    ...(best.auth || kind.session ? [`qop=auth`, `nc=${nc}`, `cnonce=${quote(cnonce)}`] : []),
  ].join(', ')}`
}

export interface VerifyOptions extends Credentials {
  readonly realm: string
  /** The only scheme that the server accepts. */
  readonly scheme: Algorithm | 'basic'
  /** Whether the server issued this nonce and it has not expired. */
  readonly nonceIs: (nonce: string) => 'valid' | 'stale' | 'unknown'
}

/** `stale`: right password, expired nonce; the server sends a new challenge that does not report a wrong password. */
export type Verification = 'ok' | 'absent' | 'wrong' | 'stale'

/** Server side: checks an Authorization value in constant time. */
export function verify(header: string | undefined, request: AuthRequest, options: VerifyOptions): Verification {
  const given = header === undefined ? undefined : parseAuthHeader(header)[0]
  if (!given) return 'absent'
  if (options.scheme === 'basic') {
    const expected = Buffer.from(`${options.usuario}:${options.senha}`, 'utf8').toString('base64')
    return given.scheme === 'basic' && sameText(given.token ?? '', expected) ? 'ok' : 'wrong'
  }
  const { params } = given
  const kind = algorithmOf(given)
  const nonce = params.get('nonce') ?? ''
  if (given.scheme !== 'digest' || kind?.algorithm !== options.scheme) return 'wrong'
  if (params.get('realm') !== options.realm || !sameUri(params.get('uri') ?? '', request.uri)) return 'wrong'
  const known = options.nonceIs(nonce)
  if (known === 'unknown') return 'wrong'
  const withAuth = params.has('qop')
  const expected = digestResponse({
    usuario: options.usuario,
    senha: options.senha,
    realm: options.realm,
    nonce,
    method: request.method,
    // The hash covers the URI as the client wrote it.
    uri: params.get('uri') ?? '',
    ...kind,
    ...(withAuth ? { auth: { nc: params.get('nc') ?? '', cnonce: params.get('cnonce') ?? '' } } : {}),
  })
  const right =
    Number(sameText(params.get('username') ?? '', options.usuario)) &
    Number(sameText(params.get('response') ?? '', expected))
  if (right !== 1) return 'wrong'
  return known === 'stale' ? 'stale' : 'ok'
}

/** Compares two texts in constant time: comparing hashes also hides the length. */
export const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

/** Some clients hash only the path, some the whole URL. */
const sameUri = (given: string, requested: string): boolean =>
  given !== '' && (given === requested || given === requested.replace(/^rtsps?:\/\/[^/]*/i, ''))
